import { z } from "zod";
import type { OptionContract } from "../../domain/options-flow/options.ts";
import type { KeyedChainProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { ApiGet } from "../shared/api.ts";
import { CountOrNull, Instant, PriceOrNull } from "../shared/fields.ts";
import { createSessionVolume, Greek, type OptionDay, plausibleGreeks } from "../shared/option-fields.ts";
import { OsiText, parseOsiSymbol } from "../shared/osi-symbol.ts";
import { createRepeatCheck, readPages } from "../shared/pages.ts";
import { namedRowsOf } from "../shared/rows.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type AlpacaSetup, alpacaApi, feedsOf } from "./api.ts";
import { createOpenInterest } from "./open-interest.ts";
import { readSnapshot } from "./prices.ts";

const PAGE_SIZE = 1_000;
/** Maximum number of pages: a fund with daily expiries has some 14,000 options. */
const MAX_PAGES = 20;
const INDICATIVE_DELAY_MINUTES = 15;

/** The newest state of one option; each part is missing if Alpaca has none. */
const Snapshot = z.object({
  latestQuote: z.object({ bp: PriceOrNull, ap: PriceOrNull, bs: CountOrNull, as: CountOrNull }).nullish(),
  latestTrade: z.object({ t: Instant, p: PriceOrNull }).nullish(),
  dailyBar: z.object({ t: Instant, v: CountOrNull }).nullish(),
  impliedVolatility: PriceOrNull,
  /** Theta is per calendar day, vega per percentage point of volatility. */
  greeks: z.object({ delta: Greek, gamma: Greek, theta: Greek, vega: Greek }).nullish(),
});
type Snapshot = z.infer<typeof Snapshot>;
const Chain = z.object({
  snapshots: namedRowsOf(Snapshot, OsiText),
  next_page_token: z.string().nullish(),
});

interface AlpacaChainSetup extends AlpacaSetup {
  /** Replaces the URL of the trading API, which has the open interest. */
  readonly tradingUrl?: string | undefined;
}

/**
 * Creates the provider of option chains of stocks and funds from Alpaca, with greeks from its own model. Without a
 * subscription, quotes are indicative: derived from those of the exchanges, and counted as 15 minutes late. With one,
 * they are those of OPRA in real time. The price of the underlying is the newest trade in the feed of the plan. Options
 * whose root is not the ticker are dropped, because after a takeover or an odd split they do not cover 100 shares.
 *
 * A chain takes one call for the price, one for each 1,000 options and one or two for the open interest. Of the 200 calls
 * a minute without a subscription, 60 are used.
 * @see https://docs.alpaca.markets/reference/optionchain
 */
export function alpacaChains(setup: AlpacaChainSetup): KeyedChainProvider {
  const get = alpacaApi(setup);
  const feeds = feedsOf(setup);
  const openInterest = createOpenInterest(setup);
  const delayMinutes = feeds.options === "indicative" ? INDICATIVE_DELAY_MINUTES : 0;
  return {
    name: "alpaca",
    delayMinutes,
    budget: { calls: 60, perMs: 60_000, atOnce: 3 },
    async call(instrument, { signal }) {
      const ticker = usTicker(instrument);
      const [{ latestTrade }, rows, counts] = await Promise.all([
        readSnapshot(get, ticker, feeds, signal),
        readOptions(get, ticker, feeds.options, signal),
        openInterest(ticker, signal),
      ]);
      const own = rows.filter(([symbol]) => parseOsiSymbol(symbol).root === ticker.replace(".", ""));
      if (rows.length === 0) throw new ProviderFailure("unknown_symbol", "no options on this symbol");
      if (own.length === 0) throw new ProviderFailure("malformed", "options on another symbol");
      const volumeOf = createSessionVolume(own.map(([, row]) => dayOf(row)));
      return {
        underlying: {
          symbol: instrument.symbol,
          price: latestTrade?.p ?? null,
          tradedAt: latestTrade ? new Date(latestTrade.t).toISOString() : null,
        },
        asOf: new Date(setup.now()).toISOString(),
        delayMinutes,
        source: "alpaca",
        contracts: own.map(([symbol, row]) => ({
          ...contractOf(symbol, row),
          volume: volumeOf(dayOf(row)),
          openInterest: counts.get(symbol) ?? null,
        })),
      };
    },
  };
}

function readOptions(
  get: ApiGet,
  ticker: string,
  feed: "indicative" | "opra",
  signal: AbortSignal,
): Promise<readonly (readonly [string, Snapshot])[]> {
  const checkRepeat = createRepeatCheck("options");
  return readPages<readonly [string, Snapshot], string>(
    async (token) => {
      const query = { feed, limit: PAGE_SIZE, page_token: token ?? undefined };
      const page = await get(`/v1beta1/options/snapshots/${ticker}`, Chain, { query, signal });
      const rows = page.snapshots;
      for (const [symbol] of rows) checkRepeat(symbol);
      return { rows, next: page.next_page_token ?? null };
    },
    { maxPages: MAX_PAGES, unit: "options" },
  );
}

const dayOf = ({ dailyBar }: Snapshot): OptionDay | null =>
  dailyBar ? { at: dailyBar.t, volume: dailyBar.v } : null;

function contractOf(
  symbol: string,
  { latestQuote, latestTrade, impliedVolatility: iv, greeks }: Snapshot,
): Omit<OptionContract, "volume" | "openInterest"> {
  const { expiry, type, strike } = parseOsiSymbol(symbol);
  const [bid, ask] = [latestQuote?.bp ?? null, latestQuote?.ap ?? null];
  const last = latestTrade?.p ?? null;
  return {
    symbol,
    expiry,
    type,
    strike,
    bid,
    ask,
    bidSize: bid === null ? null : latestQuote!.bs,
    askSize: ask === null ? null : latestQuote!.as,
    last,
    lastTradedAt: last === null ? null : new Date(latestTrade!.t).toISOString(),
    ...plausibleGreeks(type, {
      iv,
      delta: greeks?.delta ?? null,
      gamma: greeks?.gamma ?? null,
      theta: greeks?.theta ?? null,
      vega: greeks?.vega ?? null,
    }),
    theoretical: null,
  };
}
