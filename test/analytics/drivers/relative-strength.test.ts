import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import {
  barAt,
  type ComparisonSet,
  relativeStrengthDrivers,
  yearLessMonthReturn,
} from "../../../src/analytics/drivers/relative-strength.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { barsAround, splitAt, syntheticBars } from "../../support/synthetic-bars.ts";

const own = syntheticBars(1, 300);
const benchmark = syntheticBars(2, 300);
const alone: ComparisonSet = { benchmark: null, isBenchmark: false, peers: [], universe: null };
const read = (company: Partial<ComparisonSet>, bars: Bars = own) =>
  Object.fromEntries(
    relativeStrengthDrivers(driverContext(bars, "equity"), { ...alone, ...company }).map((d) => [d.id, d]),
  );
const returns = Array.from({ length: 20 }, (_, i) => i / 10);

/** The bars without those at the given indices. */
const without = (bars: Bars, gone: readonly number[]): Bars => {
  const keep = (column: Float64Array) => column.filter((_, i) => !gone.includes(i));
  const { time, open, high, low, close, volume } = bars;
  const [t, o, h, l, c, v] = [time, open, high, low, close, volume].map(keep);
  return { ...bars, time: t!, open: o!, high: h!, low: l!, close: c!, volume: v! };
};

describe("r_mansfield", () => {
  it("compares the ratio of closes with its one-year mean", () => {
    // The price rises by .5 % on the last bar against a flat benchmark: ratio 1.005, mean (251 + 1.005) / 252, v .5
    // without a range.
    const flat = barsAround(new Array(252).fill(10));
    const doubled = barsAround([...new Array(251).fill(10), 10.05]);
    const { value } = read({ benchmark: flat }, doubled).r_mansfield!;
    const mean = (251 + 1.005) / 252;
    expect(value).toBeCloseTo((1.005 / mean - 1) / (0.2 * 0.5), 12);
  });

  it("uses only bars shared with the benchmark and fills no gaps", () => {
    expect(read({ benchmark: without(benchmark, [100, 101]) }).r_mansfield!.value).toBe(
      read({ benchmark }, without(own, [100, 101])).r_mansfield!.value,
    );
    const gaps = Array.from({ length: 49 }, (_, i) => 2 * i + 50);
    expect(read({ benchmark: without(benchmark, gaps) }).r_mansfield).toMatchObject({
      value: null,
      reason: "Needs 252 bars shared with the benchmark, has 251",
    });
  });

  it("is absent when the benchmark may contain an unadjusted split in that year", () => {
    expect(read({ benchmark: splitAt(benchmark, 100, "raw") }).r_mansfield).toMatchObject({
      value: null,
      reason: "The benchmark's bars may contain an unadjusted split",
    });
    expect(read({ benchmark: splitAt(benchmark, 20, "raw") }).r_mansfield!.value).not.toBeNull();
  });

  it.each<[string, Partial<ComparisonSet>, Bars?]>([
    ["The symbol is the benchmark itself", { benchmark: own, isBenchmark: true }],
    ["The benchmark's bars are missing", { benchmark: null }],
    ["The benchmark has no bar at the time of the decision bar", { benchmark: sliceBars(benchmark, 0, 299) }],
    ["Needs 252 bars, has 251", { benchmark }, sliceBars(own, 0, 251)],
  ])("says why not: %s", (reason, company, bars) => {
    expect(read(company, bars).r_mansfield).toMatchObject({ value: null, reason });
  });
});

describe("r_rank", () => {
  it("ranks within the universe from -1 to 1 and reports its hash", () => {
    const at = (value: number) => read({ universe: { returns, own: value, hash: "u1" } }).r_rank!;
    expect(at(1.9).value).toBeCloseTo(0.95, 12); // 19.5 of 20 below or tied by half
    expect(at(0).value).toBeCloseTo(-0.95, 12);
    expect(at(0).inputs).toEqual({ return_12_1: 0, members: 20, universe: "u1" });
  });

  it.each<[string, ComparisonSet["universe"]]>([
    ["No universe to rank in: with live prices the nightly run ranks one", null],
    ["Needs 20 members, has 19", { returns: returns.slice(1), own: 0.5, hash: "u1" }],
    ["No 12-1 month return: needs 253 bars", { returns, own: null, hash: "u1" }],
  ])("says why not: %s", (reason, universe) => {
    expect(read({ universe }).r_rank).toMatchObject({ value: null, reason });
  });
});

describe("r_sector", () => {
  // 64 bars without a range except the last step: v is .5, so a lead of 1.5% is .2.
  const stepping = (to: number) => barsAround([...new Array(64).fill(100), to]);

  it("compares the 63-bar return with the mean of the peers", () => {
    const { value, inputs } = read({ peers: [stepping(101), stepping(103)] }, stepping(103.5)).r_sector!;
    expect(value).toBeCloseTo(0.015 / 0.075, 12);
    expect(inputs).toMatchObject({ peers: 2 });
  });

  it("excludes a peer without a bar at the same time or without 63 bars before it", () => {
    const late = { ...stepping(200), time: stepping(200).time.map((time) => time + 1) };
    const short = sliceBars(stepping(200), 2);
    const peers = [stepping(101), late, short, stepping(103)];
    expect(read({ peers }, stepping(103.5)).r_sector!.value).toBeCloseTo(0.2, 12);
    const split = splitAt(stepping(101), 63, "raw");
    expect(read({ peers: [...peers, split] }, stepping(103.5)).r_sector!.value).toBeCloseTo(0.2, 12);
    expect(read({ peers: peers.slice(0, 3) }, stepping(103.5)).r_sector).toMatchObject({
      value: null,
      reason: "Needs 2 peers with 64 bars up to the decision bar, adjusted for splits; has 1",
    });
  });

  it("is null outside stocks", () => {
    expect(read({ peers: null }).r_sector).toMatchObject({
      value: null,
      reason: "Sectors apply to stocks only",
    });
  });
});

describe("yearLessMonthReturn", () => {
  it("runs from a year ago to a month ago: bars 252 to 21, or 365 to 30 in 24-hour markets", () => {
    const close = Float64Array.from({ length: 366 }, (_, i) => i + 1);
    expect(yearLessMonthReturn(close, 252)).toBe(345 / 114 - 1);
    expect(yearLessMonthReturn(close, 365)).toBe(336 / 1 - 1);
  });

  it("needs a year of bars plus one", () => {
    expect(yearLessMonthReturn(new Float64Array(252).fill(1), 252)).toBeNull();
    expect(yearLessMonthReturn(new Float64Array(253).fill(1), 252)).toBe(0);
  });
});

describe("barAt", () => {
  it("returns the index of the bar at a time, or none", () => {
    const times = Float64Array.from([10, 20, 30, 40]);
    expect([10, 20, 30, 40].map((time) => barAt(times, time))).toEqual([0, 1, 2, 3]);
    expect([5, 25, 45].map((time) => barAt(times, time))).toEqual([-1, -1, -1]);
    expect(barAt(new Float64Array(0), 10)).toBe(-1);
  });
});
