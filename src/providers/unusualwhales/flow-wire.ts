import { z } from "zod";
import type { OptionTrade, TideTick } from "../../domain/options-flow/options.ts";
import { EpochMs, Figure, PositiveFigure } from "../shared/fields.ts";
import { parseOsiSymbol } from "../shared/osi-symbol.ts";
import { FlagOrNull, Instant } from "./fields.ts";

const Dollars = Figure.refine((value) => value >= 0);

/** A run of trades on one contract within moments. Its socket sends no `created_at`. */
export const Alert = z
  .object({
    id: z.string().max(80).nullish(),
    ticker: z.string().max(12),
    option_chain: z.string().max(24),
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
export const Alerts = z.object({ data: z.array(Alert) });

export const timeOf = ({ end_time, created_at }: Alert): number => (end_time ?? created_at)!;

/** A run as one trade. @throws ProviderFailure "malformed" for an invalid option symbol */
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

export const Ticks = z.object({
  data: z.array(
    z.object({
      timestamp: Instant,
      net_call_premium: Figure,
      net_put_premium: Figure,
      net_volume: Figure,
    }),
  ),
});

export const ticksOf = ({ data }: z.infer<typeof Ticks>): readonly TideTick[] =>
  data.map((tick) => ({
    time: tick.timestamp,
    netCallPremium: tick.net_call_premium,
    netPutPremium: tick.net_put_premium,
    netVolume: tick.net_volume,
  }));
