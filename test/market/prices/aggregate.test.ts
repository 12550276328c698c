import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { weekStart } from "../../../src/domain/market/bars.ts";
import type { AssetClass } from "../../../src/domain/market/market.ts";
import { barCloseMs, sessionOn } from "../../../src/market/calendar/calendar.ts";
import { aggregate, baseOf, stepsTo } from "../../../src/market/prices/aggregate.ts";

const DAY = 86_400_000;

interface Row {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const weekly = (bars: readonly Row[], assetClass: AssetClass) =>
  aggregate(
    { bars, adjustment: "raw", hours: "regular", volumeScope: "all_venues", venue: "" },
    "1w",
    assetClass,
  ).bars;

/** Daily bars from a date on: every day for a token, sessions only for a stock. */
const days = fc.record({
  assetClass: fc.constantFrom("equity" as const, "crypto" as const),
  from: fc.integer({ min: Date.UTC(2010, 0, 1) / DAY, max: Date.UTC(2026, 0, 1) / DAY }),
  prices: fc.array(fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 5, maxLength: 5 }), {
    minLength: 1,
    maxLength: 60,
  }),
});

function rowsFrom({
  assetClass,
  from,
  prices,
}: typeof days extends fc.Arbitrary<infer T> ? T : never): Row[] {
  return prices.flatMap(([a, b, c, d, volume], i) => {
    const time = (from + i) * DAY;
    if (assetClass !== "crypto" && sessionOn(time) === null) return [];
    const four = [a!, b!, c!, d!];
    return [{ time, open: a!, high: Math.max(...four), low: Math.min(...four), close: d!, volume: volume! }];
  });
}

describe("weekly bars", () => {
  it("have the first open, the extremes, the last close and the sum of volumes of their days", () => {
    fc.assert(
      fc.property(days, (given) => {
        const rows = rowsFrom(given);
        const weeks = weekly(rows, given.assetClass);
        expect(weeks.map(({ time }) => time)).toEqual([...new Set(rows.map(({ time }) => weekStart(time)))]);
        for (const week of weeks) {
          const own = rows.filter(({ time }) => time >= week.time && time < week.time + 7 * DAY);
          expect(new Date(week.time).getUTCDay()).toBe(1);
          expect(week).toEqual({
            time: week.time,
            open: own[0]!.open,
            high: Math.max(...own.map(({ high }) => high)),
            low: Math.min(...own.map(({ low }) => low)),
            close: own.at(-1)!.close,
            volume: own.reduce((sum, { volume }) => sum + volume, 0),
          });
        }
      }),
    );
  });

  it("do not change once they have closed, whatever bars follow", () => {
    fc.assert(
      fc.property(days, fc.nat({ max: 60 }), (given, count) => {
        const rows = rowsFrom(given);
        const zone = given.assetClass === "crypto" ? "UTC" : "America/New_York";
        const known = rows.slice(0, count);
        const until = known.length === 0 ? 0 : barCloseMs(known.at(-1)!.time, "1d", zone);
        const closed = (all: readonly Row[]) =>
          weekly(all, given.assetClass).filter(({ time }) => barCloseMs(time, "1w", zone) <= until);
        expect(closed(known)).toEqual(closed(rows));
      }),
    );
  });

  it("are built from daily bars only", () => {
    expect(baseOf("1w", { "1d": 100, "1h": 100 })).toBe("1d");
    expect(stepsTo("1w", { "1d": 100 })).toBe(1);
    expect(baseOf("1w", { "1h": 100 })).toBeNull();
  });
});
