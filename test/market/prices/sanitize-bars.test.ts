import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barRows, TIMEFRAMES, type Timeframe } from "../../../src/domain/market/bars.ts";
import type { ProviderBar } from "../../../src/domain/providers/price-provider.ts";
import { barCloseMs } from "../../../src/market/calendar/calendar.ts";
import {
  type SanitizedBars,
  type SanitizeOptions,
  sanitizeBars,
  zoneFor,
} from "../../../src/market/prices/sanitize-bars.ts";
import { fixed, fixedWorld, MOMENT } from "../../support/fixed-world.ts";
import { providerBars } from "../../support/providers.ts";

const at = (iso: string): number => Date.parse(iso);
const bar = (time: string | number, close = 10, volume: number | null = 100): ProviderBar => ({
  time: typeof time === "string" ? at(time) : time,
  open: 10,
  high: Math.max(11, close),
  low: Math.min(9, close),
  close,
  volume,
});
const STOCK: SanitizeOptions = { assetClass: "equity", timeframe: "1h", at: at("2025-12-05T15:00:00Z") };
const clean = (bars: readonly ProviderBar[], options: Partial<SanitizeOptions> = {}): SanitizedBars =>
  sanitizeBars(providerBars(bars), { ...STOCK, ...options });
const startsOf = ({ bars }: SanitizedBars): string[] =>
  Array.from(bars.time, (time) => new Date(time).toISOString());

