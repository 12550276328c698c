import { describe, expect, it } from "vitest";
import type { PriceCurrency } from "../../src/domain/market/currency.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import type { PriceProvider } from "../../src/domain/providers/price-provider.ts";
import type { ProviderSetup } from "../../src/providers/shared/http-client.ts";
import { fixed, MOMENT, UNLISTED_TOKEN } from "../support/fixed-world.ts";
import { describePriceProvider, type PriceProviderContract } from "../support/price-provider-contract.ts";
import { kindOf, type Responses, respondWith, signal, token } from "./requests.ts";

const DAY = 86_400_000;

/** A token exchange with the responses to a quote of BTC and to a request of its bars. */
export interface ExchangeContract extends Pick<PriceProviderContract, "vendor" | "echoless" | "noBars"> {
  readonly make: (setup: ProviderSetup) => PriceProvider;
  readonly venue: string;
  /** Currency of its prices. Default: USD. */
  readonly currency?: PriceCurrency;
  readonly quote: {
    readonly responses: Responses;
    readonly expected: object;
    readonly requests: readonly string[];
  };
  /** Responses without some figures of the day, and the expected result. */
  readonly partial: { readonly responses: Responses; readonly expected: object };
  /** Responses with an invalid price or time, or about another pair. */
  readonly malformed: Readonly<Record<string, Responses>>;
  /** Tokens without a pair in its currency. */
  readonly unsupported: readonly Instrument[];
  /** A token, and the part of the URL that names its pair. */
  readonly named: readonly [Instrument, string];
  /** End of the path of bars. */
  readonly bars: string;
  /** False if all bars come in one response. */
  readonly pages?: false;
  /** Status and body of an error, and its kind. */
  readonly errors: readonly (readonly [status: number, body: unknown, kind: string])[];
}

/** Registers the contract of a price provider for a token exchange, with its own responses. */
export function describeExchange(name: string, contract: ExchangeContract): void {
  const { make, venue, currency = "USD", quote, partial, malformed, unsupported, named, errors } = contract;
  const BTC = token("BTC");
  const latest = (responses: Responses, of = BTC) =>
    make({ fetch: respondWith(responses).fetch }).latest!(of, { signal });

  describePriceProvider(name, {
    ...contract,
    make: (fetch) => make({ fetch }),
    instruments: { good: fixed("BTC-USD"), unknown: UNLISTED_TOKEN, other: fixed("ETH-USD") },
    // Its day is the 24 hours before the trade, not the UTC day.
    quoted: (world, { symbol }) => {
      const { price, at } = world.trade(symbol)!;
      return { price, tradedAt: at };
    },
  });

  describe(name, () => {
    it("dates a price by its trade, with the figures of the 24 hours before it", async () => {
      const { fetch, requests } = respondWith(quote.responses);
      expect(await make({ fetch }).latest!(BTC, { signal })).toEqual({
        bid: null,
        ask: null,
        ...quote.expected,
        currency,
        volumeScope: "one_venue",
        venue,
      });
      expect(requests).toEqual(quote.requests);
    });

    it("omits figures of the day that are empty, 0 or missing", async () => {
      const none = { previousClose: null, open: null, high: null, low: null, volume: null };
      expect(await latest(partial.responses)).toMatchObject({ ...none, ...partial.expected });
    });

    it.each(Object.entries(malformed))("rejects %s", async (_, responses) => {
      expect(await kindOf(latest({ ...quote.responses, ...responses }))).toBe("malformed");
    });

    it("rejects tokens without a pair in its currency, without a call", async () => {
      const { fetch, requests } = respondWith(quote.responses);
      const provider = make({ fetch });
      for (const of of [...unsupported, token("$WIF"), { ...BTC, symbol: "BTC-EUR" }])
        expect(await kindOf(provider.latest!(of, { signal }))).toBe("unsupported");
      expect(requests).toEqual([]);
      await kindOf(provider.latest!(named[0], { signal }));
      expect(requests[0]).toContain(named[1]);
    });

    if (contract.pages !== false)
      it("rejects requests for more bars than its calls return, without a call", async () => {
        const { fetch, requests } = respondWith({ "": [] });
        const request = { timeframe: "5m", from: 0, until: MOMENT, signal } as const;
        expect(await kindOf(make({ fetch }).history!(BTC, request))).toBe("unsupported");
        expect(requests).toEqual([]);
      });

    it.each(errors)("maps status %i with %j to %s", async (status, body, kind) => {
      const { fetch } = respondWith({ [contract.bars]: body }, { status });
      const request = { timeframe: "1d", from: 0, until: DAY, signal } as const;
      expect(await kindOf(make({ fetch }).history!(BTC, request))).toBe(kind);
    });
  });
}

/** Test cases from one response with a part of its text replaced. */
export const withText = (end: string, text: string, was: string, others: readonly string[]) =>
  Object.fromEntries(others.map((other) => [`${was} as "${other}"`, { [end]: text.replaceAll(was, other) }]));
