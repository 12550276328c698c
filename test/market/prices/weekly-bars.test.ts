import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Bar, barColumns, barRows, type SessionZone } from "../../../src/domain/market/bars.ts";
import type { BarHistory, HistoryRequest } from "../../../src/domain/ports.ts";
import { barCloseMs } from "../../../src/market/calendar/calendar.ts";
import { withWeeklyBars } from "../../../src/market/prices/weekly-bars.ts";
import { fixed } from "../../support/fixed-world.ts";

const DAY = 86_400_000;
const at = (iso: string) => Date.parse(iso);
const day = (date: string, open: number, high: number, low: number, close: number, volume: number): Bar => ({
  time: at(`${date}T00:00:00Z`),
  open,
  high,
  low,
  close,
  volume,
});

/** A history that has only these daily bars, and its requests. */
function historyOf(
  days: readonly Bar[],
  { zone = "America/New_York", forming = null }: { zone?: SessionZone; forming?: Bar | null } = {},
) {
  const requests: HistoryRequest[] = [];
  const daily: BarHistory = {
    async history(_, request) {
      requests.push(request);
      const { asOf = Number.POSITIVE_INFINITY, limit, timeframe } = request;
      const closed = days.filter(({ time }) => barCloseMs(time, "1d", zone) <= asOf).slice(-limit);
      const last = closed.at(-1);
      return {
        bars: barColumns(closed, { timeframe, adjustment: "split", zone }),
        forming: asOf === Number.POSITIVE_INFINITY ? forming : null,
        source: "fixture",
        venue: "US",
        adjustment: "split",
        as_of: last === undefined ? null : new Date(barCloseMs(last.time, "1d", zone)).toISOString(),
      };
    },
  };
  const { history } = withWeeklyBars(daily);
  const weeks = (request: { limit?: number; asOf?: number } = {}) =>
    history(fixed("AAPL"), { timeframe: "1w", limit: 10, ...request });
  return { history, weeks, requests };
}

/** Two weeks of a stock: Good Friday of 2026 is the 3rd of April. */
const EASTER = [
  day("2026-03-30", 10, 12, 9, 11, 100),
  day("2026-03-31", 11, 15, 11, 14, 200),
  day("2026-04-01", 14, 14, 8, 9, 300),
  day("2026-04-02", 9, 10, 9, 10, 400),
  day("2026-04-06", 20, 21, 19, 20.5, 50),
  day("2026-04-07", 20.5, 22, 20, 21, 60),
];