describe("sanitized bars", () => {
  it("are ordered columns, with the provider's adjustment", () => {
    const { bars, forming } = clean([
      bar("2025-12-04T15:30:00Z", 10.5, 300),
      bar("2025-12-04T14:30:00Z", 9.5, 200),
    ]);
    expect(bars).toEqual({
      time: Float64Array.of(at("2025-12-04T14:30:00Z"), at("2025-12-04T15:30:00Z")),
      open: Float64Array.of(10, 10),
      high: Float64Array.of(11, 11),
      low: Float64Array.of(9, 9),
      close: Float64Array.of(9.5, 10.5),
      volume: Float64Array.of(200, 300),
      timeframe: "1h",
      adjustment: "split",
      zone: "America/New_York",
    });
    expect(forming).toBeNull();
  });

  it("are empty for no input", () => {
    const { bars, forming } = clean([], { assetClass: "crypto" });
    expect([bars.time.length, bars.zone, forming]).toEqual([0, "UTC", null]);
  });

  it("exclude the forming bar, which is returned separately", () => {
    const rows = [bar("2025-12-05T14:30:00Z", 10.5), bar("2025-12-04T20:30:00Z")];
    const { bars, forming } = clean(rows, { at: at("2025-12-05T15:29:59Z") });
    expect(Array.from(bars.time)).toEqual([at("2025-12-04T20:30:00Z")]);
    expect(forming).toEqual({
      time: at("2025-12-05T14:30:00Z"),
      open: 10,
      high: 11,
      low: 9,
      close: 10.5,
      volume: 100,
    });
    expect(clean(rows, { at: at("2025-12-05T15:30:00Z") })).toMatchObject({ forming: null });
  });

  it.each<[Timeframe, string, string, string]>([
    ["1d", "2025-12-04T00:00:00Z", "2025-12-04T20:59:59Z", "2025-12-04T21:00:00Z"], // 16:00 in winter
    ["1d", "2025-07-02T00:00:00Z", "2025-07-02T19:59:59Z", "2025-07-02T20:00:00Z"], // 16:00 in summer
    ["1d", "2025-11-28T00:00:00Z", "2025-11-28T17:59:59Z", "2025-11-28T18:00:00Z"], // 13:00, a half day
    ["1h", "2025-11-28T17:30:00Z", "2025-11-28T17:59:59Z", "2025-11-28T18:00:00Z"], // half an hour is all there is
    ["4h", "2025-12-04T18:30:00Z", "2025-12-04T20:59:59Z", "2025-12-04T21:00:00Z"],
    ["5m", "2025-12-04T15:30:00Z", "2025-12-04T15:34:59Z", "2025-12-04T15:35:00Z"],
  ])("close with their session: %s of %s", (timeframe, time, before, then) => {
    expect(clean([bar(time)], { timeframe, at: at(before) })).toMatchObject({
      forming: { time: at(time) },
    });
    expect(clean([bar(time)], { timeframe, at: at(then) }).bars.time.length).toBe(1);
  });

  it("of a 24-hour market close on UTC hours, weekends included", () => {
    const rows = [bar("2025-12-06T20:00:00Z"), bar("2025-12-07T00:00:00Z"), bar("2025-12-07T02:00:00Z")];
    const found = clean(rows, { assetClass: "crypto", timeframe: "4h", at: at("2025-12-07T03:00:00Z") });
    expect(startsOf(found)).toEqual(["2025-12-06T20:00:00.000Z"]);
    expect(found.forming).toMatchObject({ time: at("2025-12-07T00:00:00Z") });
  });

  it.each<[string, Timeframe, string]>([
    ["after the close", "1h", "2025-12-04T21:00:00Z"],
    ["before the open", "1h", "2025-12-04T13:30:00Z"],
    ["on the clock's hour", "1h", "2025-12-04T15:00:00Z"],
    ["on the grid of summer time in winter", "4h", "2025-12-04T17:30:00Z"],
    ["at the last trade's own second", "5m", "2025-12-04T15:31:07Z"],
    ["after the close of a half day", "30m", "2025-11-28T18:30:00Z"],
    ["on a holiday", "30m", "2025-11-27T15:00:00Z"],
    ["on a Saturday", "1d", "2025-11-29T00:00:00Z"],
    ["on a holiday", "1d", "2025-11-27T00:00:00Z"],
    ["at New York's midnight", "1d", "2025-12-04T05:00:00Z"],
    ["later than now", "1h", "2025-12-05T15:30:00Z"],
    ["of a day that has not opened", "1d", "2025-12-05T00:00:00Z"],
  ])("hold nothing %s: %s at %s", (_, timeframe, time) => {
    const cleaned = clean([bar(time)], { timeframe, at: at("2025-12-05T14:29:59Z") });
    expect([startsOf(cleaned), cleaned.forming]).toEqual([[], null]);
  });

  it("cover the hours of a session before and after a clock change", () => {
    const friday = ["13:30", "14:30", "15:30", "16:30", "17:30", "18:30", "19:30"];
    const monday = ["14:30", "15:30", "16:30", "17:30", "18:30", "19:30", "20:30"];
    const rows = [
      ...friday.map((hour) => `2025-10-31T${hour}:00.000Z`),
      ...monday.map((hour) => `2025-11-03T${hour}:00.000Z`),
    ];
    const withStrays = [...rows, "2025-10-31T20:30:00Z", "2025-11-03T13:30:00Z"].map((time) => bar(time));
    expect(startsOf(clean(withStrays))).toEqual(rows);
  });

  it.each(["open", "high", "low", "close", "volume"] as const)("contain no bar without its %s", (field) => {
    const cleaned = clean([bar("2025-12-04T14:30:00Z"), { ...bar("2025-12-04T15:30:00Z"), [field]: null }]);
    expect(startsOf(cleaned)).toEqual(["2025-12-04T14:30:00.000Z"]);
  });

  it("include a bar without any trades", () => {
    expect(clean([bar("2025-12-04T15:30:00Z", 10, 0)]).bars.volume).toEqual(Float64Array.of(0));
  });

  it("use the bar with more volume of two with the same time", () => {
    const time = "2025-12-04T15:30:00Z";
    const [few, many] = [bar(time, 10.1, 50), bar(time, 10.2, 60)];
    for (const rows of [
      [few, many],
      [many, few],
    ])
      expect(clean(rows).bars.close).toEqual(Float64Array.of(10.2));
    const wider = { ...few, high: 12 };
    for (const rows of [
      [few, wider],
      [wider, few],
    ])
      expect(clean(rows).bars.high).toEqual(Float64Array.of(12));
  });

  it("widen a range that rounding made too narrow", () => {
    const row = {
      time: at("2025-12-04T15:30:00Z"),
      open: 100,
      high: 99.995,
      low: 99.999,
      close: 100.001,
      volume: 1,
    };
    const { bars } = clean([row]);
    expect([bars.high[0], bars.low[0]]).toEqual([100.001, 99.999]);
  });

  it.each<[string, Partial<Record<keyof ProviderBar, number>>]>([
    ["a price of nothing", { low: 0 }],
    ["a negative price", { open: -1 }],
    ["a price that is no number", { close: Number.NaN }],
    ["an endless price", { high: Number.POSITIVE_INFINITY }],
    ["a negative volume", { volume: -1 }],
    ["a volume that is no number", { volume: Number.NaN }],
    ["an endless volume", { volume: Number.POSITIVE_INFINITY }],
    ["a close above its high", { close: 11.01 }],
    ["an open below its low", { open: 8.99 }],
    ["a high below its low", { high: 8, low: 9 }],
  ])("omit up to two rows with %s, and are rejected for three", (_, wrong) => {
    const wrongAt = (time: string) => ({ ...bar(time), ...wrong });
    const rows = [
      bar("2025-12-04T14:30:00Z"),
      wrongAt("2025-12-04T16:30:00Z"),
      wrongAt("2025-12-04T15:30:00Z"),
    ];
    const found = clean(rows);
    expect(startsOf(found)).toEqual(["2025-12-04T14:30:00.000Z"]);
    expect(found.omitted).toEqual([
      { time: at("2025-12-04T15:30:00Z"), reason: "invalid" },
      { time: at("2025-12-04T16:30:00Z"), reason: "invalid" },
    ]);
    expect(() => clean([...rows, wrongAt("2025-12-04T17:30:00Z")])).toThrow(
      expect.objectContaining({ name: "ProviderFailure", kind: "malformed" }),
    );
  });

  it.each([
    ["an invalid time", Number.NaN],
    ["a time before all dates", -9e99],
    ["a time after all dates", 9e99],
  ])("are rejected for %s", (_, time) => {
    expect(() => clean([bar("2025-12-04T14:30:00Z"), { ...bar(0), time }])).toThrow(
      expect.objectContaining({ name: "ProviderFailure", kind: "malformed" }),
    );
  });

  it("omit second rows of a time and daily rows of a stock on days without trading", () => {
    const daily = { timeframe: "1d", at: at("2025-12-05T23:00:00Z") } as const;
    const days = ["2025-11-27", "2025-11-28", "2025-11-28", "2025-11-29"];
    const rows = days.map((day) => bar(`${day}T00:00:00Z`));
    const found = clean(rows, daily);
    expect(startsOf(found)).toEqual(["2025-11-28T00:00:00.000Z"]);
    expect(found.omitted).toEqual([
      { time: at("2025-11-27T00:00:00Z"), reason: "no_session" },
      { time: at("2025-11-28T00:00:00Z"), reason: "repeated" },
      { time: at("2025-11-29T00:00:00Z"), reason: "no_session" },
    ]);
    expect(clean(rows, { ...daily, assetClass: "crypto" }).omitted).toEqual([
      { time: at("2025-11-28T00:00:00Z"), reason: "repeated" },
    ]);
  });
});

