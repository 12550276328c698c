import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { describeOmittedRows } from "../../../src/domain/market/omitted-rows.ts";
import { newestPlausible, omitSpikes } from "../../../src/market/prices/spikes.ts";
import { climbingBars } from "../../support/market.ts";

/** Bars with these closes; highs and lows are the closes unless given. */
function barsOf(
  closes: readonly number[],
  over: { high?: [number, number]; low?: [number, number] } = {},
): Bars {
  const column = Float64Array.from(closes);
  const changed = ([at, price]: [number, number]) => column.with(at, price);
  return {
    ...climbingBars({ count: closes.length }),
    open: column,
    high: over.high ? changed(over.high) : column,
    low: over.low ? changed(over.low) : column,
    close: column,
  };
}
const spikesOf = (bars: Bars) => omitSpikes(bars).omitted.map(({ time }) => bars.time.indexOf(time));

describe("a price far from its neighbours", () => {
  it.each([
    ["a close eleven times the one before", barsOf([10, 11, 110, 10, 10]), [2]],
    ["a close of a tenth", barsOf([10, 11, 1, 10, 10]), [2]],
    ["a high of eleven times", barsOf([10, 11, 10, 10], { high: [2, 121] }), [2]],
    ["a low of a hundredth", barsOf([10, 11, 10, 10], { low: [1, 0.1] }), [1]],
    ["the newest close, until the next one confirms it", barsOf([10, 11, 110]), [2]],
    ["two closes in a row", barsOf([10, 11, 110, 121, 10]), [2, 3]],
    ["two closes in opposite directions", barsOf([10, 11, 110, 1, 10]), [2, 3]],
    ["the first close", barsOf([500, 10, 11]), [0]],
    ["the first two closes", barsOf([500, 600, 10, 11]), [0, 1]],
    ["the second and third close", barsOf([10, 110, 121, 11, 10]), [1, 2]],
  ])("is left out: %s", (_, bars, spikes) => {
    expect(spikesOf(bars)).toEqual(spikes);
    expect([...omitSpikes(bars).bars.time]).toEqual([...bars.time].filter((_, at) => !spikes.includes(at)));
  });

  it.each([
    ["eight times the close before", barsOf([10, 80, 10])],
    ["a new level that lasts", barsOf([10, 11, 10, 110, 100, 120])],
    ["a level of three closes", barsOf([10, 11, 10, 110, 110, 110, 10, 10, 10])],
    ["the first three closes", barsOf([500, 500, 500, 10, 11, 10])],
    ["a new level confirmed by the newest close", barsOf([10, 11, 10, 110, 110])],
    ["a series of one bar", barsOf([10])],
    ["an empty series", barsOf([])],
  ])("stays: %s", (_, bars) => {
    expect(omitSpikes(bars)).toEqual({ bars, omitted: [] });
  });

  it("never leaves out bars that move by less than a factor of eight", () => {
    const moves = fc.array(fc.double({ min: 0.13, max: 7.9, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(moves, (factors) => {
        const closes = [100];
        for (const factor of factors) closes.push(closes.at(-1)! * factor);
        expect(omitSpikes(barsOf(closes)).omitted).toEqual([]);
      }),
    );
  });
});

describe("a newest bar at a tenth of the price", () => {
  const splitBars = (volume: number, adjustment: Bars["adjustment"] = "raw"): Bars => {
    const bars = barsOf([100, 101, 102, 10]);
    return { ...bars, adjustment, volume: bars.volume.with(3, volume) };
  };

  it.each([
    ["ten times the volume", splitBars(10_000)],
    ["unknown volume", splitBars(0)],
  ])("stays, because it may be a split: %s", (_, bars) => {
    expect(spikesOf(bars)).toEqual([]);
  });

  it.each([
    ["the usual volume", splitBars(1000)],
    ["ten times the volume of adjusted bars", splitBars(10_000, "split")],
    ["one price at the old level", { ...splitBars(10_000), high: Float64Array.of(100, 101, 102, 102) }],
  ])("is left out: %s", (_, bars) => {
    expect(spikesOf(bars)).toEqual([3]);
  });
});

describe("the newest plausible bars", () => {
  const closes = [110, 10, 11, 10, 110, 10, 11];
  const bars = barsOf(closes);
  const dropped = [{ time: bars.time[0]! - 1, reason: "invalid" }] as const;
  const found = (limit: number) => {
    const { bars: newest, omitted } = newestPlausible(bars, limit, dropped);
    return [[...newest.close], omitted.map(({ time, reason }) => [bars.time.indexOf(time), reason])];
  };

  it("are as many as requested, with the rows left out between them", () => {
    expect(found(2)).toEqual([[10, 11], []]);
    expect(found(3)).toEqual([[10, 10, 11], [[4, "spike"]]]);
  });

  it("have the rows before them if they are all bars", () => {
    const all = [
      [-1, "invalid"],
      [0, "spike"],
      [4, "spike"],
    ];
    expect(found(5)).toEqual([[10, 11, 10, 10, 11], all]);
    expect(found(99)).toEqual([[10, 11, 10, 10, 11], all]);
  });
});

describe("rows left out", () => {
  const day = (text: string) => Date.parse(text);

  it("are described with their number, reason and first day", () => {
    expect(describeOmittedRows([], "1d")).toBeNull();
    expect(describeOmittedRows([{ time: day("2024-01-06"), reason: "no_session" }], "1d")).toBe(
      "1 row of bars was left out: 1 on a day without trading (2024-01-06).",
    );
    const rows = [
      { time: day("2024-02-02"), reason: "spike" },
      { time: day("2024-03-02"), reason: "repeated" },
      { time: day("2024-03-01"), reason: "repeated" },
      { time: day("2024-01-02"), reason: "invalid" },
    ] as const;
    expect(describeOmittedRows(rows, "1d")).toBe(
      "4 rows of bars were left out: 1 without a valid price (2024-01-02), 2 with a repeated or out-of-order time (first 2024-03-01), 1 with a price far from those before and after it (2024-02-02).",
    );
  });
});
