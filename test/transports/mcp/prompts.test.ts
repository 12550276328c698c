import { describe, expect, it } from "vitest";
import type { Symbols } from "../../../src/domain/ports.ts";
import { completePrompt, getPrompt, listPrompts } from "../../../src/transports/mcp/prompts.ts";
import { directoryOf } from "../../support/market.ts";

const directory = directoryOf(["AAPL", "AMD", "NVDA"]);
const symbols: Symbols = {
  ...directory,
  search: (text) => directory.members().filter(({ symbol }) => symbol.startsWith(text.toUpperCase())),
};
const textOf = async (name: string, given: Record<string, string>) =>
  ((await getPrompt(name, given)).messages[0]!.content as { text: string }).text;

describe("prompts", () => {
  it("describes every prompt and argument", () => {
    for (const { title, description, arguments: args = [] } of listPrompts()) {
      expect([title, description].every((words) => words !== undefined && words.length > 5)).toBe(true);
      expect(args.every((arg) => (arg.description ?? "").length > 10)).toBe(true);
    }
  });

  it.each([
    ["analyse_symbol", { symbol: "AAPL" }],
    ["compare_symbols", { symbols: "AAPL, AMD" }],
    ["plan_trade", { symbol: "AAPL" }],
  ])(
    "%s instructs the model to cite sources, treat null as unknown and invent nothing",
    async (name, given) => {
      const text = await textOf(name, given);
      expect(text).toContain("AAPL");
      expect(text).toContain("Never invent");
      expect(text).toContain("A null is unknown");
      expect(text).toContain("Cite the source and the time");
      expect(text).not.toMatch(/undefined|\b(get|list|find)_[a-z]+/);
    },
  );

  it("uses the given arguments and omits blank ones", async () => {
    expect(await textOf("analyse_symbol", { symbol: "  BRK.B\n", timeframe: "4h" })).toMatch(
      /^Analyse BRK\.B on 4h bars\./,
    );
    const plan = { symbol: "AAPL", direction: "short", account_size: "25000", risk_percent: " " };
    expect(await textOf("plan_trade", plan)).toContain("1% of an account of 25000 US dollars");
    expect(await textOf("plan_trade", plan)).toContain("support a short trade");
    expect(await textOf("analyse_symbol", { symbol: "AAPL", timeframe: "1D" })).toContain("on 1d bars");
    expect(await textOf("analyse_symbol", { symbol: "AAPL", timeframe: "Daily" })).toContain("on 1d bars");
  });

  it("removes control and bidirectional characters", async () => {
    expect(await textOf("analyse_symbol", { symbol: "AA\u001b[31mPL\u202e\u0000 \u200bX" })).toMatch(
      /^Analyse AA PL X on 1d bars\./,
    );
    await expect(textOf("analyse_symbol", { symbol: "\u202e" })).rejects.toThrow('needs "symbol"');
    await expect(getPrompt("no\u001bsuch")).rejects.toThrow('No prompt named "no such"');
  });

  it.each([
    ["no_such", {}, "No prompt named"],
    ["toString", {}, "No prompt named"],
    ["plan_trade", { symbol: " " }, '"plan_trade" needs "symbol"'],
    ["plan_trade", { symbol: "A".repeat(201) }, "longer than 200"],
    [
      "analyse_symbol",
      { symbol: "AAPL", timeframe: "99y" },
      '"timeframe" is one of 1d, 4h, 1h, 30m, 15m, 5m',
    ],
    ["compare_symbols", { symbols: "AAPL, AMD", timeframe: "w" }, '"timeframe" is one of'],
    ["plan_trade", { symbol: "AAPL", direction: "sideways" }, '"direction" is one of long, short'],
  ])("rejects %s with %j", async (name, given, message) => {
    await expect(getPrompt(name, given as Record<string, string>)).rejects.toEqual(
      expect.objectContaining({ code: -32602, message: expect.stringContaining(message) }),
    );
  });

  it("attaches the current text of its resource", async () => {
    const contents = [{ uri: "quota://me", mimeType: "application/json", text: '{"plan":"pro"}' }];
    const { messages } = await getPrompt(
      "review_plan",
      {},
      {
        read: async (uri) => (uri === "quota://me" ? contents : []),
      },
    );
    expect(messages).toEqual([
      { role: "user", content: { type: "resource", resource: contents[0] } },
      {
        role: "user",
        content: { type: "text", text: expect.stringMatching(/^The attached resource holds/) },
      },
    ]);
  });
});

describe("completion", () => {
  const complete = (prompt: string, name: string, value: string, by: Symbols | undefined = symbols) =>
    completePrompt(prompt, { name, value }, by);

  it("finds symbols, or suggests the index members for empty input", () => {
    expect(complete("analyse_symbol", "symbol", "a")).toEqual(["AAPL", "AMD"]);
    expect(complete("plan_trade", "symbol", "")).toEqual(["AAPL", "AMD", "NVDA"]);
    expect(completePrompt("plan_trade", { name: "symbol", value: "a" }, undefined)).toEqual([]);
  });

  it("completes the last of several symbols, without those already listed", () => {
    expect(complete("compare_symbols", "symbols", "nv")).toEqual(["NVDA"]);
    expect(complete("compare_symbols", "symbols", "AAPL, a")).toEqual(["AAPL, AMD"]);
  });

  it("completes closed lists, but not numbers", () => {
    expect(complete("analyse_symbol", "timeframe", "1")).toEqual(["1d", "1h", "15m"]);
    expect(complete("plan_trade", "direction", "S")).toEqual(["short"]);
    expect(complete("plan_trade", "account_size", "2")).toEqual([]);
    expect(complete("analyse_symbol", "direction", "s")).toEqual([]);
    expect(complete("no_such", "symbol", "a")).toEqual([]);
  });
});
