import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oddsRecordFold, type ScoredForecast } from "../../../src/analytics/odds/odds-record.ts";
import type { ForecastScore } from "../../../src/analytics/odds/score-forecast.ts";
import type { OddsRow } from "../../../src/domain/odds/odds-record.ts";

const DAY = 86_400_000;
const score = (over: Partial<ForecastScore> = {}): ForecastScore => ({
  inside: { 50: true, 80: true, 90: true },
  width80: 0.1,
  score: 0.01,
  baseScore: 0.02,
  touches: [],
  plan: null,
  ...over,
});
const scored = (over: Partial<ScoredForecast> = {}): ScoredForecast => ({
  at: Date.UTC(2025, 0, 1),
  asset_class: "equity",
  version: "odds-1.0.0",
  horizon: 20,
  replayed: false,
  score: score(),
  ...over,
});
function rowsOf(forecasts: readonly ScoredForecast[]): readonly OddsRow[] {
  const fold = oddsRecordFold("1d");
  for (const one of forecasts) fold.add(one);
  return fold.result();
}
const allOf = (forecasts: readonly ScoredForecast[]): OddsRow =>
  rowsOf(forecasts).find(({ period, asset_class }) => period === "all" && asset_class === null)!;

describe("a row of the record of odds", () => {
  it("counts forecasts, effective ones, dates and those computed later", () => {
    const at = Date.UTC(2025, 0, 1);
    const row = allOf([scored({ at }), scored({ at: at + 1 }), scored({ at: at + DAY, replayed: true })]);
    expect(row).toMatchObject({ timeframe: "1d", n: 3, n_eff: 3 / 20, entry_dates: 2, replayed: 1 });
    expect(allOf([scored({ horizon: 60 })]).n_eff).toBe(1 / 60);
  });

  it("has the shares of closes within the ranges, with an interval over the effective number", () => {
    const within = (count: number) => ({ 50: count > 2, 80: count > 1, 90: count > 0 });
    const row = allOf([3, 2, 1, 3].map((count) => scored({ score: score({ inside: within(count) }) })));
    expect([row.cover_50, row.cover_80, row.cover_90]).toEqual([0.5, 0.75, 1]);
    // Wilson at 0.75 of 0.2 outcomes: z2 = 3.8415
    const [z2, n] = [3.841_458_820_694_124, 0.2];
    const middle = (0.75 + z2 / (2 * n)) / (1 + z2 / n);
    const half = (Math.sqrt(z2) / (1 + z2 / n)) * Math.sqrt((0.75 * 0.25) / n + z2 / (4 * n * n));
    expect(row.cover_80_interval!.low).toBeCloseTo(Math.max(0, middle - half), 9);
    expect(row.cover_80_interval!.high).toBeCloseTo(middle + half, 9);
  });

  it("has the skill of the range over forecasts with a base only", () => {
    const row = allOf([
      scored({ score: score({ score: 0.01, baseScore: 0.02 }) }),
      scored({ score: score({ score: 0.02, baseScore: 0.03 }) }),
      scored({ score: score({ score: 9, baseScore: null }) }),
    ]);
    expect(row.crps_skill).toBeCloseTo(1 - 0.03 / 0.05, 12);
    expect(allOf([scored({ score: score({ baseScore: null }) })]).crps_skill).toBeNull();
  });

  it("has the Brier skill and the calibration of touch odds in ten bins", () => {
    const touches = [
      { isAbove: true, odds: 0.1, base: 0.3, touched: false },
      { isAbove: true, odds: 0.14, base: 0.3, touched: true },
      { isAbove: true, odds: 0.3, base: 0.3, touched: true },
      { isAbove: true, odds: 1, base: null, touched: true },
    ];
    const { touch } = allOf([scored({ score: score({ touches }) })]);
    expect(touch.n).toBe(4);
    const error = 0.1 ** 2 + 0.86 ** 2 + 0.7 ** 2;
    expect(touch.brier_skill).toBeCloseTo(1 - error / (0.3 ** 2 + 2 * 0.7 ** 2), 12);
    expect(touch.reliability!.map(({ n }) => n)).toEqual([2, 1, 1]);
    expect(touch.reliability![0]).toEqual({ odds: expect.closeTo(0.12, 12), happened: 0.5, n: 2 });
    // (|0.24 - 1| + |0.3 - 1| + |1 - 1|) / 4
    expect(touch.calibration_error).toBeCloseTo(1.46 / 4, 12);
  });

  it("compares the odds of plans with their ends and with their base", () => {
    const odds = { stop: 0.5, target: 0.2, neither: 0.3 };
    const base = { stop: 0.2, target: 0.5, neither: 0.3 };
    const { plan } = allOf([
      scored({ score: score({ plan: { odds, base, end: "stop", side: null } }) }),
      scored({ score: score({ plan: { odds, base: null, end: "neither", side: null } }) }),
      scored(),
    ]);
    expect(plan).toEqual({
      n: 2,
      stop: { odds: 0.5, happened: 0.5 },
      target: { odds: 0.2, happened: 0 },
      // 0.25 + 0.04 + 0.09 against 0.64 + 0.25 + 0.09
      brier_skill: expect.closeTo(1 - 0.38 / 0.98, 12),
    });
    expect(allOf([scored()]).plan).toBeNull();
  });
});

