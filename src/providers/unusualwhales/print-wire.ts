import { z } from "zod";
import type { Print, PrintCondition } from "../../domain/off-exchange/prints.ts";
import { Figure, PositiveFigure } from "../shared/fields.ts";
import { isLateReport, orderedConditions } from "../shared/sale-conditions.ts";
import { FlagOrNull, Instant } from "./fields.ts";

const Code = z.string().max(60).nullish();

export const Trade = z.object({
  ticker: z.string().max(12),
  price: PositiveFigure,
  size: PositiveFigure,
  /** Time of the report. */
  executed_at: Instant,
  /** Time of the trade; missing before May 2025. */
  trf_executed_at: z.union([Instant, z.literal("").transform(() => null)]).nullish(),
  canceled: FlagOrNull,
  nbbo_bid: Figure.nullish(),
  nbbo_ask: Figure.nullish(),
  sale_cond_codes: Code,
  ext_hour_sold_codes: Code,
  trade_code: Code,
  trade_settlement: Code,
  tracking_id: Figure.nullish(),
});
export type Trade = z.infer<typeof Trade>;
export const Trades = z.object({ data: z.array(Trade) });

/** Condition codes that affect the time or market of a price; others, such as odd lots, do not matter. */
const CONDITIONS: Readonly<Record<string, PrintCondition>> = {
  average_price_trade: "average_price",
  prior_reference_price: "prior_reference",
  derivative_priced: "derivative_priced",
  contingent_trade: "contingent",
  qualified_contingent_trade: "contingent",
  sold_out_of_sequence: "late",
  extended_hours_trade_late_or_out_of_sequence: "late",
};
/** Settlement terms that change the price. */
const SETTLED_APART = /^(cash|next_day|seller)(_settlement)?$/;

/** Trades as prints; trades without an id get a running number. */
export function printsOf(trades: readonly Trade[]): readonly Print[] {
  const counts = new Map<string, number>();
  return trades.map((trade) => {
    const { price, size, executed_at: reportedAt, nbbo_bid: bid, nbbo_ask: ask } = trade;
    const executedAt = Math.min(trade.trf_executed_at ?? reportedAt, reportedAt);
    const key = `${reportedAt}-${price}-${size}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    const codes = [trade.sale_cond_codes, trade.ext_hour_sold_codes, trade.trade_code];
    const quoted = bid != null && ask != null && bid > 0 && ask >= bid;
    return {
      id: (trade.tracking_id ?? 0) > 0 ? `${reportedAt}-${trade.tracking_id}` : `${key}-${nth}`,
      price,
      size,
      executedAt,
      reportedAt,
      conditions: orderedConditions([
        ...(trade.canceled === true ? (["cancelled"] as const) : []),
        ...codes.map((code) => (code ? CONDITIONS[code] : undefined)),
        ...(SETTLED_APART.test(trade.trade_settlement ?? "") ? (["contingent"] as const) : []),
        ...(isLateReport(executedAt, reportedAt) ? (["late"] as const) : []),
      ]),
      nbbo: quoted ? { bid, ask } : null,
    };
  });
}
