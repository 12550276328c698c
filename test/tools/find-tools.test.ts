import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { findTools } from "../../tools/find-tools.ts";
import { testPorts } from "../support/context.ts";
import { toolSearchOf } from "../support/requests.ts";
import { invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const tools: readonly Tool[] = Object.values(catalogue);
const ports = { toolSearch: toolSearchOf(tools) };
const owner: Principal = {
  account: "owner",
  plan: "enterprise",
  scopes: ["read", "write", "trade:paper", "trade:live", "admin"],
};

const find = (input: object, { principal = owner, readonly = false } = {}) =>
  invoke(findTools, input, { ports: testPorts(ports), principal, transport: "test", readonly });
const namesOf = ({ tools: found }: { readonly tools: readonly { readonly name: string }[] }) =>
  found.map(({ name }) => name);

describe("find_tools", () => {
  it.each([
    ["place an order", "execute_trade"],
    ["option chain with greeks", "get_option_chain"],
    ["what do members of congress trade", "get_political_trades"],
    ["alert me when the price crosses", "create_subscription"],
    ["dark pool prints", "get_darkpool_prints"],
    ["whom did insiders buy from", "get_insider_trades"],
  ])("finds for '%s' the tool %s first", async (query, name) => {
    expect(namesOf(await find({ query }))[0]).toBe(name);
  });

  it("finds words with a mistake, and in other forms", async () => {
    expect(namesOf(await find({ query: "watchlsts" }))).toContain("list_watchlists");
    expect(namesOf(await find({ query: "backtesting" }))).toContain("run_backtest");
  });

  it("returns what is needed for a call", async () => {
    const { tools: found } = await find({ query: "option chain", limit: 1 });
    expect(found).toEqual([
      expect.objectContaining({
        name: "get_option_chain",
        toolset: "flow",
        effect: "read",
        input_schema: expect.objectContaining({ type: "object", required: ["symbol"] }),
        example: { ask: expect.any(String), input: expect.objectContaining({ symbol: expect.any(String) }) },
      }),
    ]);
  });

  it("returns at most the limit, never itself", async () => {
    expect(namesOf(await find({ query: "find tools by words", limit: 10 }))).not.toContain("find_tools");
    expect((await find({ query: "trade", limit: 2 })).tools).toHaveLength(2);
  });

  it("names better matches that the key may not use, with the reason", async () => {
    const member: Principal = { account: "member", plan: "member", scopes: ["read"] };
    const { tools: found, refused } = await find(
      { query: "option chain with greeks" },
      { principal: member },
    );
    expect(namesOf({ tools: found })).not.toContain("get_option_chain");
    expect(refused[0]).toEqual({
      name: "get_option_chain",
      title: "Get option chain",
      reason: '"get_option_chain" needs the "individual" plan; this account has "member"',
    });
  });

  it("returns only tools that change nothing to a caller that chose so", async () => {
    const found = await find({ query: "place an order", limit: 10 }, { readonly: true });
    expect(found.tools.map(({ effect }) => effect)).toEqual(found.tools.map(() => "read"));
    expect(namesOf(found)).not.toContain("execute_trade");
  });

  it("says what to do if nothing matches", async () => {
    expect(await find({ query: "zzzz qqqq" })).toEqual({
      ok: true,
      query: "zzzz qqqq",
      tools: [],
      refused: [],
      hint: "No tool matches. Describe the task in other words.",
    });
  });

  it.each(["", "  ", "x".repeat(501)])("rejects '%s'", async (query) => {
    await expect(find({ query })).rejects.toMatchObject(invalidField("/query"));
  });
});

toolContract(findTools, { ports });
