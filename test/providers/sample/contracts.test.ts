import { describe, expect, it } from "vitest";
import { marketFact } from "../../../src/analytics/contracts/market-fact.ts";
import { type Contract, ContractRow } from "../../../src/domain/prediction-markets/contracts.ts";
import { leanOf } from "../../../src/providers/sample/contract-ladders.ts";
import { correlation, DAY, freshRecordings, listed, marketAt } from "./fixture.ts";

const START = "2026-01-15T15:00:00.000Z";
const found = async (texts: readonly string[], asOf?: number): Promise<readonly Contract[]> =>
  (await marketAt(START).contracts.search({ texts, ...(asOf !== undefined && { asOf }) }))!.contracts;

describe("the simulated prediction markets", () => {
  it("have two real-money venues and one with play money", () => {
    expect(marketAt(START).contracts.venues()).toEqual([
      { name: "simex", real_money: true },
      { name: "simbook", real_money: true },
      { name: "simplay", real_money: false },
    ]);
  });

  it("list ladders on listings and the economy that match the published schema", async () => {
    const all = await found(["AAPL", "BTC-USD", "V", "Fed"]);
    for (const { event: _, event_title: __, strike: ___, keywords: ____, ...row } of all)
      expect(ContractRow.safeParse(row).error).toBeUndefined();
    expect(new Set(all.map(({ venue }) => venue)).size).toBe(3);
    expect(all.some(({ question }) => question.startsWith("Will $V be above $"))).toBe(true);
    expect(all.some(({ question }) => question.startsWith("Will BTC-USD hit (HIGH) $"))).toBe(true);
    expect(all.some(({ question }) => question.startsWith("Will the Fed cut its rate"))).toBe(true);
  });

  it("give higher rungs of a ladder lower prices, and more volume as time passes", async () => {
    const moment = Date.parse("2025-10-20T12:00:00Z");
    const [now, before] = await Promise.all([found(["MSFT"], moment), found(["MSFT"], moment - DAY)]);
    const rungs = now.filter(({ event, venue }) => event === "MSFT-2025-10-above" && venue === "simex");
    expect(rungs).toHaveLength(7);
    const shares = rungs.map(({ probability }) => probability!);
    expect(shares).toEqual(shares.toSorted((a, b) => b - a));
    for (const { id, volume_total, volume_24h } of now) {
      const yesterday = before.find((contract) => contract.id === id);
      if (yesterday === undefined) continue;
      expect(volume_total!).toBeGreaterThanOrEqual(yesterday.volume_total!);
      expect(Math.abs(volume_total! - yesterday.volume_total! - volume_24h!)).toBeLessThan(2);
    }
  });

  it("remove a level from the touch ladder once it was reached", async () => {
    const moment = Date.parse("2026-01-28T00:00:00Z");
    const { bars } = marketAt("2026-02-01T00:00:00Z");
    const series = await bars.history(listed("BTC-USD"), { timeframe: "1d", limit: 58, asOf: moment });
    const [top, bottom] = [Math.max(...series.bars.high), Math.min(...series.bars.low)];
    const answer = await marketAt(moment).contracts.search({ texts: ["BTC"] });
    const touches = answer!.contracts.filter(({ event }) => event === "BTC-USD-2026-01-touch");
    const levels = (side: string) =>
      touches
        .filter(({ question }) => question.includes(side))
        .map(({ question }) => Number(/\$([\d,]+)/.exec(question)![1]!.replaceAll(",", "")));
    expect(levels("(HIGH)").every((level) => level > top)).toBe(true);
    expect(levels("(LOW)").every((level) => level < bottom)).toBe(true);
    expect(touches.length).toBeLessThan(6);
  });

  it("have probabilities that sum to about 1 over the outcomes of one question", async () => {
    const cut = (await found(["Fed"])).filter(
      ({ event, venue }) => venue === "simplay" && event.startsWith("fed-2026-01"),
    );
    expect(cut.map(({ outcome }) => outcome)).toEqual(["Cut", "Hike", "Hold"]);
    // The noise of each is at most .04 x 3.5 x 4p(1-p).
    expect(Math.abs(cut.reduce((sum, { probability }) => sum + probability!, 0) - 1)).toBeLessThan(0.25);
  });

  it("have no contracts before their opening, and none for unknown words", async () => {
    const asOf = Date.parse("2017-02-01T00:00:00Z");
    const first = await marketAt(START).contracts.search({ texts: ["AAPL"], asOf });
    expect(first).toMatchObject({ contracts: [], reason: "The simulated venues had not opened yet" });
    expect(await found(["zebra"])).toEqual([]);
  });

  it("deviate from price and volatility by the planted amount", async () => {
    const moment = Date.parse("2026-01-10T00:00:00Z");
    const { contracts, bars, members } = marketAt(moment);
    const recordings = freshRecordings();
    const month = 12 * (2026 - 1970);
    const pairs: [number, number][] = [];
    for (const instrument of members) {
      const { bars: daily } = await bars.history(instrument, { timeframe: "1d", limit: 64 });
      const answer = await contracts.search({ texts: [instrument.symbol], asOf: moment });
      const ladder = answer!.contracts.filter(({ event }) => event === `${instrument.symbol}-2026-01-above`);
      const { fact } = marketFact(ladder, { bars: { ...daily, zone: "UTC" }, at: moment });
      if (fact === null) continue;
      const q = Number(fact.inputs.q);
      const planted = leanOf(recordings(instrument.symbol)!, month) * 4 * q * (1 - q);
      pairs.push([planted / 0.15, fact.value]);
    }
    expect(pairs.length).toBeGreaterThan(40);
    // A contract is quoted in cents, within .03 of its fair value, a fifth of the driver's width.
    for (const [planted, value] of pairs) expect(Math.abs(planted - value)).toBeLessThan(0.25);
    expect(correlation(pairs)).toBeGreaterThan(0.97);
  });
});
