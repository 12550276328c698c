import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { getQuota } from "../../tools/get-quota.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { countingMeters, member } from "../support/context.ts";
import { marketOf, quote } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = marketOf({ bars: {}, quotes: { NVDA: quote() } });

describe("get_quota", () => {
  it("counts earlier calls and itself", async () => {
    const call = { ports: { ...ports, ...countingMeters() }, principal: member, transport: "test" };
    await invoke(getQuote, { symbol: "NVDA" }, call);
    await invoke(getQuote, { symbol: "NVDA" }, call);
    await expect(invoke(getQuote, { symbol: "" }, call)).rejects.toThrow();
    expect(await invoke(getQuota, {}, call)).toEqual({
      ok: true,
      plan: "member",
      scopes: ["read"],
      windows: [
        { name: "burst", quota: 60, window: 60, remaining: 56, reset: 30 },
        { name: "daily", quota: 1000, window: 86_400, remaining: 997, reset: 32_400 },
      ],
    });
  });

  it("prints one line per window", async () => {
    const answer = await invoke(getQuota, {}, { ports, principal: member, transport: "test" });
    expect(getQuota.terminal!(answer, (_, text) => text)).toBe(
      [
        "member plan, scopes read",
        "burst     59 of 60 left, resets in 30 s",
        "daily     999 of 1000 left, resets in 32400 s",
      ].join("\n"),
    );
  });
});

toolContract(getQuota, { ports });
