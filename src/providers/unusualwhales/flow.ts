import { z } from "zod";
import type { OptionTrade, TideTick } from "../../domain/options-flow/options.ts";
import type { TideProvider, TradeProvider } from "../../domain/options-flow/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { EpochMs, Figure, PositiveFigure } from "../shared/fields.ts";
import { OsiText, parseOsiSymbol } from "../shared/osi-symbol.ts";
import { pageSize, rowsOf } from "../shared/rows.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { FlagOrNull, Instant, type UnusualWhalesSetup, unusualWhalesApi } from "./api.ts";

const Dollars = Figure.refine((value) => value >= 0);

/** A flow alert: a rapid series of trades in one contract. */
export const Alert = z
  .object({
    id: z.string().max(80).nullish(),
    ticker: z.string().max(12),
    option_chain: OsiText,
    price: PositiveFigure,
    total_size: PositiveFigure,
    trade_count: PositiveFigure,
    total_premium: Dollars,
    total_ask_side_prem: Dollars.nullish(),
    total_bid_side_prem: Dollars.nullish(),
    has_sweep: FlagOrNull,
    has_floor: FlagOrNull,
    has_multileg: FlagOrNull,
    end_time: EpochMs.nullish(),
    created_at: Instant.nullish(),
  })
  .refine(({ end_time, created_at }) => (end_time ?? created_at) != null);
export type Alert = z.infer<typeof Alert>;
const Alerts = z.object({ data: rowsOf(Alert) });

const timeOf = ({ end_time, created_at }: Alert): number => (end_time ?? created_at)!;

/** Converts a series to one trade. @throws ProviderFailure "malformed" for an invalid option symbol */
export function tradeOf(alert: Alert): OptionTrade {
  const { option_chain: contract, total_ask_side_prem: ask, total_bid_side_prem: bid } = alert;
  const { expiry, type, strike } = parseOsiSymbol(contract);
  const executedAt = timeOf(alert);
  const sided = ask != null && bid != null && ask + bid <= alert.total_premium * 1.01 + 1;
  return {
    id: alert.id ?? `${contract}-${executedAt}-${alert.total_size}`,
    contract,
    expiry,
    type,
    strike,
    price: alert.price,
    size: alert.total_size,
    trades: alert.trade_count,
    premium: alert.total_premium,
    askPremium: sided ? ask : null,
    bidPremium: sided ? bid : null,
    sweep: alert.has_sweep,
    floor: alert.has_floor,
    multileg: alert.has_multileg,
    executedAt,
  };
}

const Ticks = z.object({
  data: rowsOf(
    z.object({
      timestamp: Instant,
      net_call_premium: Figure,
      net_put_premium: Figure,
      net_volume: Figure,
    }),
  ),
});

const ticksOf = ({ data }: z.infer<typeof Ticks>): readonly TideTick[] =>
  data.map((tick) => ({
    time: tick.timestamp,
    netCallPremium: tick.net_call_premium,
    netPutPremium: tick.net_put_premium,
    netVolume: tick.net_volume,
  }));

/** Maximum number of rows of a response. */
const LIMIT = 200;

/**
 * Creates the provider of the newest 200 series of large option trades of one ticker, as grouped by Unusual Whales:
 * each with the premium paid at the ask and at the bid, and flags for sweeps and floor trades. A request takes one
 * call; of the 120 calls a minute of the smallest plan, 6 are used.
 * @see https://api.unusualwhales.com/docs, "Flow Alerts"
 */
export function unusualWhalesFlow(setup: UnusualWhalesSetup): TradeProvider {
  const get = unusualWhalesApi(setup);
  return {
    name: "unusualwhales",
    budget: { calls: 6, perMs: 60_000, atOnce: 2 },
    async call({ instrument, from }, { signal }) {
      const ticker = usTicker(instrument);
      const query = { ticker_symbol: ticker, newer_than: new Date(from).toISOString(), limit: LIMIT };
      const { data } = await get("/api/option-trades/flow-alerts", Alerts, { query, signal });
      if (data.some((alert) => alert.ticker !== ticker))
        throw new ProviderFailure("malformed", "response about another ticker");
      const full = pageSize(data) >= LIMIT;
      // a full response may lack trades of its oldest second
      const completeFrom = full ? Math.min(...data.map(timeOf)) + 1_000 : Number.NEGATIVE_INFINITY;
      return { trades: data.map(tradeOf), completeFrom };
    },
  };
}

/**
 * Creates the provider of the market's net premium in five-minute steps of the newest session: premium paid at the ask
 * less premium paid at the bid, for calls and for puts. Premium paid between bid and ask is not counted.
 * @see https://api.unusualwhales.com/docs, "Market Tide"
 */
export function unusualWhalesTide(setup: UnusualWhalesSetup): TideProvider {
  const get = unusualWhalesApi(setup);
  return {
    name: "unusualwhales",
    budget: { calls: 2, perMs: 60_000, atOnce: 1 },
    async call(_, { signal }) {
      const query = { interval_5m: "true" };
      return { ticks: ticksOf(await get("/api/market/market-tide", Ticks, { query, signal })) };
    },
  };
}
