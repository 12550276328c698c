import { z } from "zod";
import type { OptionContract } from "../../domain/options-flow/options.ts";
import type { ChainProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { parseBody, readBody } from "../shared/api.ts";
import { EpochSeconds, PriceOrNull } from "../shared/fields.ts";
import { OsiText, parseOsiSymbol } from "../shared/osi-symbol.ts";
import { rowsOf } from "../shared/rows.ts";
import { isoDay } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type CrumbSetup, crumbApi } from "./crumb.ts";

const DAY = 86_400_000;
/** Maximum number of expiries, one call each: the nearest ones up to the first that is more than 30 days ahead. */
const MAX_EXPIRIES = 6;
const MIN_HORIZON_MS = 30 * DAY;
/** Least delay; that of options is not returned, but the free feeds of the exchanges are 15 minutes late. */
const DELAY_MINUTES = 15;

const Figure = z.number().nonnegative();
const Contract = z.object({
  contractSymbol: OsiText,
  contractSize: z.string(),
  currency: z.string().nullish(),
  strike: z.number().positive(),
  expiration: EpochSeconds,
  lastPrice: PriceOrNull,
  bid: PriceOrNull,
  ask: PriceOrNull,
  volume: Figure.nullish(),
  openInterest: Figure.nullish(),
  impliedVolatility: PriceOrNull,
  lastTradeDate: EpochSeconds.nullish(),
});
const Result = z.object({
  underlyingSymbol: z.string(),
  expirationDates: z.array(EpochSeconds),
  quote: z.object({
    regularMarketPrice: PriceOrNull,
    regularMarketTime: EpochSeconds.nullish(),
    /** Minutes. */
    exchangeDataDelayedBy: z.number().nonnegative().nullish().catch(null),
  }),
  options: z.array(z.object({ calls: rowsOf(Contract), puts: rowsOf(Contract) })),
});
const Answer = z.object({
  optionChain: z.object({ result: z.array(z.unknown()).nullish(), error: z.unknown().nullish() }),
});
type Page = z.infer<typeof Result>;

/**
 * Creates the provider of option chains of stocks and funds from Yahoo, without greeks, one call per expiry with a
 * cookie and a crumb, at most the nearest six expiries. A volume belongs to the last day on which the contract traded,
 * so an earlier day's volume counts as 0. Open interest of 0 for all contracts means that it is not published yet.
 * Volatility without quotes is dropped. Undocumented; no limit is published.
 */
export function yahooChains(setup: CrumbSetup): ChainProvider {
  const get = crumbApi(setup);

  async function readPage(ticker: string, date: number | null, signal: AbortSignal): Promise<Page> {
    const query = { formatted: "false", ...(date !== null && { date: String(date / 1_000) }) };
    const { status, body } = await get(`/v7/finance/options/${ticker}`, { query, signal });
    const { result, error } = parseBody(Answer, body).optionChain;
    const [first] = result ?? [];
    if ((status === 404 && error != null) || (status === 200 && result?.length === 0))
      throw new ProviderFailure("unknown_symbol", "no such symbol");
    if (status !== 200 || error != null) throw new ProviderFailure("malformed", `status ${status}`);
    const page = await readBody(Result, first, setup.onUnreadable);
    if (page.underlyingSymbol !== ticker) throw new ProviderFailure("malformed", "options on another symbol");
    return page;
  }

  return {
    name: "yahoo",
    budget: { calls: 30, perMs: 60_000, atOnce: 3 },
    async call(instrument, { signal }) {
      const ticker = usTicker(instrument, "-");
      const first = await readPage(ticker, null, signal);
      const dates = [...first.expirationDates].sort((a, b) => a - b);
      if (dates.length === 0) throw new ProviderFailure("unknown_symbol", "no options on this symbol");
      const now = setup.now();
      const enough = dates.findIndex((date) => date > now + MIN_HORIZON_MS) + 1;
      const used = dates.slice(0, Math.min(MAX_EXPIRIES, enough === 0 ? MAX_EXPIRIES : enough));
      const own = first.options.flatMap(({ calls, puts }) => [...calls, ...puts]);
      const rest = used.filter((date) => !own.some(({ expiration }) => expiration === date));
      const pages = await Promise.all(rest.map((date) => readPage(ticker, date, signal)));
      const all = [first, ...pages].flatMap(({ options }) =>
        options.flatMap(({ calls, puts }) => [...calls, ...puts]),
      );
      const contracts = contractsOf(all, ticker.replace("-", ""), new Set(used));
      const { regularMarketPrice: price, regularMarketTime: at, exchangeDataDelayedBy: delay } = first.quote;
      return {
        underlying: { symbol: instrument.symbol, price, tradedAt: at == null ? null : iso(at) },
        asOf: iso(now),
        delayMinutes: Math.max(DELAY_MINUTES, delay ?? 0),
        source: "yahoo",
        ...(used.length < dates.length && { until: isoDay(used.at(-1)!) }),
        contracts,
      };
    },
  };
}

/** Returns the contracts of these expiries, each once; those with a different size, root or currency are dropped. */
function contractsOf(
  all: readonly z.infer<typeof Contract>[],
  root: string,
  expiries: ReadonlySet<number>,
): readonly OptionContract[] {
  const session = all.reduce((newest, { lastTradeDate }) => Math.max(newest, lastTradeDate ?? 0), 0);
  const standard = all.filter((row) => {
    const { root: own, strike } = parseOsiSymbol(row.contractSymbol);
    const of100 = own === root && row.contractSize === "REGULAR" && (row.currency ?? "USD") === "USD";
    return of100 && strike === row.strike && expiries.has(row.expiration);
  });
  const counted = standard.some(({ openInterest }) => (openInterest ?? 0) > 0);
  const contracts = new Map<string, OptionContract>();
  for (const row of standard) {
    const name = parseOsiSymbol(row.contractSymbol);
    const { bid, ask, lastPrice: last } = row;
    const tradedAt = row.lastTradeDate ?? null;
    const today = tradedAt !== null && newYorkDate(tradedAt) === newYorkDate(session);
    contracts.set(row.contractSymbol, {
      symbol: row.contractSymbol,
      expiry: name.expiry,
      type: name.type,
      strike: name.strike,
      bid,
      ask,
      bidSize: null,
      askSize: null,
      last,
      lastTradedAt: last === null || tradedAt === null ? null : iso(tradedAt),
      volume: today ? (row.volume ?? null) : session === 0 ? null : 0,
      openInterest: counted ? (row.openInterest ?? null) : null,
      iv: bid === null || ask === null ? null : row.impliedVolatility,
      delta: null,
      gamma: null,
      theta: null,
      vega: null,
      theoretical: null,
    });
  }
  return [...contracts.values()];
}

const iso = (at: number): string => new Date(at).toISOString();
