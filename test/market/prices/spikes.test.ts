import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { describeOmittedRows } from "../../../src/domain/market/omitted-rows.ts";
import { omitSpikes } from "../../../src/market/prices/spikes.ts";
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
  ])("is left out: %s", (_, bars, spikes) => {
    expect(spikesOf(bars)).toEqual(spikes);
    expect([...omitSpikes(bars).bars.time]).toEqual([...bars.time].filter((_, at) => !spikes.includes(at)));
  });

  it.each([
    ["eight times the close before", barsOf([10, 80, 10])],
    ["a new level that lasts", barsOf([10, 110, 100, 120])],
    ["the first bar", barsOf([500, 10, 11])],
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
