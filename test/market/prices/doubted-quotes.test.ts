import { describe, expect, it } from "vitest";
import type { CorporateActions } from "../../../src/domain/market/corporate-actions.ts";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { createComparer } from "../../../src/market/prices/compare.ts";
import { liveQuotes } from "../../../src/market/prices/quotes.ts";
import {
  fakeProvider,
  INSTRUMENTS,
  providerQuote,
  settableClock,
  shortMemory,
} from "../../support/providers.ts";

const { us } = INSTRUMENTS;
const NOW = "2026-01-15T15:00:00Z";

/** Quotes of two providers after a close of 100; a price of null means that the provider does not respond. */
function setup(
  prices: readonly [number, number | null],
  {
    actions = null,
    stored = true,
    previousClose = 100,
    secondTradedAt = NOW,
  }: {
    readonly actions?: CorporateActions | null;
    readonly stored?: boolean;
    readonly previousClose?: number | null;
    readonly secondTradedAt?: string;
  } = {},
) {
  const clock = settableClock(NOW);
  const calls: string[] = [];
  const guards = prices.map((_, i) => {
    const name = ["one", "two"][i]!;
    return fakeProvider(name, {
      clock,
      latest: async () => {
        calls.push(name);
        const price = prices[i] ?? null;
        if (price === null) throw new ProviderFailure("down", "no");
        const tradedAt = i === 0 ? clock.at() : Date.parse(secondTradedAt);
        return providerQuote({ price, tradedAt, previousClose, high: null, low: null });
      },
    });
  });
  const { memory, found } = shortMemory();
  const bar = { open: 100, high: 101, low: 99, close: 100, volume: 1 };
  const saveBars = () =>
    memory.saveBars("AAPL", "1d", {
      source: "one",
      venue: "US",
      volumeScope: "all_venues",
      fetchedAt: clock.at(),
      from: 0,
      at: clock.at(),
      adjustment: "split",
      currency: "USD",
      actions,
      omitted: [],
      bars: [{ ...bar, time: Date.UTC(2026, 0, 14) }],
      forming: null,
    });
  if (stored) saveBars();
  const requested: string[] = [];
  const requestDailyBars = async ({ symbol }: { readonly symbol: string }) => {
    requested.push(symbol);
    saveBars();
  };
  const deps = { chain: () => guards, memory, clock };
  const quotes = liveQuotes({ ...deps, compare: createComparer(deps), requestDailyBars });
  return { quotes, calls, clock, found, requested };
}

describe("a price far from the last official close", () => {
  it("is live if a second provider agrees, which is asked once a minute", async () => {
    const { quotes, calls, clock } = setup([120, 120.1]);
    expect(await quotes.latest(us)).toMatchObject({
      price: 120,
      price_source: "live_quote",
      origin: {
        comparison: { provider: "two", verdict: "agree" },
        check: { reason: "far_from_close", close: 100, deviation_percent: 20, confirmed: true },
      },
    });
    clock.move(6_000);
    await quotes.latest(us);
    expect(calls).toEqual(["one", "two", "one"]);
  });

  it("is not called live if the second provider has another price, and the answer says so", async () => {
    const { quotes, found } = setup([120, 101]);
    expect(await quotes.latest(us)).toMatchObject({
      price: 120,
      price_source: "unconfirmed_quote",
      origin: { comparison: { provider: "two", price: 101, verdict: "apart" }, check: { confirmed: false } },
    });
    expect(found).toHaveLength(1);
  });

  it("is not called live if no second provider answers", async () => {
    const { quotes } = setup([120, null]);
    const { price_source, origin } = await quotes.latest(us);
    expect(price_source).toBe("unconfirmed_quote");
    expect(origin!.comparison).toBeUndefined();
    expect(origin!.check).toMatchObject({ close: 100, limit_percent: 8, confirmed: false });
  });

  it("asks again for a price that has changed since", async () => {
    const prices: [number, number] = [120, 120];
    const { quotes, calls, clock } = setup(prices);
    expect((await quotes.latest(us)).price_source).toBe("live_quote");
    clock.move(6_000);
    prices[0] = 130;
    expect((await quotes.latest(us)).price_source).toBe("unconfirmed_quote");
    expect(calls).toEqual(["one", "two", "one", "two"]);
  });

  it("asks no second provider for a price near the close", async () => {
    const { quotes, calls } = setup([107, 101]);
    expect((await quotes.latest(us)).price_source).toBe("live_quote");
    expect(calls).toEqual(["one"]);
  });

  it("is found by the provider's own previous close, or by bars that are then requested", async () => {
    const own = setup([120, 101], { stored: false });
    expect((await own.quotes.latest(us)).price_source).toBe("unconfirmed_quote");
    expect(own.requested).toEqual([]);
    const none = setup([120, 101], { stored: false, previousClose: null });
    expect((await none.quotes.latest(us)).price_source).toBe("unconfirmed_quote");
    expect(none.requested).toEqual(["AAPL"]);
  });
});

describe("the price on the day of a split", () => {
  const actions = { splits: [{ date: "2026-01-15", ratio: 4 }], dividends: [] };

  it("is checked at once, and its change is measured from the adjusted previous close", async () => {
    const { quotes, calls } = setup([25.25, 25.25], { actions });
    expect(await quotes.latest(us)).toMatchObject({
      price_source: "live_quote",
      change: 0.25,
      changePercent: 1,
      origin: { check: { reason: "split_day", close: 25, deviation_percent: 1, confirmed: true } },
    });
    expect(calls).toEqual(["one", "two"]);
  });

  it("is compared with a trade before the split after adjusting that trade", async () => {
    const { quotes, found } = setup([25.25, 100], { actions, secondTradedAt: "2026-01-14T21:00:00Z" });
    expect(await quotes.latest(us)).toMatchObject({
      price_source: "unconfirmed_quote",
      origin: { comparison: { price: 25, difference_percent: -0.99, verdict: "incomparable" } },
    });
    expect(found).toEqual([]);
  });

  it("is not called live if the second provider still has the price before it", async () => {
    const { quotes } = setup([25.25, 101], { actions });
    expect((await quotes.latest(us)).price_source).toBe("unconfirmed_quote");
  });
});