describe("daily bars that are bars of a longer time", () => {
  const DAY = 86_400_000;
  const every = (days: number, count: number) =>
    // Wednesdays, of which none of these is a holiday
    Array.from({ length: count }, (_, i) => bar(at("2025-05-07") + i * days * DAY));
  const daily = { timeframe: "1d", at: at("2026-12-05T15:00:00Z") } as const;

  it.each([
    ["weeks", 7],
    ["quarters", 91],
  ])("are refused: %s", (_, days) => {
    expect(() => clean(every(days, 6), daily)).toThrow("bars of weeks or longer instead of days");
    expect(() => clean(every(days, 6), { ...daily, assetClass: "crypto" })).toThrow(
      "bars of weeks or longer",
    );
  });

  it("are not told from a few days far apart, and days with halts of weeks are days", () => {
    expect(startsOf(clean(every(7, 5), daily))).toHaveLength(5);
    const halted = [...every(1, 5), ...every(28, 4).slice(1)];
    expect(startsOf(clean(halted, daily))).toHaveLength(6);
  });
});

describe("sanitizeBars", () => {
  const world = fixedWorld();
  const WINDOW = { from: MOMENT - 14 * 86_400_000, until: MOMENT };
  /** True bars of a stock or a token, with stray bars of other timeframes and some duplicates with less volume. */
  const messy = fc
    .record({
      symbol: fc.constantFrom("SPY", "BTC-USD"),
      timeframe: fc.constantFrom(...TIMEFRAMES),
      stray: fc.constantFrom(...TIMEFRAMES),
    })
    .chain(({ symbol, timeframe, stray }) => {
      const { asset_class: assetClass } = fixed(symbol);
      const bars = world.bars(symbol, timeframe, WINDOW);
      const strays = world
        .bars(symbol, stray, { ...WINDOW, hours: "extended" })
        .map((row) => ({ ...row, volume: 0 }));
      const early = bars.map((row) => ({ ...row, volume: row.volume / 2, close: row.open }));
      return fc.record({
        options: fc.constant({ assetClass, timeframe, at: MOMENT }),
        rows: fc
          .tuple(fc.subarray(strays.slice(-40)), fc.subarray(early.slice(-40)))
          .chain(([some, others]) => {
            const rows: ProviderBar[] = [...bars.slice(-60), ...some, ...others];
            return fc.shuffledSubarray(rows, { minLength: rows.length });
          }),
        earlier: fc.integer({ min: WINDOW.from, max: MOMENT }),
      });
    });

  it("does not depend on the order of rows", () => {
    fc.assert(
      fc.property(messy, ({ rows, options }) => {
        expect(clean(rows.toReversed(), options)).toEqual(clean(rows, options));
      }),
    );
  });

  it("does not change clean bars", () => {
    fc.assert(
      fc.property(messy, ({ rows, options }) => {
        const once = clean(rows, options);
        const again = [...barRows(once.bars), ...(once.forming === null ? [] : [once.forming])];
        expect(clean(again, options)).toEqual({ ...once, omitted: [] });
      }),
    );
  });

  it("returns ascending, unique, closed bars", () => {
    fc.assert(
      fc.property(messy, ({ rows, options }) => {
        const { bars, forming } = clean(rows, options);
        const zone = zoneFor(options.assetClass);
        bars.time.forEach((time, index) => {
          expect(time).toBeGreaterThan(bars.time[index - 1] ?? 0);
          expect(barCloseMs(time, options.timeframe, zone)).toBeLessThanOrEqual(options.at);
        });
        if (forming !== null) expect(forming.time).toBeGreaterThan(bars.time.at(-1) ?? 0);
      }),
    );
  });

  it("returns at an earlier time a prefix of the bars it returns later", () => {
    fc.assert(
      fc.property(messy, ({ rows, options, earlier }) => {
        const before = barRows(clean(rows, { ...options, at: earlier }).bars);
        expect(barRows(clean(rows, options).bars).slice(0, before.length)).toEqual(before);
      }),
    );
  });
});
