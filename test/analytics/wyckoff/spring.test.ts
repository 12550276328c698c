import { describe, expect, it } from "vitest";
import { tradingRange } from "../../../src/analytics/wyckoff/range.ts";
import { springs } from "../../../src/analytics/wyckoff/spring.ts";
import { viewsOf } from "../../../src/analytics/wyckoff/view.ts";
import { around, BASE, type TapeBar, tapeOf, wanderingBars } from "../../support/wyckoff-tape.ts";

/** Rows that follow a range of 100 to 122 with an ATR14 of 4: a Spring may reach 0.4 to 6 below 100. */
const springsAfter = (...rows: TapeBar[]) => springs(viewsOf(tapeOf([...BASE, ...rows]))[0]);
const dip = (low: number, close: number, high: number, volume = 1000): TapeBar => ({
  high,
  low,
  close,
  volume,
});
const RANGE = { low: 100, high: 122, first: 51, last: 108 };

describe("Spring", () => {
  it("is confirmed at once by a close inside the range in the upper half of the bar", () => {
    expect(springsAfter(dip(97, 101, 105))).toEqual([
      {
        role: "SPRING",
        bar: 109,
        price: 97,
        confirmedAt: 109,
        voidAt: null,
        springType: 2,
        testedAt: null,
        context: "after_decline",
        range: RANGE,
      },
    ]);
  });

  it("is pending for two bars, confirmed by the second, and dropped afterwards", () => {
    const one = [dip(97, 98, 103)];
    const two = [...one, dip(97, 99, 101)];
    expect(springsAfter(...one)).toMatchObject([
      { bar: 109, confirmedAt: null, voidAt: null, testedAt: null },
    ]);
    expect(springsAfter(...two)).toMatchObject([{ bar: 109, confirmedAt: null }]);
    expect(springsAfter(...two, dip(98, 102, 103))).toMatchObject([{ bar: 109, confirmedAt: 111 }]);
    expect(springsAfter(...two, dip(97, 99, 101))).toEqual([]);
    expect(springsAfter(...two, dip(97, 99, 101), dip(99, 103, 103))).toEqual([]);
  });

  it("is not confirmed by a close at the range's low or in the lower half of the bar", () => {
    expect(springsAfter(dip(97, 100, 103))).toMatchObject([{ confirmedAt: null }]);
    expect(springsAfter(dip(97, 101, 106))).toMatchObject([{ confirmedAt: null }]);
  });

  it("is dropped after a close below its low", () => {
    const back = dip(98, 102, 103);
    expect(springsAfter(dip(97, 98, 103), dip(95, 97, 100), back)).toMatchObject([
      { bar: 109, confirmedAt: 111 },
    ]);
    expect(springsAfter(dip(97, 98, 103), dip(95, 96, 100), back)).toEqual([]);
  });

  it("reaches .1 to 1.5 ATR14 below the range", () => {
    const depths = [0.25, 0.5, 5.75, 6, 6.25];
    expect(depths.map((depth) => springsAfter(dip(100 - depth, 101, 102)).length)).toEqual([0, 1, 1, 1, 0]);
  });

  it("has a type by its volume relative to the mean of the previous 20 bars", () => {
    const types = [1501, 1500, 800, 799].map(
      (volume) => springsAfter(dip(97, 101, 105, volume))[0]?.springType,
    );
    expect(types).toEqual([1, 2, 2, 3]);
  });

  it("is absent without volume, on the bar or before it", () => {
    expect(springsAfter(dip(97, 101, 105, 0))).toEqual([]);
    expect(springsAfter(dip(97, 101, 105, Number.NaN))).toEqual([]);
    const withoutVolume = [...BASE, dip(97, 101, 105)].map((row) => ({ ...row, volume: 0 }));
    expect(springs(viewsOf(tapeOf(withoutVolume))[0])).toEqual([]);
  });

  it("is tested by the first higher low on low volume near the range's low within 10 bars", () => {
    const spring = dip(97, 101, 105);
    const far = { ...around(105), volume: 500 }; // low 103, over 102
    const loud = { ...around(102), volume: 750 };
    const quiet = { ...around(102), volume: 749 };
    expect(springsAfter(spring, far, loud)).toMatchObject([{ testedAt: null }]);
    expect(springsAfter(spring, far, loud, quiet, quiet)).toMatchObject([{ testedAt: 112 }]);
    expect(springsAfter(spring, dip(97, 101, 102, 500))).toMatchObject([{ testedAt: null }]); // no higher low
    const nine = Array<TapeBar>(9).fill(far);
    expect(springsAfter(spring, ...nine, quiet)).toMatchObject([{ testedAt: 119 }]);
    expect(springsAfter(spring, ...nine, far, quiet)).toMatchObject([{ testedAt: null }]);
  });

  it("is void from the first close below its low, and not tested afterwards", () => {
    const spring = dip(97, 101, 105);
    expect(springsAfter(spring, dip(96, 97, 100))).toMatchObject([{ bar: 109, voidAt: null }]);
    const broken = [dip(96, 96.5, 100, 5000), { ...around(101), volume: 500 }];
    expect(springsAfter(spring, ...broken)[0]).toMatchObject({
      bar: 109,
      confirmedAt: 109,
      voidAt: 110,
      testedAt: null,
    });
  });

  it("matches the definition tried on every bar, including pending events", () => {
    let found = 0;
    for (let seed = 1; seed <= 8; seed++)
      for (const view of viewsOf(wanderingBars(seed, 500))) {
        const expected: (number | null)[][] = [];
        for (let t = 20; t < 500; t++) {
          const range = tradingRange(view, t - 1);
          if (range === null) continue;
          const depth = range.low - view.low[t]!;
          const a = view.atr[t - 1]!;
          if (depth < 0.1 * a || depth > 1.5 * a || depth > (range.high - range.low) / 3) continue;
          const window = [t, t + 1, t + 2].filter((bar) => bar < 500);
          const back = window.find(
            (bar) =>
              view.close[bar]! > range.low &&
              view.close[bar]! - view.low[bar]! >= view.high[bar]! - view.close[bar]!,
          );
          const failed = window.find((bar) => view.close[bar]! < view.low[t]!) ?? 500;
          if (back === undefined ? window.length === 3 || failed < 500 : failed <= back) continue;
          expected.push([t, back ?? null]);
        }
        expect(springs(view).map(({ bar, confirmedAt }) => [bar, confirmedAt])).toEqual(expected);
        found += expected.length;
      }
    expect(found).toBeGreaterThan(60);
  });
});
