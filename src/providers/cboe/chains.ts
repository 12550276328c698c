import { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import type { OptionChain, OptionContract } from "../../domain/options-flow/options.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { Provider } from "../../domain/providers/provider.ts";
import { Figure } from "../shared/fields.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { OsiText, parseOsiSymbol } from "../shared/osi-symbol.ts";
import { rowsOf } from "../shared/rows.ts";
import { usTicker } from "../shared/us-ticker.ts";
import {
  CountOrNull,
  createTickerReader,
  DELAY_MINUTES,
  Header,
  PriceOrNull,
  regularPrice,
  Timestamp,
  TradeTime,
} from "./files.ts";

/** Maximum size of a file. A fund with daily expiries has more than 13,000 contracts, which take several megabytes. */
const MAX_BYTES = 48 * 1024 * 1024;

const Greek = Figure.nullish().transform((figure) => figure ?? null);

/** One contract. Its greeks are 0 if it has no model volatility. */
const Contract = z.object({
  option: OsiText,
  bid: PriceOrNull,
  ask: PriceOrNull,
  bid_size: CountOrNull,
  ask_size: CountOrNull,
  last_trade_price: PriceOrNull,
  last_trade_time: TradeTime,
  volume: CountOrNull,
  open_interest: CountOrNull,
  iv: PriceOrNull,
  delta: Greek,
  gamma: Greek,
  theta: Greek,
  vega: Greek,
  theo: CountOrNull,
});

const Chain = z.object({
  timestamp: Timestamp,
  symbol: z.string(),
  data: Header.extend({ options: rowsOf(Contract) }),
});

/**
 * Creates the provider of option chains of stocks and funds from Cboe's delayed quotes: all expiries in one call, with
 * greeks from Cboe's model. Contracts whose root is not the ticker are dropped, because after a takeover or an odd
 * split they do not cover 100 shares. Most of the calls that Cboe serves to one IP address are reserved for quotes.
 */
export function cboeChains(setup: ProviderSetup): Provider<Instrument, OptionChain> {
  const read = createTickerReader(setup, MAX_BYTES);
  return {
    name: "cboe",
    budget: { calls: 8, perMs: 60_000, atOnce: 2 },
    async call(instrument, { signal }) {
      const ticker = usTicker(instrument);
      const { timestamp, data } = await read("options", ticker, Chain, signal);
      const regular = regularPrice(timestamp, data);
      const root = ticker.replace(".", "");
      const contracts = data.options.map(contractOf).filter(({ symbol }) => symbol.slice(0, -15) === root);
      if (data.symbol !== ticker || (contracts.length === 0 && data.options.length > 0))
        throw new ProviderFailure("malformed", "options on another ticker");
      return {
        underlying: {
          symbol: instrument.symbol,
          price: regular?.price ?? null,
          tradedAt: isoOf(regular?.tradedAt ?? null),
        },
        asOf: new Date(timestamp).toISOString(),
        delayMinutes: DELAY_MINUTES,
        source: "cboe",
        contracts,
      } satisfies OptionChain;
    },
  };
}

function contractOf(row: z.infer<typeof Contract>): OptionContract {
  const { option, iv, bid, ask, last_trade_price: last } = row;
  const { expiry, type, strike } = parseOsiSymbol(option);
  const modelled = <T>(figure: T): T | null => (iv === null ? null : figure);
  return {
    symbol: option,
    expiry,
    type,
    strike,
    bid,
    ask,
    bidSize: bid === null ? null : row.bid_size,
    askSize: ask === null ? null : row.ask_size,
    last,
    lastTradedAt: last === null ? null : isoOf(row.last_trade_time),
    volume: row.volume,
    openInterest: row.open_interest,
    iv,
    delta: modelled(row.delta),
    gamma: modelled(row.gamma),
    theta: modelled(row.theta),
    vega: modelled(row.vega),
    theoretical: row.theo === 0 ? modelled(0) : row.theo,
  };
}

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
