import { z } from "zod";
import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import type { ChainProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { type ApiGet, createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { OsiText, parseOsiSymbol } from "../shared/osi-symbol.ts";
import { rowsOf } from "../shared/rows.ts";
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
const listOf = <T>(element: z.ZodType<T>) =>
  z.union([rowsOf(element), element.transform((only): readonly T[] => [only])]);
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
  symbol: OsiText,
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
export function tradierChains(setup: TradierSetup): ChainProvider {
  const { get, sandbox } = createClient(setup);
  return {
    name: "tradier",
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
          const rows = options?.option ?? [];
          if (rows.some(({ underlying }) => underlying !== ticker))
            throw new ProviderFailure("malformed", "options on another symbol");
          const consistent = rows.filter((row) => isConsistent(row, expiration));
          if (rows.length > 0 && consistent.length === 0)
            throw new ProviderFailure("malformed", "options whose fields contradict their symbols");
          if (consistent.length < rows.length) setup.onUnreadable?.(rows.length - consistent.length);
          return consistent.map((row) => contractOf(row, ticker));
        }),
      );
      const contracts = new Map(pages.flat().flatMap((row) => (row === null ? [] : [[row.symbol, row]])));
      const { last: price, trade_date: tradedAt } = quotes.quote;
      return {
        underlying: { symbol: instrument.symbol, price, tradedAt },
        asOf: new Date(setup.now()).toISOString(),
        delayMinutes: sandbox ? 15 : 0,
        source: "tradier",
        ...(used.length < dates.length && { until: used.at(-1)! }),
        contracts: [...contracts.values()],
      } satisfies OptionChain;
    },
  };
}

/** Returns true if the fields of a contract agree with its symbol and with the requested expiry. */
function isConsistent({ symbol, ...row }: z.infer<typeof Contract>, expiration: string): boolean {
  const { root, type, strike, expiry } = parseOsiSymbol(symbol);
  const agrees = root === row.root_symbol && type === row.option_type && strike === row.strike;
  return agrees && expiry === expiration && row.expiration_date === expiration;
}

/** Converts a contract; null for a different root or size. */
function contractOf(row: z.infer<typeof Contract>, ticker: string): OptionContract | null {
  const { symbol, strike, option_type: type, bid, ask, last, greeks } = row;
  const { root, expiry } = parseOsiSymbol(symbol);
  if (root !== ticker.replace("/", "") || row.contract_size !== 100) return null;
  const modelled = greeksOf(type, greeks ?? null);
  return {
    symbol,
    expiry,
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
    ...modelled,
    theta: null,
    vega: null,
    theoretical: null,
  };
}

/**
 * Returns the greeks, with the volatility of the quotes, else of the smoothed surface. A delta with the wrong sign
 * means that the model failed.
 */
function greeksOf(
  type: "call" | "put",
  greeks: z.infer<typeof Greeks> | null,
): Pick<OptionContract, "iv" | "delta" | "gamma"> {
  const iv = greeks?.mid_iv ?? greeks?.smv_vol ?? null;
  const [delta, gamma] = [greeks?.delta ?? null, greeks?.gamma ?? null];
  const side = delta === null ? null : type === "call" ? delta : -delta;
  const isPlausible = iv !== null && side !== null && side >= 0 && side <= 1 && gamma !== null && gamma >= 0;
  return isPlausible ? { iv, delta, gamma } : { iv, delta: null, gamma: null };
}
