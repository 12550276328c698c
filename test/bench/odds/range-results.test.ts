import { describe, expect, it } from "vitest";
import { CLOSE_SCALE } from "../../../src/analytics/indicators/range-position.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { rangeCoverage, usScales } from "./range-results.ts";
import { rangeScorer, standardizedReturns } from "./range-scores.ts";

const blockOf = () => 0;
const position = (time: number, horizon: number, value: number) => ({ time, horizon, position: value });

describe("the scales of US files", () => {
  it("are the root mean squares of all returns, and of those before the median date of the forecasts", () => {
    const scored = [
      {
        // forecasts at 10, 20, 30 and 40; those over 20 bars do not count again
        positions: [
          position(10, 5, 50),
          position(20, 5, 50),
          position(30, 5, 50),
          position(10, 20, 50),
          position(11, 20, 50),
        ],
        returns: [
          { time: 5, value: 1 },
          { time: 29, value: -2 },
          { time: 30, value: 9 },
        ],
      },
      { positions: [position(40, 5, 50)], returns: [{ time: 29, value: 3 }] },
    ];
    // (1 + 4 + 9) / 3, and with 81
    expect(usScales(scored, blockOf)).toEqual({
      cut: 30,
      early: { value: Math.sqrt(14 / 3), low: null, high: null },
      all: { value: Math.sqrt(95 / 4), low: null, high: null },
    });
  });
});

describe("the coverage of the range", () => {
  const scored = [
    {
      positions: [
        position(1, 5, 120),
        position(2, 5, 0),
        position(2, 5, 100),
        position(3, 5, 112),
        position(4, 5, -21),
        position(2, 20, 95),
      ],
      returns: [],
    },
  ];
  const ratio = (value: number) => ({ value, low: null, high: null });

  it("is that of the forecasts from a date on, with the scale of the product and with another", () => {
    // a scale 1.25 times as large: inside from -12.5 to 112.5
    expect(rangeCoverage(scored, blockOf, { from: 2, scale: 1.25 * CLOSE_SCALE })).toEqual([
      { horizon: 5, forecasts: 4, shipped: ratio(0.5), early: ratio(0.75) },
      { horizon: 20, forecasts: 1, shipped: ratio(1), early: ratio(1) },
    ]);
    // a scale 0.8 times as large: inside from 10 to 90
    expect(
      rangeCoverage(scored, blockOf, { from: 2, scale: 0.8 * CLOSE_SCALE }).map(({ early }) => early?.value),
    ).toEqual([0, 0]);
  });

  it("has no other scale without US files", () => {
    expect(rangeCoverage(scored, blockOf, { from: 1, scale: null })[0]).toEqual({
      horizon: 5,
      forecasts: 5,
      shipped: ratio(0.4),
      early: null,
    });
  });
});

describe("the scores of a file", () => {
  const bars = syntheticBars(4, 420);

  it("have the standardized return of every bar from index 251 on", () => {
    const returns = standardizedReturns(bars);
    expect(returns.map(({ time }) => bars.time.indexOf(time))).toEqual(
      Array.from({ length: 169 }, (_, i) => 251 + i),
    );
    // the position over one bar is 50 + 50 z / (1.645 * scale)
    const scoreAt = rangeScorer(bars, 1);
    for (const { time, value } of returns) {
      const at = bars.time.indexOf(time) - 1;
      expect(scoreAt(at)).toEqual({ time: bars.time[at], horizon: 1, position: expect.any(Number) });
      const distance = scoreAt(at).position - 50;
      expect(value).toBeCloseTo((distance / 50) * 1.6448536269514722 * CLOSE_SCALE, 9);
    }
  });
});
