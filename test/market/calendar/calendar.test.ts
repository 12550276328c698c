import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  barCloseMs,
  marketStateAt,
  sessionOf,
  sessionPartStart,
} from "../../../src/market/calendar/calendar.ts";

const at = (iso: string) => Date.parse(iso);
const iso = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 16);
const closeNY = (start: string, timeframe: "1d" | "4h" | "1h" | "30m" | "5m") =>
  iso(barCloseMs(at(start), timeframe, "America/New_York"));

describe("sessionOf", () => {
  it.each([
    ["2024-07-02", "2024-07-02T13:30", "2024-07-02T20:00"], // summer time
    ["2024-01-02", "2024-01-02T14:30", "2024-01-02T21:00"], // standard time
    ["2024-07-03", "2024-07-03T13:30", "2024-07-03T17:00"], // half day
    ["2024-03-08", "2024-03-08T14:30", "2024-03-08T21:00"], // Friday before clocks change
    ["2024-03-11", "2024-03-11T13:30", "2024-03-11T20:00"], // Monday after
    ["2024-11-04", "2024-11-04T14:30", "2024-11-04T21:00"],
  ])("opens and closes %s in New York's own time", (date, open, close) => {
    const session = sessionOf(date);
    expect(session && { open: iso(session.open), close: iso(session.close) }).toEqual({ open, close });
  });

  it.each(["2024-12-25", "2024-12-28", "not a date"])("is null for %s", (date) => {
    expect(sessionOf(date)).toBeNull();
  });
});

describe("marketStateAt", () => {
  it.each([
    ["2024-07-02T07:59:59Z", "closed"],
    ["2024-07-02T08:00:00Z", "pre"],
    ["2024-07-02T13:30:00Z", "regular"],
    ["2024-07-02T20:00:00Z", "post"],
    ["2024-07-03T00:00:00Z", "closed"], // 20:00 of July 2 in New York
    ["2024-07-03T16:59:59Z", "regular"],
    ["2024-07-03T17:00:00Z", "post"],
    ["2024-07-03T21:00:00Z", "closed"], // 17:00, four hours after an early close
    ["2024-07-04T15:00:00Z", "closed"],
    ["2024-07-06T15:00:00Z", "closed"],
    ["2024-01-02T09:00:00Z", "pre"],
  ])("is, at %s, %s for shares", (instant, state) => {
    expect(marketStateAt(at(instant), "equity")).toBe(state);
    expect(marketStateAt(at(instant), "etf")).toBe(state);
  });

  it("is always open for crypto", () => {
    expect(marketStateAt(at("2024-07-04T15:00:00Z"), "crypto")).toBe("always_open");
  });
});