describe("weekly bars of a stock", () => {
  it("add up the days of a week, carry its Monday, and close with its last session", async () => {
    const { bars, as_of, source, adjustment } = await historyOf(EASTER).weeks();
    expect(barRows(bars)).toEqual([day("2026-03-30", 10, 15, 8, 10, 1_000)]);
    expect(bars).toMatchObject({ timeframe: "1w", zone: "America/New_York", adjustment: "split" });
    // Thursday 16:00 New York, because Friday has no session
    expect([as_of, source, adjustment]).toEqual(["2026-04-02T20:00:00.000Z", "fixture", "split"]);
  });

  it("leave the days of the unfinished week to the forming bar", async () => {
    const forming = day("2026-04-08", 21, 30, 18, 25, 7);
    expect((await historyOf(EASTER).weeks()).forming).toEqual(day("2026-04-06", 20, 22, 19, 21, 110));
    expect((await historyOf(EASTER, { forming }).weeks()).forming).toEqual(
      day("2026-04-06", 20, 30, 18, 25, 117),
    );
    const monday = { ...forming, time: at("2026-04-06T00:00:00Z") };
    expect((await historyOf(EASTER.slice(0, 4), { forming: monday }).weeks()).forming).toEqual(monday);
    expect((await historyOf(EASTER.slice(0, 4)).weeks()).forming).toBeNull();
  });

  it("are not closed before the data reaches their last session, whatever the time", async () => {
    const { weeks } = historyOf(EASTER);
    expect((await weeks({ asOf: at("2026-04-02T19:59:59Z") })).bars.time.length).toBe(0);
    expect((await weeks({ asOf: at("2026-04-02T20:00:00Z") })).bars.time.length).toBe(1);
    const { bars, forming, as_of } = await historyOf(EASTER.slice(0, 3)).weeks();
    expect([bars.time.length, forming?.close, as_of]).toEqual([0, 9, null]);
  });

  it("close at 13:00 on a half day", async () => {
    const days = ["2025-11-24", "2025-11-25", "2025-11-26", "2025-11-28"].map((date) =>
      day(date, 1, 1, 1, 1, 1),
    );
    expect((await historyOf(days).weeks()).as_of).toBe("2025-11-28T18:00:00.000Z");
  });

  it("are the newest ones requested, and the first is whole", async () => {
    const days = Array.from({ length: 100 }, (_, i) => at("2025-01-01T00:00:00Z") + i * DAY)
      .filter((time) => ![0, 6].includes(new Date(time).getUTCDay()))
      .map((time, i) => ({ time, open: i, high: i, low: i, close: i, volume: 1 }));
    const { weeks, requests } = historyOf(days);
    const { bars } = await weeks({ limit: 2 });
    expect(requests).toMatchObject([{ timeframe: "1d", limit: 28 }]);
    expect([...bars.volume]).toEqual([5, 5]);
    // 28 days reach back over five whole weeks and three days of another, which is left out
    expect((await weeks({ limit: 2 })).bars.time[0]).toBe(at("2025-03-31T00:00:00Z") - 7 * DAY);
    // the history itself begins on a Wednesday
    expect((await weeks({ limit: 50 })).bars.volume[0]).toBe(3);
  });

  it("leave other lengths unchanged", async () => {
    const { history, requests } = historyOf(EASTER);
    const request = { timeframe: "1d", limit: 3 } as const;
    expect((await history(fixed("AAPL"), request)).bars.time.length).toBe(3);
    expect(requests).toEqual([request]);
  });
});

describe("weekly bars of a market that never closes", () => {
  const days = fc.array(
    fc.record({ price: fc.integer({ min: 10, max: 99 }), volume: fc.integer({ min: 0, max: 9 }) }),
    { minLength: 1, maxLength: 40 },
  );

  it("begin on Monday and end on Sunday 24:00 UTC", async () => {
    const week = Array.from({ length: 7 }, (_, i) =>
      day(new Date(at("2026-01-05T00:00:00Z") + i * DAY).toISOString().slice(0, 10), i, i, i, i, 1),
    );
    const { bars, as_of } = await historyOf(week, { zone: "UTC" }).weeks();
    expect([barRows(bars), as_of]).toEqual([
      [{ ...week[0], high: 6, low: 0, close: 6, volume: 7 }],
      "2026-01-12T00:00:00.000Z",
    ]);
  });

  it("never change as days are added", async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.nat(39), async (drawn, cut) => {
        const all = drawn.map(({ price, volume }, i) => ({
          time: at("2026-01-01T00:00:00Z") + i * DAY,
          open: price,
          high: price + 1,
          low: price - 1,
          close: price,
          volume,
        }));
        const later = barRows((await historyOf(all, { zone: "UTC" }).weeks()).bars);
        const earlier = barRows((await historyOf(all.slice(0, cut), { zone: "UTC" }).weeks()).bars);
        expect(later.slice(0, earlier.length)).toEqual(earlier);
        for (const { time, open, high, low, close, volume } of later) {
          const own = all.filter((one) => one.time >= time && one.time < time + 7 * DAY);
          expect([open, close]).toEqual([own[0]!.open, own.at(-1)!.close]);
          expect([high, low]).toEqual([
            Math.max(...own.map((one) => one.high)),
            Math.min(...own.map((one) => one.low)),
          ]);
          expect(volume).toBe(own.reduce((sum, one) => sum + one.volume, 0));
        }
      }),
    );
  });
});
