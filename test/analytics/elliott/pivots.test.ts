import { describe, expect, it } from "vitest";
import { legSince, pivotsOf } from "../../../src/analytics/elliott/pivots.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { waveTape } from "./wave-tape.ts";

const swings = (...turns: number[]) => {
  const bars = waveTape(...turns);
  return pivotsOf(bars, atr(bars.high, bars.low, bars.close));
};

describe("wave pivots", () => {
  it("are confirmed 3 ATR14 from the extreme; the leg after the last is provisional", () => {
    expect(swings(120, 100, 130, 115)).toEqual({
      pivots: [
        { kind: "high", index: 0, price: 120.5, confirmedAt: 14 }, // the first bar with an ATR14
        { kind: "low", index: 20, price: 99.5, confirmedAt: 24 }, // 104.5 is the first high 4.5 above 99.5
        { kind: "high", index: 50, price: 130.5, confirmedAt: 54 },
      ],
      leg: { up: false, reached: 114.5, adverse: 129.5 },
    });
    expect(swings(120, 100, 130, 126).pivots).toHaveLength(3);
    expect(swings(120, 100, 130, 127)).toMatchObject({
      pivots: [{}, {}],
      leg: { up: true, reached: 130.5, adverse: 100.5 },
    });
  });

  it("need an ATR14, and a leg needs a pivot", () => {
    expect(swings(100, 110)).toEqual({ pivots: [], leg: null });
  });

  it("are confirmed earlier with a smaller multiple", () => {
    const bars = waveTape(120, 100, 130, 128);
    const ranges = atr(bars.high, bars.low, bars.close);
    expect(pivotsOf(bars, ranges, 2).pivots.at(-1)).toMatchObject({ price: 130.5, confirmedAt: 52 });
    expect(pivotsOf(bars, ranges).pivots.at(-1)).toMatchObject({ price: 99.5 });
  });
});

describe("a leg", () => {
  it("covers the extremes up to a bar, excluding the bar of its pivot", () => {
    const bars = { high: Float64Array.of(9, 5, 7, 12), low: Float64Array.of(1, 2, 3, 4) };
    const pivot = { kind: "low", index: 0, price: 1, confirmedAt: 2 } as const;
    expect(legSince(pivot, bars, 2)).toEqual({ up: true, reached: 7, adverse: 2 });
    expect(legSince({ ...pivot, kind: "high" }, bars, 3)).toEqual({ up: false, reached: 2, adverse: 12 });
  });
});
