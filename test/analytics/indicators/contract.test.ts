import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { readDailyBars } from "../../support/daily-bars.ts";
import { draws } from "../../support/draws.ts";
import { INDICATOR_CASES, type IndicatorCase } from "../../support/indicator-table.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

const HOUR = 3_600_000;
/** Files in the folder that compute no indicator. */
const OTHER_FILES = ["rolling", "series", "table"];

/** Valid bars on a coarse grid, so that ties, flat bars, flat windows and bars without volume are common. */
const anyBars = (most: number): fc.Arbitrary<Bars> =>
  fc
    .record({
      intraday: fc.boolean(),
      rows: fc.array(
        fc.record({
          gap: fc.integer({ min: 1, max: 5 }),
          open: fc.integer({ min: 4, max: 12 }),
          close: fc.integer({ min: 4, max: 12 }),
          above: fc.integer({ min: 0, max: 3 }),
          below: fc.integer({ min: 0, max: 3 }),
          volume: fc.integer({ min: 0, max: 3 }),
        }),
        { maxLength: most, size: "max" },
      ),
    })
    .map(({ intraday, rows }) => ({
      time: rows.reduce((times, { gap }, i) => {
        times[i] = (times[i - 1] ?? 0) + gap * (intraday ? HOUR : 24 * HOUR);
        return times;
      }, new Float64Array(rows.length)),
      open: Float64Array.from(rows, ({ open }) => open / 4),
      high: Float64Array.from(rows, ({ open, close, above }) => (Math.max(open, close) + above) / 4),
      low: Float64Array.from(rows, ({ open, close, below }) => (Math.min(open, close) - below) / 4),
      close: Float64Array.from(rows, ({ close }) => close / 4),
      volume: Float64Array.from(rows, ({ volume }) => volume),
      timeframe: intraday ? "1h" : "1d",
      adjustment: "split",
      zone: intraday ? "America/New_York" : "UTC",
    }));

/** The first `cut` bars of `bars`, followed by a different future. */
function diverge(bars: Bars, cut: number): Bars {
  const changed = (column: Float64Array, by: number) =>
    column.map((value, i) => (i < cut ? value : value * by));
  return {
    ...bars,
    high: changed(bars.high, 3),
    low: changed(bars.low, 0.5),
    close: changed(bars.close, 0.5),
    volume: changed(bars.volume, 7),
  };
}

/** The columns that affect the indicator. */
function columnsRead(of: IndicatorCase["of"]): readonly string[] {
  const bars = syntheticBars(1, 300);
  const before = JSON.stringify(of(bars));
  return (["high", "low", "close", "volume"] as const).filter((name) => {
    const changed = { ...bars, [name]: bars[name].map((value, i) => value * (1 + (i % 7) / 10)) };
    return JSON.stringify(of(changed)) !== before;
  });
}

/** The same random bars for every indicator. */
const SAMPLES = fc.sample(fc.tuple(anyBars(200), fc.nat()), draws(40));

it("lists every indicator in the table or as a component of another", () => {
  const table = readFileSync("src/analytics/indicators/table.ts", "utf8");
  const names = new Set(INDICATOR_CASES.map(({ name }) => name));
  const missing = readdirSync("src/analytics/indicators")
    .map((file) => file.replace(".ts", ""))
    .filter((file) => !table.includes(`"./${file}.ts"`) && !names.has(file));
  expect(missing.sort()).toEqual(OTHER_FILES.filter((file) => !table.includes(`"./${file}.ts"`)));
});

