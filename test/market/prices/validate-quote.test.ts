import { describe, expect, it } from "vitest";
import { ProviderFailure, type ProviderQuote } from "../../../src/domain/providers/price-provider.ts";
import { priceFreshness, quoteAt, validateQuote } from "../../../src/market/prices/validate-quote.ts";
import { providerQuote } from "../../support/providers.ts";

const at = (iso: string) => Date.parse(iso);
const SOURCE = { name: "one", delayMinutes: 0, liveWithinMs: 120_000 } as never;
const LAGGING = { name: "lag", delayMinutes: 15, liveWithinMs: 120_000 } as never;
const validated = (over: Partial<ProviderQuote>, now: string, of = SOURCE) =>
  validateQuote(providerQuote(over), of, at(now));
const freshness = (
  tradedAt: string,
  now: string,
  {
    assetClass = "equity",
    of = SOURCE,
    stale = false,
  }: { assetClass?: "equity" | "crypto"; of?: never; stale?: boolean } = {},
) => priceFreshness(validated({ tradedAt: at(tradedAt) }, now, of), { assetClass, now: at(now), stale });

describe("priceFreshness", () => {
  it("uses the delay that a quote states instead of that of its provider", () => {
    const now = "2026-01-15T15:00:00Z";
    const of = (delayMinutes: number | undefined, provider: never) => {
      const quote = validated(
        { tradedAt: at("2026-01-15T14:59:50Z"), ...(delayMinutes !== undefined && { delayMinutes }) },
        now,
        provider,
      );
      return priceFreshness(quote, { assetClass: "equity", now: at(now), stale: false });
    };
    expect([of(undefined, LAGGING), of(0, LAGGING)]).toEqual(["delayed_quote", "live_quote"]);
    expect([of(undefined, SOURCE), of(15, SOURCE)]).toEqual(["live_quote", "delayed_quote"]);
  });

  // 2026-01-15 is a Thursday: regular session 14:30 to 21:00 UTC
  it.each([
    [
      "a trade of seconds ago in the regular session",
      "2026-01-15T14:59:50Z",
      "2026-01-15T15:00:00Z",
      "live_quote",
    ],
    ["one of three minutes ago", "2026-01-15T14:57:00Z", "2026-01-15T15:00:00Z", "delayed_quote"],
    [
      "a trade before the open, read before the open",
      "2026-01-15T13:00:00Z",
      "2026-01-15T13:00:30Z",
      "live_quote",
    ],
    ["yesterday's close before the open", "2026-01-14T21:00:00Z", "2026-01-15T13:00:00Z", "prior_close"],
    ["yesterday's close in the session", "2026-01-14T21:00:00Z", "2026-01-15T15:00:00Z", "prior_close"],
    ["the last trade of an evening, at night", "2026-01-16T00:59:50Z", "2026-01-16T01:00:30Z", "last_trade"],
    ["Friday's trade on Saturday", "2026-01-16T20:59:59Z", "2026-01-17T15:00:00Z", "last_trade"],
    [
      "a trade after the close, read after the close",
      "2026-01-15T22:00:00Z",
      "2026-01-15T22:00:10Z",
      "live_quote",
    ],
    ["the close a minute after it", "2026-01-15T21:00:00Z", "2026-01-15T21:01:00Z", "live_quote"],
    [
      "a trade on a holiday's eve, read on the holiday",
      "2026-01-16T20:59:59Z",
      "2026-01-19T15:00:00Z",
      "last_trade",
    ],
  ] as const)("%s is %4$s", (_, tradedAt, now, expected) => {
    expect(freshness(tradedAt, now)).toBe(expected);
  });

  it("is the prior close only for the official close", () => {
    const sourceAt = (over: Partial<ProviderQuote>) =>
      priceFreshness(validated(over, "2026-01-15T15:00:00Z"), {
        assetClass: "equity",
        now: at("2026-01-15T15:00:00Z"),
        stale: false,
      });
    const close = at("2026-01-14T21:00:00Z");
    expect(sourceAt({ tradedAt: close })).toBe("prior_close");
    expect(sourceAt({ tradedAt: close, volumeScope: "one_venue" })).toBe("last_trade");
    expect(sourceAt({ tradedAt: close, officialClose: false })).toBe("last_trade");
    expect(sourceAt({ tradedAt: close + 1_000 })).toBe("last_trade");
    expect(sourceAt({ tradedAt: close + 1_000, officialClose: true })).toBe("prior_close");
    expect(sourceAt({ tradedAt: close - 1_000 })).toBe("last_trade");
  });

  it("is never live from a delayed provider, nor when stale", () => {
    const seconds = ["2026-01-15T14:59:50Z", "2026-01-15T15:00:00Z"] as const;
    expect(freshness(...seconds, { of: LAGGING })).toBe("delayed_quote");
    expect(freshness(...seconds, { stale: true })).toBe("delayed_quote");
    expect(freshness(...seconds, { assetClass: "crypto" })).toBe("live_quote");
    expect(freshness(...seconds, { assetClass: "crypto", stale: true })).toBe("delayed_quote");
    expect(freshness("2026-01-15T14:50:00Z", "2026-01-15T15:00:00Z", { assetClass: "crypto" })).toBe(
      "delayed_quote",
    );
  });

  it("returns the recorded pre-market price of 155.82, and never the prior close of 160.07 as live", () => {
    const now = at("2022-02-24T10:16:35Z");
    const before = providerQuote({
      price: 155.82,
      tradedAt: at("2022-02-24T10:16:00Z"),
      previousClose: 160.07,
      open: null,
      high: null,
      low: null,
      volume: null,
    });
    const circumstances = {
      assetClass: "equity",
      now,
      stale: false,
      served_from: "provider",
      tried: [],
    } as const;
    expect(quoteAt(validateQuote(before, SOURCE, now), circumstances)).toMatchObject({
      price: 155.82,
      change: -4.25,
      changePercent: -2.66,
      price_source: "live_quote",
      market_state: "pre",
      timestamp: "2022-02-24T10:16:00.000Z",
      origin: { session: "pre" },
    });
    const prior = providerQuote({ price: 160.07, tradedAt: at("2022-02-23T21:00:00Z"), previousClose: null });
    expect(quoteAt(validateQuote(prior, SOURCE, now), circumstances)).toMatchObject({
      price: 160.07,
      change: null,
      price_source: "prior_close",
      market_state: "pre",
      timestamp: "2022-02-23T21:00:00.000Z",
      origin: { session: "regular" },
    });
    const evening = providerQuote({ price: 160.1, tradedAt: at("2022-02-24T01:00:00Z") });
    expect(quoteAt(validateQuote(evening, SOURCE, now), circumstances)).toMatchObject({
      timestamp: "2022-02-24T01:00:00.000Z",
      origin: { session: "post" },
    });
  });
});

