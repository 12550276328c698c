import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bar } from "../../../src/domain/market/bars.ts";
import type { CachedQuote } from "../../../src/domain/market/market-cache-port.ts";
import type { ProviderQuote } from "../../../src/domain/providers/price-provider.ts";
import {
  confirms,
  type DeviationLimit,
  limitFor,
  measureAgainst,
  previousCloseAfter,
  type ReferenceClose,
} from "../../../src/market/prices/price-check.ts";
import { validateQuote } from "../../../src/market/prices/validate-quote.ts";
import { providerQuote } from "../../support/providers.ts";

const NOW = Date.parse("2026-01-15T15:00:00Z"); // a Thursday, within the session
const PROVIDER = { name: "one", delayMinutes: 0, liveWithinMs: 120_000 } as never;
const trade = (over: Partial<ProviderQuote>): CachedQuote =>
  validateQuote(
    providerQuote({ tradedAt: NOW, high: null, low: null, previousClose: 100, ...over }),
    PROVIDER,
    NOW,
  );
const CLOSE: ReferenceClose = {
  close: 100,
  at: Date.parse("2026-01-14T21:00:00Z"),
  provider: "two",
  previous: 100,
};
const QUIET: DeviationLimit = { percent: 4, ranges: 2.5, isVolatile: false };
const SPLIT = { date: "2026-01-15", ratio: 4 };

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

describe("limitFor", () => {
  it.each([
    [1, 4, false],
    [1.8, 4.5, false],
    [2, 5, false],
    [2.01, 5, true],
    [9, 5, true],
  ])("of a daily range of %d %% is %d %%, volatile: %j", (range, percent, isVolatile) => {
    expect(limitFor({ bars: dailyBars(range) }, NOW, "equity")).toEqual({
      percent,
      ranges: expect.closeTo(2.5 * range, 9),
      isVolatile,
    });
  });

  it("is 4 % with fewer than 15 bars, and never uses a bar that had not closed", () => {
    expect(limitFor({ bars: dailyBars(9).slice(2) }, NOW, "equity").percent).toBe(4);
    const crash = { ...dailyBars(1)[0]!, time: Date.UTC(2026, 0, 15), low: 10, close: 10 };
    expect(
      limitFor({ bars: [...dailyBars(1), crash], splits: [], source: null } as never, NOW, "equity"),
    ).toEqual(QUIET);
  });
});

describe("measureAgainst", () => {
  const measure = (
    over: Partial<ProviderQuote>,
    {
      close = CLOSE,
      limit = QUIET,
      split = null,
      assetClass = "equity",
    }: {
      close?: ReferenceClose | null;
      limit?: DeviationLimit;
      split?: typeof SPLIT | null;
      assetClass?: "equity" | "crypto";
    } = {},
  ) => measureAgainst(trade(over), close, { limit, split, assetClass });

  it.each([
    [103.9, "near_close", true],
    [96.1, "near_close", true],
    [104.1, "far_from_close", false],
    [95.9, "far_from_close", false],
  ])("of %d after a close of 100 is %s", (price, reason, confirmed) => {
    expect(measure({ price })).toEqual({
      reason,
      close: 100,
      close_as_of: "2026-01-14T21:00:00.000Z",
      witness: "two",
      deviation_percent: Number((price - 100).toFixed(4)),
      limit_percent: 4,
      confirmed,
    });
  });

  it("never confirms price and previous close times one factor, whatever the day's move", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.6, max: 1.6, noNaN: true }),
        fc.constantFrom(1.1, 0.9, 0.5, 4),
        fc.constantFrom(4, 4.5, 5),
        (move, factor, percent) => {
          const lie = { price: 100 * move * factor, previousClose: 100 * factor };
          expect(measure(lie, { limit: { ...QUIET, percent } }).confirmed).toBe(false);
        },
      ),
    );
  });

  it.each<[string, Parameters<typeof measure>, string]>([
    ["whose provider has another previous close", [{ price: 101, previousClose: 110 }], "other_close"],
    [
      "of a volatile symbol",
      [{ price: 101 }, { limit: { percent: 5, ranges: 9, isVolatile: true } }],
      "volatile",
    ],
    ["on the day of a split", [{ price: 25.25 }, { split: SPLIT }], "split_day"],
    ["without a close", [{ price: 101 }, { close: null }], "no_close"],
    ["of a token", [{ price: 101 }, { assetClass: "crypto" }], "volatile"],
  ])("needs a second provider for a price %s", (_, args, reason) => {
    expect(measure(...args)).toMatchObject({ reason, confirmed: false });
  });

  it("compares after a split of the day, whether the close is adjusted or not", () => {
    expect(measure({ price: 25.25 }, { split: SPLIT })).toMatchObject({ close: 25, deviation_percent: 1 });
    expect(measure({ price: 101 }, { split: SPLIT })).toMatchObject({ close: 100, deviation_percent: 1 });
  });

  it("compares the provider's previous close with that of the same session, after the close too", () => {
    const close = { ...CLOSE, previous: 80 };
    expect(measure({ price: 101, previousClose: 80 }, { close }).reason).toBe("near_close");
    expect(measure({ price: 101, previousClose: 88 }, { close }).reason).toBe("other_close");
    expect(measure({ price: 101 }, { close: { ...CLOSE, previous: null } }).reason).toBe("other_close");
  });

  it("compares the last price of one venue where the provider has no official close", () => {
    const of = (venuePreviousClose: number | null) =>
      measure({ price: 101, previousClose: null, venuePreviousClose }).reason;
    expect([of(99.9), of(110), of(null)]).toEqual(["near_close", "other_close", "other_close"]);
  });
});

describe("previousCloseAfter", () => {
  it("divides an unadjusted close by the ratio of the day's split, and leaves an adjusted one", () => {
    expect(previousCloseAfter({ price: 25.25, previousClose: 100 }, SPLIT)).toBe(25);
    expect(previousCloseAfter({ price: 25.25, previousClose: 25 }, SPLIT)).toBe(25);
    expect(previousCloseAfter({ price: 25.25, previousClose: 100 }, null)).toBe(100);
    expect(previousCloseAfter({ price: 25.25, previousClose: null }, SPLIT)).toBeNull();
  });
});

describe("confirms", () => {
  it.each<[number, string, "equity" | "crypto", boolean]>([
    [1, "2026-01-15T14:45:00.000Z", "equity", true],
    [-1.01, "2026-01-15T14:59:59.000Z", "equity", false],
    [0, "2026-01-14T21:00:00.000Z", "equity", false],
    [1, "2026-01-15T14:00:00.000Z", "crypto", true],
    [0, "2026-01-15T13:59:59.000Z", "crypto", false],
  ])("of a difference of %d %% at %s (%s) is %j", (difference_percent, as_of, assetClass, expected) => {
    expect(confirms({ difference_percent, as_of }, { tradedAt: NOW }, assetClass)).toBe(expected);
  });
});
