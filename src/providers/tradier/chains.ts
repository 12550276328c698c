import { z } from "zod";
import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import type { KeyedChainProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { type ApiGet, createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { plausibleGreeks } from "../shared/option-fields.ts";
import { parseOsiSymbol } from "../shared/osi-symbol.ts";
import { parseIsoDate } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";

const BASE_URL = "https://api.tradier.com";

interface TradierSetup extends ProviderSetup {
  readonly key: string;
  /** Returns the current time, epoch ms. */
  readonly now: () => number;
}

/**
 * Creates the client of the market data API, with the token in a header; also returns whether it is the sandbox. Every
 * response states the number of calls left and the time at which the limit is reset; with none left, requests fail as
 * `rate_limited` without a call.
 */
function createClient({ key, now, ...setup }: TradierSetup): {
  readonly get: ApiGet;
  readonly sandbox: boolean;
} {
  const api = createApi(setup, { baseUrl: BASE_URL, headers: { authorization: `Bearer ${key}` } });
  let renewedAt = 0;
  const onHead = (head: Headers) => {
    const renewed = Number(head.get("x-ratelimit-expiry") ?? Number.NaN);
    const none = head.get("x-ratelimit-available") === "0" && Number.isFinite(renewed);
    renewedAt = none ? Math.max(renewedAt, renewed) : renewedAt;
  };
  const noCallsLeft = (cause?: unknown) =>
    new ProviderFailure("rate_limited", "no calls left", { retryAfterMs: renewedAt - now(), cause });
  return {
    sandbox: new URL(setup.baseUrl ?? BASE_URL).hostname.startsWith("sandbox."),
    async get(path, shape, request) {
      if (now() < renewedAt) throw noCallsLeft();
      return await api(path, shape, { ...request, onHead }).catch((cause: unknown) => {
        const limited = cause instanceof ProviderFailure && cause.kind === "rate_limited";
        throw limited && cause.retryAfterMs === null && now() < renewedAt ? noCallsLeft(cause) : cause;
      });
    },
  };
}

/** Maximum number of expiries, one call each: more than any stock has, and about one year for the largest funds. */
const MAX_EXPIRIES = 40;
const MINUTE = 60_000;

/** Schema of a list, which may be replaced by its only element. */
const listOf = <T extends z.ZodType>(element: T) =>
  z.union([z.array(element), element.transform((only): z.output<T>[] => [only])]);
const Figure = z.number().nonnegative();
/** A price or a volatility; 0 becomes null. */
const FigureOrNull = Figure.nullish().transform((figure) => (figure == null || figure === 0 ? null : figure));
const Count = Figure.nullish().transform((count) => count ?? null);
/** Epoch ms, converted to ISO 8601; 0 becomes null. */
const IsoTime = z
  .number()
  .min(0)
  .max(8.64e15)
  .nullish()
  .transform((at) => (at == null || at === 0 ? null : new Date(at).toISOString()));

const Quotes = z.object({
  quotes: z.union([
    z.object({ quote: z.object({ symbol: z.string(), last: FigureOrNull, trade_date: IsoTime }) }),
    z.object({ unmatched_symbols: z.object({ symbol: z.unknown() }) }),
  ]),
});
const Expirations = z.object({
  expirations: z
    .object({ date: listOf(z.string().refine((text) => parseIsoDate(text) !== null)) })
    .nullable(),
});
const Greeks = z.object({
  delta: z.number().nullish(),
  gamma: z.number().nullish(),
  mid_iv: FigureOrNull,
  smv_vol: FigureOrNull,
});
const Contract = z.object({
  symbol: z.string(),
  underlying: z.string(),
  root_symbol: z.string(),
  contract_size: z.number(),
  expiration_date: z.string(),
  option_type: z.enum(["call", "put"]),
  strike: z.number().positive(),
  bid: FigureOrNull,
  ask: FigureOrNull,
  bidsize: Count,
  asksize: Count,
  last: FigureOrNull,
  trade_date: IsoTime,
  volume: Count,
  open_interest: Count,
  greeks: Greeks.nullish(),
});
const Options = z.object({ options: z.object({ option: listOf(Contract) }).nullable() });

/**
 * Creates the provider of option chains of stocks and funds from Tradier: one call for the price, one for the list of
 * expiries, one for each expiry. In real time, or 15 minutes late from the sandbox. Delta, gamma and volatility come
 * from ORATS, updated hourly. Theta and vega are dropped, because their units are not documented. Of the published 120
 * calls a minute (60 in the sandbox), some are left for other data. Contracts with a different root or size are
 * dropped.
 * @see https://documentation.tradier.com/brokerage-api/markets/get-options-chains
 */
export function tradierChains(setup: TradierSetup): KeyedChainProvider {
  const { get, sandbox } = createClient(setup);
  const delayMinutes = sandbox ? 15 : 0;
  return {
    name: "tradier",
    delayMinutes,
    budget: { calls: sandbox ? 50 : 100, perMs: MINUTE, atOnce: 6 },
    async call(instrument, { signal }) {
      const ticker = usTicker(instrument).replace(".", "/");
      const [{ quotes }, { expirations }] = await Promise.all([
        get("/v1/markets/quotes", Quotes, { query: { symbols: ticker }, signal }),
        // without this flag, share classes have no expiries
        get("/v1/markets/options/expirations", Expirations, {
          query: { symbol: ticker, includeAllRoots: "true" },
          signal,
        }),
      ]);
      if (!("quote" in quotes)) throw new ProviderFailure("unknown_symbol", "no such symbol");
      if (quotes.quote.symbol !== ticker) throw new ProviderFailure("malformed", "a price of another symbol");
      const dates = [...new Set(expirations?.date)].sort();
      if (dates.length === 0) throw new ProviderFailure("unknown_symbol", "no options on this symbol");
      const used = dates.slice(0, MAX_EXPIRIES);
      const pages = await Promise.all(
        used.map(async (expiration) => {
          const query = { symbol: ticker, expiration, greeks: "true" };
          const { options } = await get("/v1/markets/options/chains", Options, { query, signal });
          return (options?.option ?? []).map((row) => contractOf(row, ticker, expiration));
        }),
      );
      const contracts = new Map(pages.flat().flatMap((row) => (row === null ? [] : [[row.symbol, row]])));
      const { last: price, trade_date: tradedAt } = quotes.quote;
      return {
        underlying: { symbol: instrument.symbol, price, tradedAt },
        asOf: new Date(setup.now()).toISOString(),
        delayMinutes,
        source: "tradier",
        ...(used.length < dates.length && { until: used.at(-1)! }),
        contracts: [...contracts.values()],
      } satisfies OptionChain;
    },
  };
}

/**
 * Parses a contract; null for a different root or size. @throws ProviderFailure "malformed" if its fields contradict
 * its symbol
 */
function contractOf(
  row: z.infer<typeof Contract>,
  ticker: string,
  expiration: string,
): OptionContract | null {
  const { symbol, strike, option_type: type, bid, ask, last, greeks } = row;
  const { root, ...name } = parseOsiSymbol(symbol);
  const differs = root !== row.root_symbol || name.type !== type || name.strike !== strike;
  if (differs || name.expiry !== expiration || row.expiration_date !== expiration)
    throw new ProviderFailure("malformed", "an option whose fields contradict its symbol");
  if (row.underlying !== ticker) throw new ProviderFailure("malformed", "options on another symbol");
  if (root !== ticker.replace("/", "") || row.contract_size !== 100) return null;
  return {
    symbol,
    expiry: expiration,
    type,
    strike,
    bid,
    ask,
    bidSize: bid === null ? null : row.bidsize,
    askSize: ask === null ? null : row.asksize,
    last,
    lastTradedAt: last === null ? null : row.trade_date,
    volume: row.volume,
    openInterest: row.open_interest,
    ...plausibleGreeks(type, {
      // the volatility of the quotes, else of the smoothed surface
      iv: greeks?.mid_iv ?? greeks?.smv_vol ?? null,
      delta: greeks?.delta ?? null,
      gamma: greeks?.gamma ?? null,
    }),
    theoretical: null,
  };
}
