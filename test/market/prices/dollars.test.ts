import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { guard } from "../../../src/market/failover/guard.ts";
import { createComparer } from "../../../src/market/prices/compare.ts";
import { createDollarConversion } from "../../../src/market/prices/dollars.ts";
import { liveQuotes } from "../../../src/market/prices/quotes.ts";
import { INSTRUMENTS, providerQuote, settableClock, shortMemory } from "../../support/providers.ts";

const { token } = INSTRUMENTS;

/** Quotes of an exchange in USDT, and of a venue that has the dollar price of USDT (null: it does not respond). */
function setup(dollarPrice: number | null, tradedSecondsAgo = 1) {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const asked: string[] = [];
  const provider = (name: string, latest: (instrument: Instrument) => ReturnType<typeof providerQuote>) =>
    guard(
      () => ({
        name,
        serves: new Set(["crypto"] as const),
        budget: { calls: 1_000, perMs: 60_000, atOnce: 9 },
        delayMinutes: 0,
        liveWithinMs: 120_000,
        reaches: {},
        latest: async (instrument: Instrument) => {
          asked.push(`${name} ${instrument.symbol}`);
          return latest(instrument);
        },
      }),
      { fetch, clock },
    );
  const guards = [
    provider("tether", ({ symbol }) => {
      if (symbol !== "BTC-USD") throw new ProviderFailure("unsupported", "no");
      const figures = { price: 100_000, previousClose: 99_000, open: 99_000, high: 101_000, low: null };
      return providerQuote({ ...figures, currency: "USDT", tradedAt: clock.at() - 1_000 });
    }),
    provider("dollar", ({ symbol }) => {
      if (dollarPrice === null) throw new ProviderFailure("down", "no");
      if (symbol !== "USDT-USD") throw new ProviderFailure("unknown_symbol", "no");
      const tradedAt = clock.at() - tradedSecondsAgo * 1_000;
      return providerQuote({ price: dollarPrice, high: null, low: null, tradedAt });
    }),
  ];
  const { memory } = shortMemory();
  const deps = { chain: () => guards, memory, clock };
  const toDollars = createDollarConversion(deps);
  const quotes = liveQuotes({ ...deps, toDollars, compare: createComparer({ ...deps, toDollars }) });
  return { quotes, asked, clock };
}

describe("a price in USDT", () => {
  it("is converted by the dollar price of USDT, with its provider and time", async () => {
    const { quotes } = setup(0.9985);
    expect(await quotes.latest(token)).toMatchObject({
      price: 99_850,
      change: 998.5,
      changePercent: 1.01,
      open: 98_851.5,
      high: 100_848.5,
      low: null,
      currency: "USD",
      price_source: "live_quote",
      origin: {
        converted: { from: "USDT", rate: 0.9985, provider: "dollar", as_of: "2026-01-15T14:59:59.000Z" },
      },
    });
  });

  it("asks for the dollar price once a minute", async () => {
    const { quotes, asked, clock } = setup(0.9985);
    await quotes.latest(token);
    clock.move(6_000);
    await quotes.latest(token);
    expect(asked).toEqual(["tether BTC-USD", "tether USDT-USD", "dollar USDT-USD", "tether BTC-USD"]);
    clock.move(60_000);
    await quotes.latest(token);
    expect(asked.filter((call) => call === "dollar USDT-USD")).toHaveLength(2);
  });

  it.each([
    ["no venue has a dollar price", setup(null)],
    ["the dollar price is hours old", setup(0.9985, 4_000)],
  ])("names USDT as its currency if %s", async (_, { quotes }) => {
    const { price, currency, origin } = await quotes.latest(token);
    expect([price, currency, origin!.converted]).toEqual([100_000, "USDT", undefined]);
  });
});