describe("validateQuote", () => {
  const now = "2026-01-15T15:00:00Z";

  it.each<[string, Partial<ProviderQuote>]>([
    ["a price of nothing", { price: 0 }],
    ["a price below nothing", { price: -1 }],
    ["a price that is no number", { price: Number.NaN }],
    ["a trade of the future", { tradedAt: at("2026-01-15T15:02:00Z") }],
    ["a trade of no time", { tradedAt: Number.NaN }],
    ["a trade at the beginning of time", { tradedAt: 0 }],
    ["a high under the low", { high: 1, low: 2 }],
    ["a previous close of nothing", { previousClose: 0 }],
    ["a volume below nothing", { volume: -5 }],
    ["a price beyond all prices", { price: 1e308 }],
    ["a previous close under all prices", { previousClose: 5e-324 }],
  ])("rejects %s", (_, over) => {
    expect(() => validated(over, now)).toThrow(ProviderFailure);
  });

  it("accepts a trade by the provider's clock if ours is behind", () => {
    const trade = providerQuote({ tradedAt: at("2026-01-15T15:02:00Z") });
    expect(validateQuote(trade, SOURCE, at(now), 121_000).tradedAt).toBe(at("2026-01-15T14:59:59Z"));
    expect(() => validateQuote(trade, SOURCE, at(now))).toThrow(ProviderFailure);
  });

  it("dates a trade by the provider's clock", () => {
    const nineMinutes = providerQuote({ tradedAt: at("2026-01-15T15:01:00Z") }); // where it is 15:10
    const { tradedAt } = validateQuote(nineMinutes, SOURCE, at(now), 600_000);
    expect(tradedAt).toBe(at("2026-01-15T14:51:00Z"));
  });

  it("dates a trade from a clock ahead of ours as now", () => {
    expect(validated({ tradedAt: at("2026-01-15T15:00:20Z") }, now).tradedAt).toBe(at(now));
  });
});