describe.each(INDICATOR_CASES)("$name", ({ of, warmUp, periods }) => {
  const bytes = (column: Float64Array) => Buffer.from(Float64Array.from(column).buffer);
  /** The values of `bars` before `cut` equal those of the first `cut` bars alone, to the last bit. */
  const expectPrefix = (bars: Bars, cut: number) => {
    const alone = of(sliceBars(bars, 0, cut));
    for (const whole of [of(bars), of(diverge(bars, cut))])
      for (const [name, column] of Object.entries(whole))
        expect(bytes(column.subarray(0, cut)).equals(bytes(alone[name]!)), name).toBe(true);
  };

  it("returns one value per bar, also for no bars, and NaN during its warm-up", () => {
    for (const [bars] of SAMPLES)
      for (const [name, column] of Object.entries(of(bars))) {
        expect(column.length).toBe(bars.time.length);
        const first = column.findIndex((value) => !Number.isNaN(value));
        expect(first === -1 || first >= (warmUp?.[name] ?? 0), name).toBe(true);
      }
    expect(Object.values(of(syntheticBars(1, 0))).every((column) => column.length === 0)).toBe(true);
  });

  if (warmUp !== null)
    it("is NaN for exactly its warm-up in a moving market", () => {
      const known = Object.entries(of(syntheticBars(7, 400))).map(([name, column]) => [
        name,
        column.findIndex((value) => !Number.isNaN(value)),
        column.reduce((count, value) => count + Number(Number.isNaN(value)), 0),
      ]);
      expect(known).toEqual(Object.entries(warmUp).map(([name, bars]) => [name, bars, bars]));
    });

  it("is NaN throughout a series as short as its warm-up", () => {
    for (const [name, bars] of Object.entries(warmUp ?? { stage: 33 * 7 })) {
      const column = of(syntheticBars(7, bars, "UTC"))[name]!;
      expect([column.length, column.every(Number.isNaN)]).toEqual([bars, true]);
    }
  });

  it("returns the same value for a bar whatever bars follow", () => {
    for (const [bars, at] of SAMPLES) expectPrefix(bars, at % (bars.time.length + 1));
  });

  if (periods.length > 0)
    it("throws for a period that is not a positive integer", () => {
      for (const run of periods)
        for (const period of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
          expect(() => run(syntheticBars(1, 300), period)).toThrow(RangeError);
    });

  if (columnsRead(of).length > 1)
    it("throws for columns of different lengths", () => {
      const bars = syntheticBars(1, 300);
      const torn = { ...bars, high: bars.high.slice(1), volume: bars.volume.slice(1) };
      expect(() => of(torn)).toThrow(RangeError);
    });

  describeWithData("on real bars", ["ohlcv", "us_daily", "AAPL.csv"], (path) => {
    it("returns the same value for a bar whatever bars follow, and no NaN after its warm-up", () => {
      const bars = readDailyBars(path);
      for (const cut of [1, 30, 279, 280, 777, bars.time.length - 1]) expectPrefix(bars, cut);
      for (const [name, column] of Object.entries(of(bars)))
        expect(column.subarray(warmUp?.[name] ?? 300).some(Number.isNaN), name).toBe(false);
    });
  });
});

/** Exact bounds, and the rounding error allowed beyond them. */
const BOUNDS: Readonly<Record<string, readonly [low: number, high: number, slack: number]>> = {
  rsi: [0, 100, 0],
  mfi: [0, 100, 0],
  williams_r: [-100, 0, 0],
  "percent-rank": [0, 1, 0],
  cmf: [-1, 1, 1e-12],
  stoch_k: [0, 100, 1e-9],
  adx: [0, 100, 1e-9],
  choppiness: [0, 100, 1e-9],
};

const MARKETS = fc.sample(fc.integer({ min: 1, max: 1e9 }), 50).map((seed) => syntheticBars(seed, 300));

describe.each(INDICATOR_CASES.filter(({ name }) => name in BOUNDS))("$name", ({ name: indicator, of }) => {
  it("stays within its bounds", () => {
    const [low, high, slack] = BOUNDS[indicator]!;
    for (const bars of MARKETS)
      for (const [name, column] of Object.entries(of(bars))) {
        const known = column.filter((value) => !Number.isNaN(value));
        expect(Math.min(...known), name).toBeGreaterThanOrEqual(low - slack);
        expect(Math.max(...known), name).toBeLessThanOrEqual(high + slack);
      }
  });
});
