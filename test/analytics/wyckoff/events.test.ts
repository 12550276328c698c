import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeWyckoff } from "../../../src/analytics/wyckoff/analysis.ts";
import type { WyckoffEvent } from "../../../src/analytics/wyckoff/event-match.ts";
import { wyckoffEvents } from "../../../src/analytics/wyckoff/events.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import { readDailyBars } from "../../support/daily-bars.ts";
import { atScale, draws } from "../../support/draws.ts";
import { describeWithData } from "../../support/test-data.ts";
import { BASE, tapeOf, wanderingBars } from "../../support/wyckoff-tape.ts";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const seed = fc.integer({ min: 1, max: 2 ** 31 - 1 });

const lasting = ({ type, bar, price, confirmedAt, context, springType, range }: WyckoffEvent) => ({
  type,
  bar,
  price,
  confirmedAt,
  context,
  springType,
  range,
});

/** What was known of an event at the close of the bar before `end`. */
const asOf = (event: WyckoffEvent, end: number) => {
  const known = (bar: number | null) => (bar !== null && bar < end ? bar : null);
  const voidAt = known(event.voidAt);
  return {
    ...event,
    voidAt,
    testedAt: known(event.testedAt),
    status: voidAt === null ? "confirmed" : "void",
  };
};

function expectPrefixes(bars: Bars, from: number, by: number): number {
  const whole = wyckoffEvents(bars);
  for (let end = from; end <= bars.time.length; end += by) {
    const prefix = wyckoffEvents(sliceBars(bars, 0, end));
    const confirmed = whole.filter(({ confirmedAt }) => confirmedAt !== null && confirmedAt < end);
    expect(prefix.filter(({ status }) => status !== "pending")).toEqual(
      confirmed.map((event) => asOf(event, end)),
    );
    for (const event of prefix) if (event.status === "pending") expect(event.confirmedAt).toBeNull();
  }
  return whole.length;
}

