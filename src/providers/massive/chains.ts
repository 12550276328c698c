import { z } from "zod";
import type { OptionContract } from "../../domain/options-flow/options.ts";
import type { KeyedChainProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { CountOrNull, PriceOrNull } from "../shared/fields.ts";
import type { HttpRequest } from "../shared/http-client.ts";
import { createSessionVolume, Greek, type OptionDay, plausibleGreeks } from "../shared/option-fields.ts";
import { parseOsiSymbol } from "../shared/osi-symbol.ts";
import { createRepeatCheck, readPages } from "../shared/pages.ts";
import { rowsOf } from "../shared/rows.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { cursorOf, type MassiveSetup, massiveApi, Nanoseconds, untilNotInPlan } from "./api.ts";

const PAGE_SIZE = 250;
/** Maximum number of pages: a fund with daily expiries has some 14,000 options. */
const MAX_PAGES = 70;
const DELAY_MINUTES = 15;

const Row = z.object({
  details: z.object({
    contract_type: z.string().max(12),
    expiration_date: z.string(),
    shares_per_contract: z.number(),
    strike_price: z.number().positive(),
    ticker: z.string().regex(/^O:[A-Z0-9]{1,6}\d{6}[CP]\d{8}$/),
  }),
  /** The newest daily bar of the option, which may be of an earlier session; without fields if there is none. */
  day: z.object({ last_updated: Nanoseconds.nullish(), volume: CountOrNull }).nullish(),
  /** Only in plans with quotes. */
  last_quote: z
    .object({ bid: PriceOrNull, ask: PriceOrNull, bid_size: CountOrNull, ask_size: CountOrNull })
    .nullish(),
  /** Only in plans with trades. */
  last_trade: z.object({ price: PriceOrNull, sip_timestamp: Nanoseconds }).nullish(),
  implied_volatility: PriceOrNull,
  /** Theta is per calendar day, vega per percentage point of volatility; without fields if the model failed. */
  greeks: z.object({ delta: Greek, gamma: Greek, theta: Greek, vega: Greek }).nullish(),
  open_interest: CountOrNull,
  underlying_asset: z.object({
    ticker: z.string(),
    price: PriceOrNull,
    last_updated: Nanoseconds.nullish(),
    timeframe: z.string().max(20).nullish(),
  }),
});
type Row = z.infer<typeof Row>;
const Chain = z.object({ results: rowsOf(Row).nullish(), next_url: z.string().nullish() });

/**
 * Creates the provider of option chains of stocks and funds from Massive, for paid plans of options: one call for each
 * 250 options, in real time or 15 minutes late as each response says. Bid, ask and last are null in plans without quotes
 * and trades. With other plans, no further call is made until a restart. Options with a different root or size are
 * dropped.
 *
 * Massive counts no calls of paid plans; 600 a minute are made.
 * @see https://massive.com/docs/rest/options/snapshots/option-chain-snapshot
 */
export function massiveChains(setup: MassiveSetup & { readonly now: () => number }): KeyedChainProvider {
  const get = massiveApi(setup);
  const getChain = untilNotInPlan((path: string, query: HttpRequest["query"], signal: AbortSignal) =>
    get(path, Chain, { query: query ?? {}, signal }),
  );

  function readRows(ticker: string, signal: AbortSignal): Promise<readonly Row[]> {
    const path = `/v3/snapshot/options/${ticker}`;
    const checkRepeat = createRepeatCheck("options");
    return readPages<Row, string>(
      async (cursor) => {
        const page = await getChain(path, cursor === null ? { limit: PAGE_SIZE } : { cursor }, signal);
        const rows = page.results ?? [];
        for (const { details } of rows) checkRepeat(details.ticker);
        return { rows, next: page.next_url ? cursorOf(page.next_url) : null };
      },
      { maxPages: MAX_PAGES, unit: "options" },
    );
  }

  return {
    name: "massive",
    delayMinutes: setup.plan === "advanced" ? 0 : DELAY_MINUTES,
    budget: { calls: 600, perMs: 60_000, atOnce: 4 },
    async call(instrument, { signal }) {
      const ticker = usTicker(instrument);
      const rows = await readRows(ticker, signal);
      const [first] = rows;
      if (first === undefined) throw new ProviderFailure("unknown_symbol", "no options on this symbol");
      if (rows.some(({ underlying_asset: asset }) => asset.ticker !== ticker))
        throw new ProviderFailure("malformed", "options on another symbol");
      const own = rows.filter((row) => isStandard(row, ticker.replace(".", "")));
      const volumeOf = createSessionVolume(own.map(dayOf));
      const { price, last_updated: at } = first.underlying_asset;
      const isLate = rows.some(({ underlying_asset: { timeframe } }) => timeframe === "DELAYED");
      return {
        underlying: {
          symbol: instrument.symbol,
          price,
          tradedAt: price === null || at == null ? null : isoOf(at),
        },
        asOf: new Date(setup.now()).toISOString(),
        delayMinutes: isLate ? DELAY_MINUTES : 0,
        source: "massive",
        contracts: own.map((row) => ({ ...contractOf(row), volume: volumeOf(dayOf(row)) })),
      };
    },
  };
}

/**
 * Returns true for a call or put on 100 shares. @throws ProviderFailure "malformed" if its fields contradict its symbol
 */
function isStandard({ details }: Row, root: string): boolean {
  const name = parseOsiSymbol(details.ticker.slice(2));
  const { contract_type: type, strike_price: strike, expiration_date: expiry } = details;
  if (type === "other") return false;
  if (name.type !== type || name.strike !== strike || name.expiry !== expiry)
    throw new ProviderFailure("malformed", "an option whose fields contradict its symbol");
  return name.root === root && details.shares_per_contract === 100;
}

const dayOf = ({ day }: Row): OptionDay | null =>
  day?.last_updated == null ? null : { at: Math.round(day.last_updated / 1e6), volume: day.volume };

function contractOf(row: Row): Omit<OptionContract, "volume"> {
  const { details, last_quote: quote, last_trade: trade, implied_volatility: iv, greeks } = row;
  const symbol = details.ticker.slice(2);
  const { expiry, type, strike } = parseOsiSymbol(symbol);
  const [bid, ask, last] = [quote?.bid ?? null, quote?.ask ?? null, trade?.price ?? null];
  return {
    symbol,
    expiry,
    type,
    strike,
    bid,
    ask,
    bidSize: bid === null ? null : quote!.bid_size,
    askSize: ask === null ? null : quote!.ask_size,
    last,
    lastTradedAt: last === null ? null : isoOf(trade!.sip_timestamp),
    openInterest: row.open_interest,
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

const isoOf = (nanoseconds: number): string => new Date(Math.round(nanoseconds / 1e6)).toISOString();
