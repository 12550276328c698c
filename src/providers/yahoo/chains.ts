import { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import type { OptionContract } from "../../domain/options-flow/options.ts";
import type { ChainProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { parseOsiSymbol } from "../shared/osi-symbol.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type CrumbSetup, createCrumbClient, rethrowAuthAsBlocked } from "./crumb.ts";

const DAY = 86_400_000;
/** Expiries told at the most, each a call: the nearest ones, as far as the first beyond 30 days. */
const MAX_EXPIRIES = 6;
const MIN_HORIZON_MS = 30 * DAY;
/** It does not say how late its options are; its exchanges' free feeds are a quarter of an hour late. */
const DELAY_MINUTES = 15;

const Figure = z.number().nonnegative();
/** 0 stands for no price. */
const PriceOrNone = Figure.nullish().transform((price) =>
  price === undefined || price === 0 ? null : price,
);
/** Epoch seconds as ms. */
const Seconds = z
  .int()
  .positive()
  .max(8.64e12)
  .transform((seconds) => seconds * 1_000);

const Contract = z.object({
  contractSymbol: z.string(),
  contractSize: z.string(),
  currency: z.string().nullish(),
  strike: z.number().positive(),
  expiration: Seconds,
  lastPrice: PriceOrNone,
  bid: PriceOrNone,
  ask: PriceOrNone,
  volume: Figure.nullish(),
  openInterest: Figure.nullish(),
  impliedVolatility: PriceOrNone,
  lastTradeDate: Seconds.nullish(),
});
const Result = z.object({
  underlyingSymbol: z.string(),
  expirationDates: z.array(Seconds),
  quote: z.object({ regularMarketPrice: PriceOrNone, regularMarketTime: Seconds.nullish() }),
  options: z.array(z.object({ calls: z.array(Contract), puts: z.array(Contract) })),
});
const Answer = z.object({
  optionChain: z.object({ result: z.array(z.unknown()).nullish(), error: z.unknown().nullish() }),
});
type Page = z.infer<typeof Result>;

/**
 * Option chains of stocks and funds from Yahoo, a call for each expiry behind a cookie and a crumb: the nearest six at the
 * most. No greeks. A volume is of the contract's own last day, so one of an earlier day than the newest is none; open
 * interest that is 0 throughout is not told yet; a volatility without quotes was found by nobody. Undocumented; it publishes
 * no limits: the budget is ours.
 */
export function yahooChains(setup: CrumbSetup): ChainProvider {
  const { json } = createCrumbClient(setup);

  async function page(ticker: string, date: number | null, signal: AbortSignal): Promise<Page> {
    const query = { formatted: "false", ...(date !== null && { date: String(date / 1_000) }) };
    const { status, body } = await json(`/v7/finance/options/${ticker}`, {
      query,
      signal,
      accept: [404],
    }).catch(rethrowAuthAsBlocked);
    const answer = Answer.safeParse(body);
    if (!answer.success)
      throw new ProviderFailure("malformed", "another answer than expected", { cause: answer.error });
    const { result, error } = answer.data.optionChain;
    const [first] = result ?? [];
    if ((status === 404 && error != null) || (status === 200 && result?.length === 0))
      throw new ProviderFailure("unknown_symbol", "it lists no such symbol");
    const read = Result.safeParse(first);
    if (status !== 200 || error != null || !read.success)
      throw new ProviderFailure("malformed", "another answer than expected", { cause: read.error });
    if (read.data.underlyingSymbol !== ticker)
      throw new ProviderFailure("malformed", "options on another symbol");
    return read.data;
  }

  return {
    name: "yahoo",
    budget: { calls: 30, perMs: 60_000, atOnce: 3 },
    async call(instrument: Instrument, { signal }) {
      const ticker = usTicker(instrument, "-");
      const first = await page(ticker, null, signal);
      const dates = [...first.expirationDates].sort((a, b) => a - b);
      if (dates.length === 0) throw new ProviderFailure("unknown_symbol", "it lists no options on it");
      const now = setup.now();
      const enough = dates.findIndex((date) => date > now + MIN_HORIZON_MS) + 1;
      const told = dates.slice(0, Math.min(MAX_EXPIRIES, enough === 0 ? MAX_EXPIRIES : enough));
      const own = first.options.flatMap(({ calls, puts }) => [...calls, ...puts]);
      const rest = told.filter((date) => !own.some(({ expiration }) => expiration === date));
      const pages = await Promise.all(rest.map((date) => page(ticker, date, signal)));
      const all = [first, ...pages].flatMap(({ options }) =>
        options.flatMap(({ calls, puts }) => [...calls, ...puts]),
      );
      const contracts = contractsOf(all, ticker.replace("-", ""), new Set(told));
      const { regularMarketPrice: price, regularMarketTime: at } = first.quote;
      return {
        underlying: { symbol: instrument.symbol, price, tradedAt: at == null ? null : iso(at) },
        asOf: iso(now),
        delayMinutes: DELAY_MINUTES,
        source: "yahoo",
        ...(told.length < dates.length && { until: iso(told.at(-1)!).slice(0, 10) }),
        contracts,
      };
    },
  };
}

/** Contracts of these expiries, each once; of another size, root or currency than usual ones are left out. */
function contractsOf(
  all: readonly z.infer<typeof Contract>[],
  root: string,
  expiries: ReadonlySet<number>,
): readonly OptionContract[] {
  const session = all.reduce((newest, { lastTradeDate }) => Math.max(newest, lastTradeDate ?? 0), 0);
  const usual = all.filter((one) => {
    const { root: own, strike } = parseOsiSymbol(one.contractSymbol);
    const of100 = own === root && one.contractSize === "REGULAR" && (one.currency ?? "USD") === "USD";
    return of100 && strike === one.strike && expiries.has(one.expiration);
  });
  const counted = usual.some(({ openInterest }) => (openInterest ?? 0) > 0);
  const once = new Map<string, OptionContract>();
  for (const one of usual) {
    const name = parseOsiSymbol(one.contractSymbol);
    const { bid, ask, lastPrice: last } = one;
    const tradedAt = one.lastTradeDate ?? null;
    const today = tradedAt !== null && newYorkDate(tradedAt) === newYorkDate(session);
    once.set(one.contractSymbol, {
      symbol: one.contractSymbol,
      expiry: name.expiry,
      type: name.type,
      strike: name.strike,
      bid,
      ask,
      bidSize: null,
      askSize: null,
      last,
      lastTradedAt: last === null || tradedAt === null ? null : iso(tradedAt),
      volume: today ? (one.volume ?? null) : session === 0 ? null : 0,
      openInterest: counted ? (one.openInterest ?? null) : null,
      iv: bid === null || ask === null ? null : one.impliedVolatility,
      delta: null,
      gamma: null,
      theta: null,
      vega: null,
      theoretical: null,
    });
  }
  return [...once.values()];
}

const iso = (at: number): string => new Date(at).toISOString();
