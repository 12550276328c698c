import { expect, it } from "vitest";
import type { Timeframe } from "../../../src/domain/market/bars.ts";
import type { AssetClass } from "../../../src/domain/market/market.ts";
import { nextClose } from "../../../src/features/alerts/bar-close.ts";

const next = (after: string, timeframe: Timeframe, kind: AssetClass) =>
  new Date(nextClose(Date.parse(after), timeframe, kind)).toISOString().slice(0, 16);

it("is the end of the next full bar for coins", () => {
  expect(next("2026-01-17T10:59:59Z", "1h", "crypto")).toBe("2026-01-17T11:00");
  expect(next("2026-01-17T11:00:00Z", "4h", "crypto")).toBe("2026-01-17T12:00");
  expect(next("2026-01-17T00:00:00Z", "1d", "crypto")).toBe("2026-01-18T00:00");
});

it("is the close of the next session for daily bars, with half days, weekends and holidays", () => {
  expect(next("2026-01-15T20:59:59Z", "1d", "equity")).toBe("2026-01-15T21:00");
  // Friday's close; Monday is Martin Luther King's day
  expect(next("2026-01-16T21:00:00Z", "1d", "etf")).toBe("2026-01-20T21:00");
  // the day after Thanksgiving ends at 13:00 New York
  expect(next("2026-11-27T15:00:00Z", "1d", "equity")).toBe("2026-11-27T18:00");
  // summer time
  expect(next("2026-07-01T12:00:00Z", "1d", "equity")).toBe("2026-07-01T20:00");
});

it("is every half hour from 04:00 to 20:00 New York for intraday bars, and more often for shorter ones", () => {
  expect(next("2026-01-15T15:01:00Z", "4h", "equity")).toBe("2026-01-15T15:30");
  expect(next("2026-01-15T15:01:00Z", "5m", "equity")).toBe("2026-01-15T15:05");
  expect(next("2026-01-16T00:59:00Z", "1h", "equity")).toBe("2026-01-16T01:00");
  expect(next("2026-01-17T01:00:00Z", "1h", "equity")).toBe("2026-01-20T09:30");
  expect(next("2026-01-20T08:00:00Z", "15m", "equity")).toBe("2026-01-20T09:15");
});