describe("Wyckoff events", () => {
  it("do not change once confirmed as bars are added", () => {
    const counts = SEEDS.map((seed) => expectPrefixes(wanderingBars(seed, 600), 30, atScale(11, 3)));
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(60);
    fc.assert(
      fc.property(seed, (seed) => void expectPrefixes(wanderingBars(seed, 400), 30, 13)),
      { numRuns: draws(40) },
    );
  });

  it("are sorted and unique, at least 5 bars from the next of the same type and side", () => {
    for (const seed of SEEDS) {
      const events = wyckoffEvents(wanderingBars(seed, 1500));
      expect(events.map(({ bar }) => bar)).toEqual(events.map(({ bar }) => bar).sort((a, b) => a - b));
      for (const type of ["SPRING", "UTAD", "SOS", "SOW", "LPS", "LPSY", "SC", "BC", "PS", "PSY"]) {
        const at = events.filter((event) => event.type === type).map(({ bar }) => bar);
        for (let i = 1; i < at.length; i++) expect(at[i]! - at[i - 1]!).toBeGreaterThanOrEqual(5);
      }
    }
  });

  it("are the opposite events at the same bars in a mirrored market", () => {
    const opposite: Readonly<Record<string, string>> = {
      SPRING: "UTAD",
      SOS: "SOW",
      LPS: "LPSY",
      SC: "BC",
      PS: "PSY",
      AR: "AR",
      ST: "ST",
      UT: "ST",
    };
    for (const [up, down] of Object.entries(opposite))
      opposite[down] ?? Object.assign(opposite, { [down]: up });
    const short = ({ type, bar, confirmedAt, voidAt, testedAt, context }: WyckoffEvent) =>
      [type === "UT" ? "ST" : type, bar, confirmedAt, voidAt, testedAt, context].join(" ");
    let count = 0;
    for (const seed of SEEDS) {
      const bars = wanderingBars(seed, 800);
      const flip = (x: Float64Array) => x.map((value) => 4096 - value);
      const other = {
        ...bars,
        high: flip(bars.low),
        low: flip(bars.high),
        close: flip(bars.close),
        open: flip(bars.open),
      };
      const swap = { after_decline: "after_advance", after_advance: "after_decline", none: "none" } as const;
      const expected = wyckoffEvents(bars)
        .filter(({ type }) => type !== "BU") // a back-up has no name on the selling side
        .map((event) =>
          short({
            ...event,
            type: opposite[event.type] as WyckoffEvent["type"],
            context: swap[event.context],
          }),
        );
      expect(
        wyckoffEvents(other)
          .filter(({ type }) => type !== "BU")
          .map(short)
          .sort(),
      ).toEqual(expected.sort());
      count += expected.length;
    }
    expect(count).toBeGreaterThan(100);
  });

  it("do not depend on the unit of price or volume, nor on time", () => {
    for (const seed of SEEDS) {
      const bars = wanderingBars(seed, 600);
      const times = (x: Float64Array, by: number) => x.map((value) => value * by);
      const scaled: Bars = {
        ...bars,
        time: bars.time.map((value) => value + 7 * 86_400_000),
        open: times(bars.open, 8),
        high: times(bars.high, 8),
        low: times(bars.low, 8),
        close: times(bars.close, 8),
        volume: times(bars.volume, 4),
      };
      const back = (event: WyckoffEvent) => ({
        ...event,
        price: event.price / 8,
        range: { ...event.range, low: event.range.low / 8, high: event.range.high / 8 },
      });
      expect(wyckoffEvents(scaled).map(back)).toEqual(wyckoffEvents(bars));
      const [before, now] = [analyzeWyckoff(bars), analyzeWyckoff(scaled)];
      expect([now.phase, now.subPhase, now.reason]).toEqual([before.phase, before.subPhase, before.reason]);
    }
  });

  it("have bar indices of the entire series after a gap, and do not span the gap", () => {
    const spring = { high: 105, low: 97, close: 101 };
    const tape = tapeOf([...BASE, ...BASE, spring]);
    const whole = wyckoffEvents(tape).map(lasting);
    const gap = (bars: number): Bars => ({
      ...tape,
      time: tape.time.map((time, bar) => time + (bar < 109 ? 0 : bars * 86_400_000)),
    });
    const twice = { type: "SPRING", bar: 218, range: { low: 100, high: 122, first: 160, last: 217 } };
    expect(whole.at(-1)).toMatchObject(twice);
    expect(wyckoffEvents(gap(19)).map(lasting)).toEqual(whole);
    expect(wyckoffEvents(gap(20)).map(lasting).at(-1)).toMatchObject({ ...twice, confirmedAt: 218 });
    const late = (bars: Bars): Bars => ({
      ...bars,
      time: bars.time.map((time, bar) => time + (bar < 190 ? 0 : 30 * 86_400_000)),
    });
    expect(wyckoffEvents(late(tape)).filter(({ bar }) => bar > 189)).toEqual([]);
  });

  it("are empty without prices or volumes", () => {
    const bars = wanderingBars(1, 400);
    const column = (value: number) => new Float64Array(400).fill(value);
    expect(wyckoffEvents({ ...bars, volume: column(0) })).toEqual([]);
    expect(wyckoffEvents({ ...bars, volume: column(Number.NaN) })).toEqual([]);
    const flat = column(50);
    expect(wyckoffEvents({ ...bars, open: flat, high: flat, low: flat, close: flat })).toEqual([]);
    for (const length of [0, 1, 19, 35]) expect(wyckoffEvents(sliceBars(bars, 0, length))).toEqual([]);
  });

  it("are empty from the first price that is not a number", () => {
    const bars = wanderingBars(1, 600);
    const at = (bar: number): Bars => ({
      ...bars,
      low: bars.low.map((value, i) => (i === bar ? Number.NaN : value)),
    });
    expect(wyckoffEvents(bars).filter(({ bar }) => bar > 340).length).toBeGreaterThan(0);
    expect(wyckoffEvents(at(300)).filter(({ bar }) => bar > 340)).toEqual([]);
  });
});

describeWithData("Wyckoff events of a real share", ["ohlcv", "us_daily", "AAPL.csv"], (path) => {
  it("do not change once confirmed as bars are added", () => {
    expect(expectPrefixes(readDailyBars(path), 40, 53)).toBeGreaterThan(10);
  });
});