describe("barCloseMs", () => {
  it("closes a daily bar with its session", () => {
    expect(closeNY("2024-07-02", "1d")).toBe("2024-07-02T20:00");
    expect(closeNY("2024-07-03", "1d")).toBe("2024-07-03T17:00");
    expect(closeNY("2024-01-02", "1d")).toBe("2024-01-02T21:00");
  });

  it.each([
    ["2024-01-02T14:30Z", "1h", "2024-01-02T15:30"],
    ["2024-01-02T20:30Z", "1h", "2024-01-02T21:00"], // 15:30, the last half hour
    ["2024-01-02T18:30Z", "4h", "2024-01-02T21:00"], // 13:30
    ["2024-01-02T14:00Z", "1h", "2024-01-02T15:00"], // 09:00 on the clock hour, half of it before the bell
    ["2024-01-02T20:00Z", "1h", "2024-01-02T21:00"], // 15:00 on the clock hour
    ["2024-01-02T20:55Z", "5m", "2024-01-02T21:00"],
    ["2024-07-03T16:30Z", "1h", "2024-07-03T17:00"], // 12:30 of a half day
    ["2024-01-02T09:00Z", "1h", "2024-01-02T10:00"], // 04:00, before the market
    ["2024-01-02T21:00Z", "1h", "2024-01-02T22:00"], // 16:00, after it
    ["2024-01-02T23:00Z", "4h", "2024-01-03T01:00"], // 18:00, ends with the evening
    ["2024-01-03T02:00Z", "1h", "2024-01-03T03:00"], // 21:00, overnight
    ["2024-07-04T15:00Z", "1h", "2024-07-04T16:00"], // holiday
  ] as const)("closes the bar of %s %s at %s", (start, timeframe, close) => {
    expect(closeNY(start, timeframe)).toBe(close);
  });

  it("lets an extended-hours bar end after the regular close, but not after the extended session", () => {
    const close = (start: string, timeframe: "4h" | "1h") =>
      iso(barCloseMs(at(start), timeframe, "America/New_York", "extended"));
    expect(close("2024-01-02T20:00Z", "4h")).toBe("2024-01-03T00:00"); // 15:00 to 19:00
    expect(close("2024-07-03T16:00Z", "4h")).toBe("2024-07-03T20:00"); // 12:00 to 16:00 of a half day
    expect(close("2024-01-03T00:30Z", "1h")).toBe("2024-01-03T01:00"); // 19:30 to 20:00
    expect(iso(barCloseMs(at("2024-01-02"), "1d", "America/New_York", "extended"))).toBe("2024-01-02T21:00");
  });

  it("closes a bar of one part of the day no later than that part", () => {
    const close = (start: string, timeframe: "4h" | "1h" | "30m") =>
      iso(barCloseMs(at(start), timeframe, "America/New_York", "by_session"));
    expect(close("2024-01-02T13:00Z", "4h")).toBe("2024-01-02T14:30"); // 08:00 to 09:30
    expect(close("2024-01-02T14:00Z", "1h")).toBe("2024-01-02T14:30"); // 09:00 to 09:30
    expect(close("2024-01-02T20:30Z", "1h")).toBe("2024-01-02T21:00"); // 15:30 to 16:00
    expect(close("2024-07-03T17:00Z", "4h")).toBe("2024-07-03T21:00"); // 13:00 to 17:00 of a half day
    expect(close("2024-01-02T12:30Z", "30m")).toBe("2024-01-02T13:00");
  });

  it.each([
    ["2024-07-02T08:00Z", "2024-07-02T08:00"], // 04:00
    ["2024-07-02T13:29Z", "2024-07-02T08:00"],
    ["2024-07-02T13:30Z", "2024-07-02T13:30"],
    ["2024-07-02T23:59Z", "2024-07-02T20:00"],
    ["2024-07-03T17:00Z", "2024-07-03T17:00"], // half day
    ["2024-07-02T07:59Z", null],
    ["2024-07-03T00:00Z", null],
    ["2024-07-04T15:00Z", null],
  ])("starts the part of the day of %s at %s", (time, start) => {
    const found = sessionPartStart(at(time));
    expect(found && iso(found)).toBe(start);
  });

  it.each([
    ["2025-11-24", "2025-11-28T18:00"], // half day after Thanksgiving
    ["2025-12-01", "2025-12-05T21:00"],
    ["2025-04-14", "2025-04-17T20:00"], // Good Friday
    ["2001-09-10", "2001-09-10T20:00"], // closed from Tuesday on
  ])("closes the week of %s with its last session, at %s", (monday, close) => {
    for (let day = 0; day < 7; day++)
      expect(iso(barCloseMs(at(monday) + day * 86_400_000, "1w", "America/New_York"))).toBe(close);
  });

  it("uses 16:00 as the end of a date without a session", () => {
    expect(closeNY("2024-07-04", "1d")).toBe("2024-07-04T20:00");
  });

  it("closes a bar of a 24-hour market after its full duration", () => {
    expect(iso(barCloseMs(at("2024-07-03"), "1d", "UTC"))).toBe("2024-07-04T00:00");
    expect(iso(barCloseMs(at("2024-07-03T20:00Z"), "4h", "UTC"))).toBe("2024-07-04T00:00");
    expect(iso(barCloseMs(at("2024-07-01"), "1w", "UTC"))).toBe("2024-07-08T00:00");
  });

  it("never closes a later bar earlier", () => {
    const start = fc.integer({ min: at("1998-01-01") / 300_000, max: at("2035-01-01") / 300_000 });
    const timeframe = fc.constantFrom("4h", "1h", "30m", "15m", "5m" as const);
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 600 }), timeframe, (slot, later, length) => {
        const [first, second] = [slot, slot + later].map((n) =>
          barCloseMs(n * 300_000, length, "America/New_York"),
        );
        expect(second).toBeGreaterThanOrEqual(first!);
        expect(first).toBeGreaterThan(slot * 300_000);
      }),
    );
  });
});
