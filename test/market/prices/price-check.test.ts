import { describe, expect, it } from "vitest";
import type { Bar } from "../../../src/domain/market/bars.ts";
import type { CachedQuote } from "../../../src/domain/market/market-cache-port.ts";
import type { Comparison } from "../../../src/domain/market/provenance.ts";
import type { ProviderQuote } from "../../../src/domain/providers/price-provider.ts";
import { confirms, doubtOf, previousCloseAfter } from "../../../src/market/prices/price-check.ts";
import { validateQuote } from "../../../src/market/prices/validate-quote.ts";
import { providerQuote } from "../../support/providers.ts";

const NOW = Date.parse("2026-01-15T15:00:00Z"); // a Thursday, within the session
const PROVIDER = { name: "one", delayMinutes: 0, liveWithinMs: 120_000 } as never;
const trade = (over: Partial<ProviderQuote>): CachedQuote =>
  validateQuote(providerQuote({ tradedAt: NOW, high: null, low: null, ...over }), PROVIDER, NOW);

/** Daily bars with a close of 100 and this range, on the sessions before 15 January 2026. */
const dailyBars = (range: number): readonly Bar[] =>
  [22, 23, 24, 26, 29, 30, 31, 33, 36, 37, 38, 39, 40, 43, 44, 45].map((day) => ({
    time: Date.UTC(2025, 11, day),
    open: 100,
    high: 100 + range / 2,
    low: 100 - range / 2,
    close: 100,
    volume: 1_000,
  }));

describe("doubtOf", () => {
  it.each([
    [107.9, null],
    [108.1, 8.1],
    [92.1, null],
    [91.9, -8.1],
    [1_000, 900],
  ])("of a quiet stock at %d after a close of 100 is %j", (price, deviation_percent) => {
    const doubt = doubtOf(trade({ price }), { bars: dailyBars(1), splits: [] }, "equity");
    expect(doubt).toEqual(
      deviation_percent === null
        ? null
        : {
            reason: "far_from_close",
            close: 100,
            close_as_of: "2026-01-14T21:00:00.000Z",
            deviation_percent,
            limit_percent: 8,
          },
    );
  });

  it("begins at six average daily ranges for a volatile stock", () => {
    const at = (price: number) => doubtOf(trade({ price }), { bars: dailyBars(4), splits: [] }, "equity");
    expect(at(123.9)).toBeNull();
    expect(at(124.1)).toMatchObject({ deviation_percent: 24.1, limit_percent: 24 });
  });

  it("uses the quote's own previous close without daily bars, and is null without both", () => {
    const of = (previousClose: number | null) =>
      doubtOf(trade({ price: 120, previousClose }), { bars: [], splits: [] }, "equity");
    expect(of(100)).toMatchObject({ close: 100, close_as_of: null, deviation_percent: 20, limit_percent: 8 });
    expect(of(119)).toBeNull();
    expect(of(null)).toBeNull();
  });

  it("never uses a bar that had not closed when the price traded", () => {
    const bars = dailyBars(1);
    const crash = { ...bars.at(-1)!, time: Date.UTC(2026, 0, 15), close: 50, low: 50 };
    expect(doubtOf(trade({ price: 101 }), { bars: [...bars, crash], splits: [] }, "equity")).toBeNull();
  });

  it("is raised by a split of the day at any price, compared after the split", () => {
    const splits = [{ date: "2026-01-15", ratio: 4 }];
    expect(doubtOf(trade({ price: 25.25 }), { bars: dailyBars(1), splits }, "equity")).toMatchObject({
      reason: "split_day",
      close: 25,
      deviation_percent: 1,
    });
    // the bars are already adjusted
    expect(doubtOf(trade({ price: 101 }), { bars: dailyBars(1), splits }, "equity")).toMatchObject({
      reason: "split_day",
      close: 100,
      deviation_percent: 1,
    });
    const earlier = [{ date: "2026-01-14", ratio: 4 }];
    expect(doubtOf(trade({ price: 101 }), { bars: dailyBars(1), splits: earlier }, "equity")).toBeNull();
  });
});

describe("previousCloseAfter", () => {
  it("divides an unadjusted close by the ratio of the day's split, and leaves an adjusted one", () => {
    const split = { date: "2026-01-15", ratio: 4 };
    expect(previousCloseAfter({ price: 25.25, previousClose: 100 }, split)).toBe(25);
    expect(previousCloseAfter({ price: 25.25, previousClose: 25 }, split)).toBe(25);
    expect(previousCloseAfter({ price: 25.25, previousClose: 100 }, null)).toBe(100);
    expect(previousCloseAfter({ price: 25.25, previousClose: null }, split)).toBeNull();
  });
});

describe("confirms", () => {
  const comparison = (over: Partial<Comparison>): Comparison => ({
    provider: "two",
    price: 112,
    as_of: "2026-01-15T14:45:00.000Z",
    difference_percent: 3,
    limit_percent: 0.5,
    verdict: "incomparable",
    ...over,
  });
  const quote = { tradedAt: NOW };
  const doubt = { deviation_percent: 12 };
  const confirmed = (over: Partial<Comparison>, assetClass: "equity" | "crypto" = "equity") =>
    confirms(comparison(over), quote, doubt, assetClass);

  it("accepts an agreeing price, never one apart", () => {
    expect(confirmed({ verdict: "agree", as_of: "2026-01-14T21:00:00.000Z" })).toBe(true);
    expect(confirmed({ verdict: "apart", difference_percent: 0.6 })).toBe(false);
  });

  it("accepts an older trade of the day within a quarter of the deviation", () => {
    expect(confirmed({})).toBe(true);
    expect(confirmed({ difference_percent: -3.1 })).toBe(false);
    expect(confirmed({ as_of: "2026-01-14T20:59:00.000Z" })).toBe(false);
    expect(confirmed({ as_of: "2026-01-15T14:00:00.000Z" }, "crypto")).toBe(true);
    expect(confirmed({ as_of: "2026-01-15T13:59:00.000Z" }, "crypto")).toBe(false);
  });
});
