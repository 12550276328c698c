import { z } from "zod";
import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import type { ChainProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { parseOsiSymbol } from "../shared/osi-symbol.ts";
import { parseIsoDate } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { createClient, type TradierSetup } from "./client.ts";

/** Expiries told at the most, each a call: more than any stock has, and the next year or so of the largest funds. */
const MAX_EXPIRIES = 40;
const MINUTE = 60_000;

/** What is told once is told without its list. */
const listOf = <T extends z.ZodType>(one: T) =>
  z.union([z.array(one), one.transform((only): z.output<T>[] => [only])]);
const Figure = z.number().nonnegative();
/** 0 stands for no price, and for a volatility that was not found. */
const FigureOrNone = Figure.nullish().transform((figure) => (figure == null || figure === 0 ? null : figure));
const Count = Figure.nullish().transform((count) => count ?? null);
/** Epoch ms; 0 stands for never. */
const IsoTime = z
  .number()
  .min(0)
  .max(8.64e15)
  .nullish()
  .transform((at) => (at == null || at === 0 ? null : new Date(at).toISOString()));

const Quotes = z.object({
  quotes: z.union([
    z.object({ quote: z.object({ symbol: z.string(), last: FigureOrNone, trade_date: IsoTime }) }),
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
  mid_iv: FigureOrNone,
  smv_vol: FigureOrNone,
});
const Contract = z.object({
  symbol: z.string(),
  underlying: z.string(),
  root_symbol: z.string(),
  contract_size: z.number(),
  expiration_date: z.string(),
  option_type: z.enum(["call", "put"]),
  strike: z.number().positive(),
  bid: FigureOrNone,
  ask: FigureOrNone,
  bidsize: Count,
  asksize: Count,
  last: FigureOrNone,
  trade_date: IsoTime,
  volume: Count,
  open_interest: Count,
  greeks: Greeks.nullish(),
});
const Options = z.object({ options: z.object({ option: listOf(Contract) }).nullable() });

/**
 * Option chains of stocks and funds from Tradier: a call for the price, one for the expiries, one for each of them.
 * Quotes and volumes are of the moment, from its sandbox a quarter of an hour late; delta, gamma and volatility are
 * ORATS's, renewed once an hour. Theta and vega are left out: their units are not documented. Of 120 calls a minute that
 * it publishes, 60 in the sandbox, a part is left to others. Contracts of another root or size are left out.
 * @see https://documentation.tradier.com/brokerage-api/markets/get-options-chains
 */
export function tradierChains(setup: TradierSetup): ChainProvider {
  const { get: ask, sandbox } = createClient(setup);
  return {
    name: "tradier",
    budget: { calls: sandbox ? 50 : 100, perMs: MINUTE, atOnce: 6 },
    async call(instrument, { signal }) {
      const ticker = usTicker(instrument).replace(".", "/");
      const [{ quotes }, { expirations }] = await Promise.all([
        ask("/v1/markets/quotes", Quotes, { symbols: ticker }, signal),
        // classes of shares have no expiries under their own name alone
        ask(
          "/v1/markets/options/expirations",
          Expirations,
          { symbol: ticker, includeAllRoots: "true" },
          signal,
        ),
      ]);
      if (!("quote" in quotes)) throw new ProviderFailure("unknown_symbol", "it has no such symbol");
      if (quotes.quote.symbol !== ticker) throw new ProviderFailure("malformed", "a price of another symbol");
      const dates = [...new Set(expirations?.date)].sort();
      if (dates.length === 0) throw new ProviderFailure("unknown_symbol", "it lists no options on it");
      const told = dates.slice(0, MAX_EXPIRIES);
      const pages = await Promise.all(
        told.map(async (expiration) => {
          const query = { symbol: ticker, expiration, greeks: "true" };
          const { options } = await ask("/v1/markets/options/chains", Options, query, signal);
          return (options?.option ?? []).map((one) => contractOf(one, ticker, expiration));
        }),
      );
      const contracts = new Map(pages.flat().flatMap((one) => (one === null ? [] : [[one.symbol, one]])));
      const { last: price, trade_date: tradedAt } = quotes.quote;
      return {
        underlying: { symbol: instrument.symbol, price, tradedAt },
        asOf: new Date(setup.now()).toISOString(),
        delayMinutes: sandbox ? 15 : 0,
        source: "tradier",
        ...(told.length < dates.length && { until: told.at(-1)! }),
        contracts: [...contracts.values()],
      } satisfies OptionChain;
    },
  };
}

/** A contract in our words; null for one of another root or size. Throws on one that says two things of itself. */
function contractOf(
  told: z.infer<typeof Contract>,
  ticker: string,
  expiration: string,
): OptionContract | null {
  const { symbol, strike, option_type: type, bid, ask, last, greeks } = told;
  const { root, ...name } = parseOsiSymbol(symbol);
  const differs = root !== told.root_symbol || name.type !== type || name.strike !== strike;
  if (differs || name.expiry !== expiration || told.expiration_date !== expiration)
    throw new ProviderFailure("malformed", "an option that is not what its name says");
  if (told.underlying !== ticker) throw new ProviderFailure("malformed", "options on another symbol");
  if (root !== ticker.replace("/", "") || told.contract_size !== 100) return null;
  const modelled = greeksOf(type, greeks ?? null);
  return {
    symbol,
    expiry: expiration,
    type,
    strike,
    bid,
    ask,
    bidSize: bid === null ? null : told.bidsize,
    askSize: ask === null ? null : told.asksize,
    last,
    lastTradedAt: last === null ? null : told.trade_date,
    volume: told.volume,
    openInterest: told.open_interest,
    ...modelled,
    theta: null,
    vega: null,
    theoretical: null,
  };
}

/** Volatility of the quotes, else of its smoothed surface. A delta of the other side's sign is what a failed model leaves. */
function greeksOf(
  type: "call" | "put",
  greeks: z.infer<typeof Greeks> | null,
): Pick<OptionContract, "iv" | "delta" | "gamma"> {
  const iv = greeks?.mid_iv ?? greeks?.smv_vol ?? null;
  const [delta, gamma] = [greeks?.delta ?? null, greeks?.gamma ?? null];
  const side = delta === null ? null : type === "call" ? delta : -delta;
  const could = iv !== null && side !== null && side >= 0 && side <= 1 && gamma !== null && gamma >= 0;
  return could ? { iv, delta, gamma } : { iv, delta: null, gamma: null };
}
