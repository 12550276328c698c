import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import type { Ports } from "../../src/ports/index.ts";
import { getCongressSignal } from "../../tools/get-congress-signal.ts";
import { disclosure, fixedCongress } from "../support/congress.ts";
import { pro } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const of = (member: number, ticker: string, type: "buy" | "sell", filing_date = "2026-01-10") =>
  disclosure({ id: `${member}-${ticker}`, member_id: `M${member}`, ticker, type, filing_date });
const held = [
  of(1, "AAPL", "buy"),
  of(2, "AAPL", "buy"),
  of(3, "AAPL", "buy"),
  of(4, "MSFT", "buy"),
  of(5, "MSFT", "sell"),
  of(6, "NVDA", "sell", "2025-11-01"),
];
const { ports: market } = smallMarket();
const ports = { ...market, ...fixedCongress(held) };
const ask = (input: unknown, over: Partial<Ports> = {}) =>
  invoke(getCongressSignal, input, {
    ports: { ...ports, ...over },
    principal: { ...pro, plan: "founding" },
    door: "test",
  });

describe("get_congress_signal", () => {
  it("is one word with the numbers behind it", async () => {
    expect(await ask({})).toMatchObject({
      signal: "BUYING",
      score: 0.6,
      members: { buying: 4, selling: 1, even: 0 },
      from: "2025-12-02",
      to: "2026-01-15",
      most_bought: [{ ticker: "AAPL", buying: 3, selling: 0 }],
      most_sold: [],
      median_days_to_file: 21,
      reason: null,
    });
  });

  it("counts filings of 45 days unless told otherwise", async () => {
    const { congress, asked } = fixedCongress(held);
    expect((await ask({ days: 90 }, { congress })).members.selling).toBe(2);
    await ask({ as_of: "2025-11-10" }, { congress });
    expect(asked.map(({ from, until }) => [from, until])).toEqual([
      ["2025-10-18", "2026-01-15"],
      ["2025-09-27", "2025-11-10"],
    ]);
  });

  it("is neutral under five members, three for one ticker", async () => {
    const few = fixedCongress(held.slice(0, 4));
    expect(await ask({}, few)).toMatchObject({
      signal: "NEUTRAL",
      reason: "4 of the 5 members that a lean needs traded",
    });
    expect(await ask({ ticker: "AAPL" }, few)).toMatchObject({ signal: "BUYING", ticker: "AAPL" });
    expect(await ask({ ticker: "MSFT" })).toMatchObject({ signal: "NEUTRAL", score: 0 });
  });

  it("is null where nothing is connected: that is no neutral", async () => {
    const answer = await ask({}, { congress: market.congress });
    expect(answer).toMatchObject({ signal: null, score: null, source: null });
    expect(answer.reason).toContain("MARKET_DATA=live");
  });

  it("names a chamber that is not covered", async () => {
    const { congress } = fixedCongress(held);
    const half: Ports["congress"] = {
      async disclosures(request) {
        const found = await congress.disclosures(request);
        const none = { covered: false, source: null, since: null, reason: "no source without a key" };
        return { ...found, coverage: { ...found.coverage, senate: none } };
      },
    };
    expect((await ask({}, { congress: half })).notes[0]).toBe("senate: no source without a key");
  });

  it.each([
    [{ days: 0 }, "/days"],
    [{ days: 366 }, "/days"],
    [{ as_of: "2026-13-01" }, "/as_of"],
  ])("refuses %j", async (input, pointer) => {
    await expect(ask(input)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      data: { errors: expect.arrayContaining([expect.objectContaining({ pointer })]) },
    });
  });
});

toolContract(getCongressSignal, { ports });