describe("the rows of the record of odds", () => {
  const [first, later, newest] = [Date.UTC(2024, 5, 1), Date.UTC(2025, 0, 15), Date.UTC(2025, 7, 1)];
  const rows = rowsOf([
    scored({ at: first }),
    scored({ at: first, asset_class: "crypto" }),
    scored({ at: later, horizon: 5 }),
    scored({ at: newest, version: "odds-closed-form-1.0.0" }),
    scored({ at: newest }),
  ]);

  it("are one for each method, asset class and all, horizon and period", () => {
    expect(
      rows.map(({ version, asset_class, horizon, period, n }) => [version, asset_class, horizon, period, n]),
    ).toEqual([
      ["odds-1.0.0", null, 5, "all", 1],
      ["odds-1.0.0", null, 5, "last_250_days", 1],
      ["odds-1.0.0", null, 5, "2025", 1],
      ["odds-1.0.0", null, 20, "all", 3],
      ["odds-1.0.0", null, 20, "last_250_days", 1],
      ["odds-1.0.0", null, 20, "2024", 2],
      ["odds-1.0.0", null, 20, "2025", 1],
      ["odds-1.0.0", "crypto", 20, "all", 1],
      ["odds-1.0.0", "crypto", 20, "2024", 1],
      ["odds-1.0.0", "equity", 5, "all", 1],
      ["odds-1.0.0", "equity", 5, "last_250_days", 1],
      ["odds-1.0.0", "equity", 5, "2025", 1],
      ["odds-1.0.0", "equity", 20, "all", 2],
      ["odds-1.0.0", "equity", 20, "last_250_days", 1],
      ["odds-1.0.0", "equity", 20, "2024", 1],
      ["odds-1.0.0", "equity", 20, "2025", 1],
      ["odds-closed-form-1.0.0", null, 20, "all", 1],
      ["odds-closed-form-1.0.0", null, 20, "last_250_days", 1],
      ["odds-closed-form-1.0.0", null, 20, "2025", 1],
      ["odds-closed-form-1.0.0", "equity", 20, "all", 1],
      ["odds-closed-form-1.0.0", "equity", 20, "last_250_days", 1],
      ["odds-closed-form-1.0.0", "equity", 20, "2025", 1],
    ]);
  });

  it("have bins except for single years", () => {
    const withBins = new Set(
      rows.filter(({ touch }) => touch.reliability !== undefined).map(({ period }) => period),
    );
    expect(withBins).toEqual(new Set(["all", "last_250_days"]));
  });

  it("count the last 250 days to the newest decision, that day included", () => {
    const start = Date.UTC(2025, 0, 1);
    const lastOf = (days: readonly number[]) =>
      rowsOf(days.map((day) => scored({ at: start + day * DAY }))).find(
        ({ period }) => period === "last_250_days",
      )!.n;
    expect(lastOf([0, 249])).toBe(2);
    expect(lastOf([0, 250])).toBe(1);
    expect(lastOf([0, 1, 2, 250, 251])).toBe(3);
  });

  it("refuse a forecast decided before the one added last", () => {
    expect(() => rowsOf([scored({ at: 1 }), scored({ at: 0 })])).toThrow(RangeError);
  });

  it("of the last 250 days are those of these days alone", () => {
    const forecast = fc.record({
      day: fc.nat(600),
      inside: fc.boolean(),
      odds: fc.integer({ min: 0, max: 100 }),
      touched: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(forecast, { minLength: 1, maxLength: 40 }), (all) => {
        const forecasts = all
          .toSorted((a, b) => a.day - b.day)
          .map(({ day, inside, odds, touched }) =>
            scored({
              at: day * DAY,
              score: score({
                inside: { 50: inside, 80: inside, 90: true },
                touches: [{ isAbove: true, odds: odds / 100, base: 0.5, touched }],
              }),
            }),
          );
        const newest = forecasts.at(-1)!.at;
        const recent = forecasts.filter(({ at }) => at > newest - 250 * DAY);
        const { period: _, ...last } = rowsOf(forecasts).find(({ period }) => period === "last_250_days")!;
        const { period: __, ...alone } = allOf(recent);
        expect({ ...last, touch: null }).toEqual({ ...alone, touch: null });
        expect(last.touch.reliability!.map(({ n }) => n)).toEqual(alone.touch.reliability!.map(({ n }) => n));
        expect(last.touch.calibration_error).toBeCloseTo(alone.touch.calibration_error!, 9);
        expect(last.touch.brier_skill).toBeCloseTo(alone.touch.brier_skill!, 9);
      }),
    );
  });
});
