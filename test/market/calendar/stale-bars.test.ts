import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BAR_TIMEFRAMES } from "../../../src/domain/market/bars.ts";
import { countClosesBetween } from "../../../src/market/calendar/stale-bars.ts";

const count = (
  after: string,
  until: string,
  timeframe: (typeof BAR_TIMEFRAMES)[number],
  asset_class: "equity" | "crypto" = "equity",
) => countClosesBetween(Date.parse(after), Date.parse(until), { timeframe, asset_class }, 99);

describe("closes between two times", () => {
  it("counts sessions, without weekends and holidays", () => {
    // Wednesday before Thanksgiving to the next Monday: Friday is a half day that closes at 18:00 UTC
    expect(count("2026-11-25T21:00:00Z", "2026-11-27T17:59:59Z", "1d")).toBe(0);
    expect(count("2026-11-25T21:00:00Z", "2026-11-27T18:00:00Z", "1d")).toBe(1);
    expect(count("2026-11-25T21:00:00Z", "2026-11-30T21:00:00Z", "1d")).toBe(2);
    expect(count("2026-11-20T21:00:00Z", "2026-11-22T21:00:00Z", "1d")).toBe(0);
  });

  it("counts the bars of sessions in shorter lengths, the last one to the close", () => {
    // Friday's close to Monday in New York: 10:30, 11:30, 12:30
    expect(count("2026-11-20T21:00:00Z", "2026-11-23T17:30:00Z", "1h")).toBe(3);
    expect(count("2026-11-20T21:00:00Z", "2026-11-23T21:00:00Z", "1h")).toBe(7);
    expect(count("2026-11-20T21:00:00Z", "2026-11-24T21:00:00Z", "4h")).toBe(4);
    expect(count("2026-11-20T21:00:00Z", "2026-11-23T14:45:00Z", "5m")).toBe(3);
  });

  it("counts weeks by their last session", () => {
    expect(count("2026-11-20T21:00:00Z", "2026-11-27T17:59:59Z", "1w")).toBe(0);
    expect(count("2026-11-20T21:00:00Z", "2026-11-27T18:00:00Z", "1w")).toBe(1);
  });

  it("counts days and hours of crypto, on weekends too", () => {
    expect(count("2026-11-20T00:00:00Z", "2026-11-23T23:59:59Z", "1d", "crypto")).toBe(3);
    expect(count("2026-11-20T00:00:00Z", "2026-11-24T00:00:00Z", "1d", "crypto")).toBe(4);
    expect(count("2026-11-20T00:00:00Z", "2026-11-20T09:00:00Z", "1h", "crypto")).toBe(9);
    expect(count("2026-11-20T00:00:00Z", "2026-11-19T00:00:00Z", "1h", "crypto")).toBe(0);
  });

  it("never falls as time passes, and stops at its maximum", () => {
    const time = fc.integer({ min: Date.UTC(2010, 0, 1), max: Date.UTC(2030, 0, 1) });
    const kind = fc.record({
      timeframe: fc.constantFrom(...BAR_TIMEFRAMES),
      asset_class: fc.constantFrom("equity", "crypto"),
    });
    const span = fc.integer({ min: -1e9, max: 2e9 });
    fc.assert(
      fc.property(time, span, fc.nat({ max: 1e9 }), kind, (after, first, more, of) => {
        const [now, later] = [first, first + more].map((at) => countClosesBetween(after, after + at, of, 4));
        expect(now).toBeLessThanOrEqual(later!);
        expect(later).toBeLessThanOrEqual(4);
      }),
    );
  });
});
