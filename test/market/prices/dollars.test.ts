import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { type Guarded, guard } from "../../../src/market/failover/guard.ts";
import { checkedQuotes } from "../../../src/market/prices/checked-quotes.ts";
import { liveQuotes } from "../../../src/market/prices/quotes.ts";
import { INSTRUMENTS, providerQuote, settableClock, shortMemory } from "../../support/providers.ts";

const { token } = INSTRUMENTS;

/** Quotes of an exchange in USDT, and of venues that have the dollar price of USDT (null: it does not respond). */
function setup(rates: readonly (number | null)[], tradedSecondsAgo = 1) {
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
        currency: name.startsWith("tether") ? ("USDT" as const) : ("USD" as const),
        reaches: {},
        latest: async (instrument: Instrument) => {
          asked.push(`${name} ${instrument.symbol}`);
          return latest(instrument);
        },
      }),
      { fetch, clock },
    );
  const tether = (name: string) =>
    provider(name, ({ symbol }) => {
      if (symbol !== "BTC-USD") throw new ProviderFailure("unsupported", "no");
      const figures = { price: 100_000, previousClose: 99_000, open: 99_000, high: 101_000, low: null };
      return providerQuote({ ...figures, currency: "USDT", tradedAt: clock.at() - 1_000 });
    });
  const dollars = rates.map((rate, i) =>
    provider(`dollar${i + 1}`, ({ symbol }) => {
      if (rate === null) throw new ProviderFailure("down", "no");
      const tradedAt = clock.at() - tradedSecondsAgo * 1_000;
      const price = symbol === "USDT-USD" ? rate : rate * 100_000;
      return providerQuote({ price, high: null, low: null, tradedAt });
    }),
  );
  const { memory } = shortMemory();
  const open = (guards: readonly Guarded[]) => {
    const deps = { chain: () => guards, memory, clock };
    return checkedQuotes(deps, []);
  };
  const checked = open([tether("tether1"), tether("tether2"), ...dollars]);
  return { checked, quotes: liveQuotes({ ...checked }), open, tether, dollars, asked, clock };
}

/** A venue under another name that lists only one symbol. */
const listingOnly = (listed: string, i: number, { provider, ...guarded }: Guarded): Guarded => ({
  ...guarded,
  provider: {
    ...provider,
    name: `listing${i}`,
    async latest(instrument, options) {
      if (instrument.symbol !== listed) throw new ProviderFailure("unknown_symbol", "no");
      return provider.latest!(instrument, options);
    },
  },
});

describe("a price in USDT", () => {
  it("is converted by the dollar price of USDT that a second provider confirms, with both and its time", async () => {
    const { checked } = setup([0.9985, 0.999]);
    const { checks: _, ...unchecked } = checked;
    expect(await liveQuotes(unchecked).latest(token)).toMatchObject({
      price: 99_850,
      change: 998.5,
      changePercent: 1.01,
      open: 98_851.5,
      high: 100_848.5,
      low: null,
      currency: "USD",
      price_source: "live_quote",
      origin: {
        converted: {
          from: "USDT",
          rate: 0.9985,
          provider: "dollar1, dollar2",
          as_of: "2026-01-15T14:59:59.000Z",
        },
      },
    });
  });

  it("asks for the dollar price once a minute", async () => {
    const { checked, asked, clock } = setup([0.9985, 0.999]);
    const { checks: _, ...unchecked } = checked;
    const quotes = liveQuotes(unchecked);
    const rates = () => asked.filter((call) => call.endsWith("USDT-USD"));
    await quotes.latest(token);
    clock.move(6_000);
    await quotes.latest(token);
    expect(rates()).toEqual(["tether2 USDT-USD", "dollar1 USDT-USD", "tether2 USDT-USD", "dollar2 USDT-USD"]);
    clock.move(60_000);
    await quotes.latest(token);
    expect(rates()).toHaveLength(8);
  });

  it.each([
    ["no venue has a dollar price", setup([null, null])],
    ["only one venue has a dollar price", setup([0.9985])],
    ["the dollar prices are hours old", setup([0.9985, 0.9985], 4_000)],
    ["the dollar prices are out of bounds", setup([1.04, 1.04])],
    ["the dollar prices are apart", setup([0.98, 1])],
  ])("names USDT as its currency if %s", async (_, { quotes }) => {
    const { price, currency, origin } = await quotes.latest(token);
    expect([price, currency, origin!.converted]).toEqual([100_000, "USDT", undefined]);
  });

  it("is converted without the venue whose dollar price is out of bounds", async () => {
    const { quotes } = setup([1.1, 0.9985, 0.999]);
    expect((await quotes.latest(token)).origin!.converted).toMatchObject({
      rate: 0.9985,
      provider: "dollar2, dollar3",
    });
  });
});

describe("the confirmation of a token", () => {
  it("shares no rate with the price: no venue of its rate confirms it", async () => {
    const { open, tether, dollars } = setup([0.9985, 0.999]);
    const alone = liveQuotes(open([tether("tether1"), ...dollars]));
    expect((await alone.latest(token)).price_source).toBe("unconfirmed_quote");
    const third = setup([0.9985, 0.999, 0.9987]);
    expect(await third.quotes.latest(token)).toMatchObject({
      price_source: "live_quote",
      origin: { check: { witness: "dollar3" }, converted: { provider: "dollar1, dollar2" } },
    });
  });

  it("compares two prices in USDT in USDT, whatever the rate", async () => {
    const converted = setup([0.9985, 0.999]);
    expect(await converted.quotes.latest(token)).toMatchObject({
      price: 99_850,
      price_source: "live_quote",
      origin: {
        comparison: { provider: "tether2", price: 99_850, difference_percent: 0 },
        converted: { rate: 0.9985 },
      },
    });
    const { quotes } = setup([null, null]);
    expect(await quotes.latest(token)).toMatchObject({
      currency: "USDT",
      price_source: "live_quote",
      origin: { check: { witness: "tether2", confirmed: true } },
    });
  });

  it.each([1.1, 0.9, 0.5, 4])("refuses a venue whose every dollar price is times %d", async (factor) => {
    const { open, tether, dollars } = setup([factor, 1, 1]);
    const { price_source, origin } = await liveQuotes(open([dollars[0]!, tether("tether1")])).latest(token);
    expect([price_source, origin!.comparison]).toEqual(["unconfirmed_quote", undefined]);
    const checked = await liveQuotes(open([dollars[0]!, tether("tether1"), dollars[1]!])).latest(token);
    expect(checked).toMatchObject({
      price_source: "unconfirmed_quote",
      origin: { comparison: { provider: "dollar2", verdict: "apart" } },
    });
  });

  it("is a converted price whose rate is another venue's, if no other has dollars", async () => {
    const { open, tether, dollars } = setup([1, 0.999, 1]);
    // dollar2 and dollar3 list USDT, but not this token
    const rateOnly = [setup([0.999]), setup([1])].map(({ dollars: [venue] }, i) =>
      listingOnly("USDT-USD", i, venue!),
    );
    expect(await liveQuotes(open([dollars[0]!, tether("tether1"), ...rateOnly])).latest(token)).toMatchObject(
      {
        source: "dollar1",
        price_source: "live_quote",
        origin: { check: { witness: "tether1", confirmed: true } },
      },
    );
  });
});
