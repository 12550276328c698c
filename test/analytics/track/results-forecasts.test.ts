import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordOf } from "../../../src/analytics/track/record.ts";
import type { ScoredSignal } from "../../../src/domain/track-record/track.ts";
import { calibrationOf, type Forecast, forecastsOf } from "../../bench/track/forecasts.ts";

const DAY = 86_400_000;
const signalOf = (over: Partial<ScoredSignal>): ScoredSignal => ({
  at: 0,
  known: 20 * DAY,
  asset_class: "equity",
  direction: "LONG",
  grade: "A",
  horizon: 20,
  change: 0.01,
  r: null,
  ...over,
});

describe("forecasts of a track record", () => {
  it("are one half at first, and include an outcome once it is known", () => {
    const scored = [
      signalOf({}),
      signalOf({ at: 19 * DAY, known: 39 * DAY }),
      signalOf({ at: 20 * DAY, known: 40 * DAY }),
    ];
    // One rise in one outcome with a weight of 1/20: (0.05 + 20 * 0.5) / 20.05, then (0.05 + 20 * that) / 20.05.
    const base = 10.05 / 20.05;
    expect(forecastsOf(scored, 20).map(({ reference }) => reference)).toEqual([0.5, 0.5, base]);
    expect(forecastsOf(scored, 20).map(({ forecast }) => forecast)).toEqual([
      ...[0.5, 0.5],
      (0.05 + 20 * base) / 20.05,
    ]);
  });

  it("cover only LONG and SHORT, while WAIT counts for the base rate", () => {
    const scored = [
      signalOf({ direction: "WAIT", change: -0.01 }),
      signalOf({ at: 20 * DAY, known: 40 * DAY }),
    ];
    const [only, ...more] = forecastsOf(scored, 20);
    expect(more).toEqual([]);
    expect(only).toMatchObject({ reference: 10 / 20.05, forecast: (20 * (10 / 20.05)) / 20 });
  });

  it("reproduce the Brier scores and skills of the published record, which stores only sums", () => {
    const one = fc.record({
      at: fc.integer({ min: 0, max: 400 }).map((day) => day * DAY),
      direction: fc.constantFrom("LONG", "SHORT", "WAIT"),
      grade: fc.constantFrom("A", "F"),
      asset_class: fc.constantFrom("equity", "crypto"),
      change: fc.constantFrom(-0.02, 0, 0.03),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 200 }), (drawn) => {
        const scored = drawn
          .map((each) => signalOf({ ...each, known: each.at + 20 * DAY }) as ScoredSignal)
          .sort((a, b) => a.at - b.at);
        const forecasts = forecastsOf(scored, 20);
        for (const row of recordOf(scored)) {
          if (row.direction === "WAIT") continue;
          const own = forecasts.filter(
            ({ asset_class, group }) =>
              asset_class === row.asset_class && group === `${row.direction}|${row.grade}`,
          );
          expect(own).toHaveLength(row.n);
          const errorOf = (of: (one: Forecast) => number) =>
            own.reduce((sum, each) => sum + (of(each) - (each.rose ? 1 : 0)) ** 2, 0) / own.length;
          const brier = errorOf(({ forecast }) => forecast);
          expect(brier).toBeCloseTo(row.brier!, 12);
          expect(1 - brier / errorOf(({ reference }) => reference)).toBeCloseTo(row.skill!, 10);
        }
      }),
    );
  });
});

describe("the calibration of forecasts", () => {
  const forecastOf = (forecast: number, rose: boolean, at = 0): Forecast => ({
    at,
    horizon: 20,
    group: "LONG|A",
    asset_class: "equity",
    forecast,
    reference: 0.5,
    rose,
  });

  it("groups forecasts into bins of 5 points with their outcomes", () => {
    const { bins } = calibrationOf([
      ...[forecastOf(0.55, true), forecastOf(0.59, false)],
      ...[forecastOf(0.6, true), forecastOf(0.3, false)],
    ]);
    expect(bins.map(({ from, n, happened }) => [from.toFixed(2), n, happened])).toEqual([
      ["0.30", 1, 0],
      ["0.55", 2, 0.5],
      ["0.60", 1, 1],
    ]);
    expect(bins[1]!.forecast).toBeCloseTo(0.57, 12);
    expect(bins[1]!.n_eff).toBe(0.1);
  });

  it("splits the error into reliability, resolution and uncertainty if forecasts within a bin are equal", () => {
    const outcomes = [
      ...[true, true, true, false].map((rose) => forecastOf(0.75, rose)),
      ...[true, false, false, false].map((rose) => forecastOf(0.35, rose)),
    ];
    const { brier, reliability, resolution, uncertainty, base, reference, skill } = calibrationOf(outcomes);
    // 3 of 4 rose after 0.75, 1 of 4 after 0.35, 4 of 8 in all.
    expect([base, uncertainty, reference]).toEqual([0.5, 0.25, 0.25]);
    expect(reliability).toBeCloseTo((0 + 0.1 ** 2) / 2, 12);
    expect(resolution).toBeCloseTo(0.25 ** 2, 12);
    expect(brier).toBeCloseTo(reliability - resolution + uncertainty, 12);
    expect(skill.mean).toBeCloseTo(1 - brier / 0.25, 12);
    expect(skill.error).toBeNull();
  });

  it("throws without forecasts", () => {
    expect(() => calibrationOf([])).toThrow(RangeError);
  });
});
