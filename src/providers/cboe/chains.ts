import { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { Provider } from "../../domain/providers/provider.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { parseOsiSymbol } from "../shared/osi-symbol.ts";
import { createClient, DELAY_MINUTES, tickerAt } from "./client.ts";
import { Figure, FigureOrNone, Header, PriceOrNone, TimeOrNone } from "./wire.ts";

/** A fund with daily expiries lists more than 13,000 contracts, which takes several megabytes. */
const MAX_BYTES = 48 * 1024 * 1024;

const Greek = Figure.nullish().transform((figure) => figure ?? null);

/** One contract. Where its model gave no volatility, greeks are written as 0. */
const Contract = z.object({
  option: z.string().regex(/^[A-Z0-9]{1,6}\d{6}[CP]\d{8}$/),
  bid: PriceOrNone,
  ask: PriceOrNone,
  bid_size: FigureOrNone,
  ask_size: FigureOrNone,
  last_trade_price: PriceOrNone,
  last_trade_time: TimeOrNone,
  volume: FigureOrNone,
  open_interest: FigureOrNone,
  iv: PriceOrNone,
  delta: Greek,
  gamma: Greek,
  theta: Greek,
  vega: Greek,
  theo: FigureOrNone,
});

const Chain = z.object({
  /** UTC, without saying so. */
  timestamp: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    .transform((text) => Date.parse(`${text.replace(" ", "T")}Z`))
    .refine((time) => !Number.isNaN(time)),
  symbol: z.string(),
  data: Header.extend({ options: z.array(Contract) }),
});

/**
 * Option chains of stocks and funds from Cboe's delayed quotes: every expiry in one call, with greeks of its own
 * model. Rejects with ProviderFailure, `unknown_symbol` where nothing is listed under the name. Contracts with another
 * root than the ticker's are left out: after a takeover or an odd split they are not of 100 shares. One call a chain;
 * its budget is a part of what one address was served, the greater part is left to quotes.
 */
export function cboeChains(setup: ProviderSetup): Provider<Instrument, OptionChain> {
  const ask = createClient(setup, MAX_BYTES);
  return {
    name: "cboe",
    budget: { calls: 8, perMs: 60_000, atOnce: 2 },
    async call(instrument, { signal }) {
      const ticker = tickerAt(instrument);
      const { timestamp, data } = await ask("options", ticker, Chain, signal);
      const root = ticker.replace(".", "");
      const contracts = data.options.map(contractOf).filter(({ symbol }) => symbol.slice(0, -15) === root);
      if (data.symbol !== ticker || (contracts.length === 0 && data.options.length > 0))
        throw new ProviderFailure("malformed", "options on another ticker");
      return {
        underlying: {
          symbol: instrument.symbol,
          price: data.current_price,
          tradedAt: isoOf(data.last_trade_time),
        },
        asOf: new Date(timestamp).toISOString(),
        delayMinutes: DELAY_MINUTES,
        source: "cboe",
        contracts,
      } satisfies OptionChain;
    },
  };
}

function contractOf(told: z.infer<typeof Contract>): OptionContract {
  const { option, iv, bid, ask, last_trade_price: last } = told;
  const { expiry, type, strike } = parseOsiSymbol(option);
  const modelled = <T>(figure: T): T | null => (iv === null ? null : figure);
  return {
    symbol: option,
    expiry,
    type,
    strike,
    bid,
    ask,
    bidSize: bid === null ? null : told.bid_size,
    askSize: ask === null ? null : told.ask_size,
    last,
    lastTradedAt: last === null ? null : isoOf(told.last_trade_time),
    volume: told.volume,
    openInterest: told.open_interest,
    iv,
    delta: modelled(told.delta),
    gamma: modelled(told.gamma),
    theta: modelled(told.theta),
    vega: modelled(told.vega),
    theoretical: told.theo === 0 ? modelled(0) : told.theo,
  };
}

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
