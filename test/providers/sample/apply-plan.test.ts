import { describe, expect, it } from "vitest";
import { wyckoffEvents } from "../../../src/analytics/wyckoff/events.ts";
import { groupBy } from "../../../src/lib/group-by.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { freshRecordings, marketAt } from "./fixture.ts";

// 3,287 days from 2017 to 2025
const LAST = 3_286;
const { bars } = marketAt("2026-01-01T00:00:00Z");
const recordings = freshRecordings();
const listed = LISTINGS.filter(({ instrument }) => instrument.asset_class !== "etf");
const held = await Promise.all(
  listed.map(async ({ instrument }) => ({
    symbol: instrument.symbol,
    bars: (await bars.history(instrument, { timeframe: "1d", limit: 5_000 })).bars,
    // structures that have ended by the last bar
    truths: recordings(instrument.symbol)!
      .path.truths(LAST)
      .filter(({ bars }) => Math.max(0, ...Object.values(bars)) + 25 < LAST),
  })),
);
const ranges = held.flatMap(({ symbol, bars, truths }) => {
  const events = wyckoffEvents(bars);
  return truths
    .filter(({ kind }) => kind === "accumulation" || kind === "distribution")
    .map((truth) => ({ symbol, bars, events, truth }));
});

/** Share of the planted events of a kind that the detector confirms at their bars. */
function found(kind: string, type: string, bar: string): number {
  const planted = ranges.filter(({ truth }) => truth.kind === kind && truth.bars[bar] !== undefined);
  const seen = planted.filter(({ events, truth }) =>
    events.some((one) => one.type === type && one.bar === truth.bars[bar] && one.confirmedAt !== null),
  );
  expect(planted.length).toBeGreaterThan(80);
  return seen.length / planted.length;
}

describe("planted structures", () => {
  it("are of every kind, and either hold or fail", () => {
    const truths = held.flatMap(({ truths }) => truths);
    const groups = groupBy(truths, ({ kind, outcome }) => `${kind} ${outcome}`);
    const kinds = ["accumulation", "correction", "distribution", "impulse", "trend"];
    const names = kinds.flatMap((kind) => [`${kind} fail`, `${kind} hold`]);
    expect(new Set(groups.keys())).toEqual(new Set([...names, "none null"]));
    for (const group of groups.values()) expect(group.length).toBeGreaterThan(20);
  });

  it("obey the rules of their events: the independent detector confirms them", () => {
    expect(found("accumulation", "SPRING", "spring")).toBeGreaterThan(0.95);
    expect(found("distribution", "UTAD", "spring")).toBeGreaterThan(0.9);
    expect(found("accumulation", "SC", "climax")).toBeGreaterThan(0.9);
    expect(found("accumulation", "LPS", "support")).toBeGreaterThan(0.8);
    expect(found("distribution", "LPSY", "support")).toBeGreaterThan(0.75);
  });

  it("reach their levels at their bars to the exact price unit", () => {
    for (const { symbol, bars, truth } of ranges) {
      const side = truth.kind === "accumulation" ? bars.low : bars.high;
      expect(side[truth.bars.spring!], `${symbol} ${truth.slot}`).toBe(truth.levels.spring);
      expect(side[truth.bars.climax!]).toBe(truth.levels.support);
    }
    for (const { bars, truths } of held)
      for (const { kind, bars: at, levels } of truths)
        if (kind === "impulse") expect([bars.low[at.turn3!], bars.high[at.turn3!]]).toContain(levels.turn3);
  });

  it("close once beyond the Spring if they fail, and never before the sign of strength if they hold", () => {
    for (const { bars, truth } of ranges) {
      const sign = truth.kind === "accumulation" ? 1 : -1;
      const end = truth.bars.strength ?? truth.bars.broken!;
      const closes = [...bars.close.subarray(truth.bars.spring!, end + 1)];
      const beyond = closes.filter((close) => sign * close < sign * truth.levels.spring!).length;
      expect(beyond).toBe(truth.outcome === "fail" ? 1 : 0);
    }
  });

  it("begin at the close of the previous day", () => {
    for (const { symbol, bars } of held) {
      const { path } = recordings(symbol)!;
      const firsts = Array.from(bars.close, (_, day) => path.planted(day)?.first).filter(
        (day) => day !== undefined,
      );
      const nights = [...new Set(firsts)].map((day) =>
        Math.abs(Math.log(bars.open[day]! / bars.close[day - 1]!)),
      );
      expect(nights.length).toBeGreaterThan(5);
      expect(Math.max(...nights)).toBeLessThan(0.12); // no more than a wild night
    }
  });

  it("do not depend on the order of requests, and exist only for slots that have begun", () => {
    const [forward, backward] = [freshRecordings(), freshRecordings()];
    for (const symbol of ["AAPL", "BTC-USD", "XOM"]) {
      for (const day of [10, 700, 1_500]) forward(symbol)!.path.candle(day);
      const early = backward(symbol)!.path.truths(1_500);
      expect(forward(symbol)!.path.truths(1_500)).toEqual(early);
      backward(symbol)!.path.candle(3_000);
      expect(backward(symbol)!.path.truths(1_500)).toEqual(early);
    }
  });

  it("are never planted in funds", () => {
    const { path } = recordings("SPY")!;
    expect(new Set(path.truths(LAST).map(({ kind }) => kind))).toEqual(new Set(["none"]));
  });
});
