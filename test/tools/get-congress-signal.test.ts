import { describe, expect, it } from "vitest";
import { getCongressSignal } from "../../tools/get-congress-signal.ts";
import { coverageOf, disclosure, fixedCongress } from "../support/congress.ts";
import { pro } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
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
const ask = callerOf(getCongressSignal, ports, { ...pro, plan: "founding" });

describe("get_congress_signal", () => {
  it("returns one word with the numbers behind it", async () => {
    expect(await ask({})).toMatchObject({
      signal: "BUYING",
      lean: 0.6,
      members: { buying: 4, selling: 1, even: 0 },
      from: "2025-12-02",
      to: "2026-01-15",
      most_bought: [{ ticker: "AAPL", buying: 3, selling: 0 }],
      most_sold: [],
      median_days_to_file: 21,
      reason: null,
    });
  });

  it("counts filings of 45 days by default", async () => {
    const { congress, requests } = fixedCongress(held);
    expect(await ask({ days: 90 }, { congress })).toMatchObject({ members: { selling: 2 } });
    await ask({ as_of: "2025-11-10" }, { congress });
    expect(requests.map(({ from, until }) => [from, until])).toEqual([
      ["2025-10-18", "2026-01-15"],
      ["2025-09-27", "2025-11-10"],
    ]);
  });

  it("is as of the replayed day", async () => {
    expect((await ask({ as_of: "2025-12-31" })).as_of).toBe("2025-12-31");
    expect((await ask({})).as_of).toBe("2026-01-15");
  });

  it("is NEUTRAL below five members, or three for one ticker", async () => {
    const few = fixedCongress(held.slice(0, 4));
    expect(await ask({}, few)).toMatchObject({
      signal: "NEUTRAL",
      reason: "Needs 5 net buyers or sellers, has 4",
    });
    expect(await ask({ ticker: "AAPL" }, few)).toMatchObject({ signal: "BUYING", ticker: "AAPL" });
    expect(await ask({ ticker: "MSFT" })).toMatchObject({ signal: "NEUTRAL", lean: 0 });
  });

  it("is null, not NEUTRAL, without a provider", async () => {
    const answer = await ask({}, { congress: market.congress });
    expect(answer).toMatchObject({
      signal: null,
      lean: null,
      members: null,
      trades: null,
      usd: null,
      left_out: null,
      held: "none",
      most_bought: [],
      most_sold: [],
      source: null,
    });
    expect(answer.reason).toContain("MARKET_DATA=live");
  });

  it("is null, not NEUTRAL, for days without stored filings", async () => {
    const late = fixedCongress(held, coverageOf({ house: "2026-01-16", senate: false }));
    const why =
      "No filings of these days are stored: those of the House are stored from 2026-01-16 on; none of the Senate";
    expect(await ask({}, late)).toMatchObject({
      signal: null,
      lean: null,
      members: null,
      usd: null,
      reason: why,
      held: "none",
      held_reason: why,
    });
  });

  it("states when it covers only part of the days or one chamber", async () => {
    const part = fixedCongress(held, coverageOf({ house: "2026-01-10" }));
    const why = "Not all filings of these days are stored: those of the House are stored from 2026-01-10 on";
    expect(await ask({}, part)).toMatchObject({
      signal: "BUYING",
      reason: why,
      held: "part",
      held_reason: why,
    });
    const half = fixedCongress([], coverageOf({ senate: false }));
    expect(await ask({}, half)).toMatchObject({
      signal: null,
      reason:
        "This covers only the House. No stored trade of these days is eligible. Not all filings of these days are stored: none of the Senate",
      notes: ["senate: no source without a key", expect.any(String)],
    });
    expect(await ask({}, fixedCongress(held, coverageOf({ senate: false })))).toMatchObject({
      signal: "BUYING",
      reason: "This covers only the House. Not all filings of these days are stored: none of the Senate",
    });
    expect(await ask({}, { congress: fixedCongress([]).congress })).toMatchObject({
      signal: "NEUTRAL",
      reason: "No eligible trade was filed",
    });
    expect(await ask({}, { congress: ports.congress })).toMatchObject({
      held: "complete",
      held_reason: null,
    });
  });

  it("lists no ticker on a side that its members or its dollars contradict", async () => {
    const big = { low: 250_001, high: 500_000, label: "" };
    const { congress } = fixedCongress([
      ...held,
      of(7, "BA", "buy"),
      of(8, "BA", "buy"),
      { ...of(9, "BA", "sell"), amount: big },
    ]);
    const { most_bought, most_sold } = await ask({}, { congress });
    expect([...most_bought, ...most_sold].map(({ ticker }) => ticker)).toEqual(["AAPL"]);
  });

  it.each([
    [{ days: 0 }, "/days"],
    [{ days: 366 }, "/days"],
    [{ as_of: "2026-13-01" }, "/as_of"],
    [{ as_of: "2026-01-16" }, "/as_of"],
    [{ as_of: "0000-01-01" }, "/as_of"],
  ])("refuses %j", async (input, pointer) => {
    await expect(ask(input)).rejects.toMatchObject(invalidField(pointer));
  });
});

toolContract(getCongressSignal, { ports });
