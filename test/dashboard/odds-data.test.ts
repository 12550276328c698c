import { describe, expect, it } from "vitest";
import { fanOf, type Odds, type PastBars, rangeAt } from "../../src/dashboard/views/odds/fan-data.ts";

const ODDS = {
  from: 100,
  ranges: [
    { bars: 5, p5: 95, p25: 98, p50: 100.5, p75: 103, p95: 106, base: { p5: 94, p95: 107 } },
    { bars: 20, p5: 90, p25: 96, p50: 101, p75: 106, p95: 113, base: null },
  ],
  levels: [
    { price: 105, change_percent: 5 },
    { price: 97.5, change_percent: -2.5 },
  ],
  plan: { stop: 96, target: 110 },
} as unknown as Odds;
const PAST = [{ close: 100 }, { close: 99 }, { close: 101 }] as unknown as PastBars;

describe("the range at a horizon", () => {
  it.each([
    [1, 5],
    [12, 5],
    [13, 20],
    [60, 20],
  ])("of %d bars is that after %d bars", (horizon, bars) => {
    expect(rangeAt(ODDS, horizon).bars).toBe(bars);
  });
});

describe("the fan of odds", () => {
  it("goes from the past closes over the last one to the ranges, with the base where it is known", () => {
    const { lines, bands } = fanOf(ODDS, PAST);
    expect(
      Object.fromEntries(lines.map(({ name, points }) => [name, points.map(({ x, y }) => [x, y])])),
    ).toEqual({
      Median: [
        [0, 100],
        [5, 100.5],
        [20, 101],
      ],
      Close: [
        [-2, 101],
        [-1, 99],
        [0, 100],
      ],
      "Base 5 %": [
        [0, 100],
        [5, 94],
      ],
      "Base 95 %": [
        [0, 100],
        [5, 107],
      ],
    });
    expect(
      bands.map(({ name, points }) => [name, ...points.map(({ x, low, high }) => [x, low, high])]),
    ).toEqual([
      ["90 of 100", [0, 100, 100], [5, 95, 106], [20, 90, 113]],
      ["50 of 100", [0, 100, 100], [5, 98, 103], [20, 96, 106]],
    ]);
  });

  it("names the levels by their distance, and those of a plan", () => {
    expect(fanOf(ODDS, PAST).levels).toEqual([
      { y: 105, text: "+5 %", tone: "flat" },
      { y: 97.5, text: "−2.5 %", tone: "flat" },
      { y: 96, text: "stop", tone: "down" },
      { y: 110, text: "target", tone: "up" },
    ]);
  });

  it("leaves out what is not known", () => {
    const [range] = ODDS.ranges;
    const bare = fanOf(
      { ...ODDS, ranges: [{ ...range!, base: null }], levels: [], plan: null },
      PAST.slice(0, 1),
    );
    expect(bare.lines.map(({ name }) => name)).toEqual(["Median"]);
    expect(bare.levels).toEqual([]);
  });
});
