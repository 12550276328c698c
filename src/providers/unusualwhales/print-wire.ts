import { z } from "zod";
import type { Print, PrintCondition } from "../../domain/off-exchange/prints.ts";
import { isLateReport, orderedConditions } from "../shared/sale-conditions.ts";

/** Numbers come as text over some of its doors and as numbers over others. */
const Figure = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .refine((value) => Number.isFinite(value));
const Positive = Figure.refine((value) => value > 0);
/** With a blank in the place of the T in some documents. */
const Instant = z
  .string()
  .transform((text) => Date.parse(text.replace(" ", "T")))
  .refine((at) => !Number.isNaN(at));
const Code = z.string().max(60).nullish();

export const Trade = z.object({
  ticker: z.string().max(12),
  price: Positive,
  size: Positive,
  /** When the tape told it. */
  executed_at: Instant,
  /** When it was made; not told of trades before May 2025. */
  trf_executed_at: z.union([Instant, z.literal("").transform(() => null)]).nullish(),
  canceled: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]).nullish(),
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

export const PriceLevels = z.object({
  data: z.array(
    z.object({
      price: Positive,
      dark_pool_volume: Figure.refine((value) => value >= 0),
      regular_volume: Figure.refine((value) => value >= 0),
    }),
  ),
  date: z.string(),
});

/** Codes that say of which moment or market a price is; the others, such as odd lots and extended hours, say nothing of it. */
const CONDITIONS: Readonly<Record<string, PrintCondition>> = {
  average_price_trade: "average_price",
  prior_reference_price: "prior_reference",
  derivative_priced: "derivative_priced",
  contingent_trade: "contingent",
  qualified_contingent_trade: "contingent",
  sold_out_of_sequence: "late",
  extended_hours_trade_late_or_out_of_sequence: "late",
};
/** Settlements that are paid for in the price. */
const SETTLED_APART = /^(cash|next_day|seller)(_settlement)?$/;

/** Trades of one answer as prints, each under a name of its own where the vendor gives none. */
export function printsOf(trades: readonly Trade[]): readonly Print[] {
  const alike = new Map<string, number>();
  return trades.map((trade) => {
    const { price, size, executed_at: reportedAt, nbbo_bid: bid, nbbo_ask: ask } = trade;
    const executedAt = Math.min(trade.trf_executed_at ?? reportedAt, reportedAt);
    const own = `${reportedAt}-${price}-${size}`;
    const nth = (alike.get(own) ?? 0) + 1;
    alike.set(own, nth);
    const codes = [trade.sale_cond_codes, trade.ext_hour_sold_codes, trade.trade_code];
    const quoted =
      bid !== null && bid !== undefined && ask !== null && ask !== undefined && bid > 0 && ask >= bid;
    return {
      id: (trade.tracking_id ?? 0) > 0 ? `${reportedAt}-${trade.tracking_id}` : `${own}-${nth}`,
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
