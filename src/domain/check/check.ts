import { z } from "zod";
import { parseNumber } from "../../lib/number-format.ts";
import { AsOf, Detail, Iso, intBetween } from "../answers.ts";
import { ComputedPrice, Odds, Percent, Ratio, Usd } from "../figures.ts";
import { MarketState, PriceSource } from "../market/market.ts";
import { orderTypeOf } from "../trading/preview.ts";
import { Positive, RiskLevel } from "../trading/trading.ts";
import { SnapshotInput } from "./snapshot.ts";

/** Sides as brokers write them; `sell` closes, and never opens a short position. */
export const CheckSide = z.enum([
  "buy",
  "sell",
  "sell_short",
  "buy_to_cover",
  "buy_to_open",
  "sell_to_close",
  "sell_to_open",
  "buy_to_close",
]);

/** Reads a number that a broker wrote as text, such as `$1,234.50`. */
const plainNumber = (value: unknown): unknown =>
  typeof value === "string" ? (parseNumber(value, "us")?.toFixed() ?? value) : value;
/** An amount above 0, published as a number to keep the definition short. */
export const OrderNumber = z
  .unknown()
  .meta({ type: "number", exclusiveMinimum: 0 })
  .transform(plainNumber)
  .pipe(Positive)
  .optional();

/** The order that a caller plans to place, and what is known of the account. */
export const CheckInput = {
  symbol: z.string().trim().min(1).max(60).describe("AAPL, BTC-USD or one option: AAPL261218C00320000"),
  side: CheckSide.describe("sell never opens a short"),
  quantity: OrderNumber.describe("Units or contracts"),
  notional: OrderNumber.describe("USD, instead of quantity"),
  type: z
    .enum(["market", "limit", "stop", "stop_limit", "trailing_stop"])
    .optional()
    .describe("Default: market, or as its prices imply"),
  limit_price: OrderNumber.describe("USD"),
  stop_price: OrderNumber.describe("USD, trigger"),
  trail_amount: OrderNumber.describe("USD"),
  trail_percent: OrderNumber.describe("%, instead of trail_amount"),
  stop_loss: OrderNumber.describe("USD, planned stop"),
  take_profit: OrderNumber.describe("USD, planned target"),
  extended_hours: z.boolean().default(false).describe("Fill outside of the session"),
  horizon: intBetween(1, 60).default(20).describe("Sessions held"),
  ...SnapshotInput,
  as_of: AsOf.optional(),
  receipt: z.boolean().default(false).describe("true: sign it, for verify_receipt"),
  detail: Detail,
};
type SentCheck = z.output<z.ZodObject<typeof CheckInput>>;
/** A request with its type of order. */
export type CheckRequest = SentCheck & { readonly type: NonNullable<SentCheck["type"]> };

/** Returns a request with its type: that sent, or the one that takes its prices. */
export function withOrderType<Sent extends SentCheck>(request: Sent): Sent & Pick<CheckRequest, "type"> {
  const { type, trail_amount, trail_percent, limit_price, stop_price } = request;
  const trails = trail_amount !== undefined || trail_percent !== undefined;
  return { ...request, type: type ?? (trails ? "trailing_stop" : orderTypeOf({ limit_price, stop_price })) };
}

/** A rule that did not pass. */
export const CheckedRule = z.object({
  rule: z.string(),
  level: RiskLevel.describe("stop: do not place it; warn: show it to the person; info"),
  value: z.string(),
  limit: z.string(),
  would_pass: z.string().optional().describe("What would pass; omitted: no change does"),
  why: z.string().optional(),
});
export type CheckedRule = z.infer<typeof CheckedRule>;

/** What was not checked. */
export const Unknown = z.object({
  what: z.string(),
  send: z.string().optional(),
  required: z.literal(true).optional().describe("true: without it at best warn"),
});
export type Unknown = z.infer<typeof Unknown>;

/** Loss of the opened units, USD. null: unknown, except for `worst`. */
export const CheckLoss = z.object({
  at_stop: Usd.nullable().optional(),
  at_stop_pct: Percent.nullable().optional().describe("Of equity"),
  gap_99: Usd.nullable().optional().describe("In a gap that 1 night in 100 exceeds"),
  gap_worst: Usd.nullable().optional().describe("In the worst night"),
  gaps_beyond_stop: z.number().int().nullable().optional().describe("Nights whose gap passed it"),
  gap_days: z.number().int().optional().describe("Nights counted"),
  worst: Usd.nullable().optional().describe("At most; null: unlimited"),
});
export type CheckLoss = z.infer<typeof CheckLoss>;

/** Odds within `bars`, each with the share of past windows; exits after the fill. */
export const CheckOdds = z.object({
  bars: z.number().int(),
  from: ComputedPrice,
  fill: Odds.nullable().optional().describe("null: it fills now"),
  fill_base: Odds.nullable().optional(),
  stop_first: Odds.nullable().optional(),
  target_first: Odds.nullable().optional(),
  neither: Odds.nullable().optional(),
  base: z
    .object({
      stop_first: Odds.nullable().optional(),
      target_first: Odds.nullable().optional(),
      neither: Odds,
    })
    .optional(),
  windows: z.number().int().optional().describe("Past windows; they overlap"),
  mean_loss_r: Ratio.nullable().optional().describe("Of stopped cases, in multiples of the planned loss"),
});
export type CheckOdds = z.infer<typeof CheckOdds>;

/** 90 % range of the price at the end of the horizon. */
export const CheckRange = z.object({
  bars: z.number().int(),
  p5: ComputedPrice,
  p95: ComputedPrice,
  base_p5: ComputedPrice,
  base_p95: ComputedPrice,
  past_cover_90: Ratio.nullable().optional().describe("Share of past closes inside such ranges"),
});
export type CheckRange = z.infer<typeof CheckRange>;

/** What the order adds to the account. */
export const CheckAdds = z.object({
  position_pct: Percent.describe("Of equity, after the order"),
  open_risk_before_pct: Percent.nullable().optional(),
  open_risk_pct: Percent.nullable().optional().describe("Loss if every stop is hit"),
  day_sd_before_pct: Percent.nullable().optional().describe("Usual daily move, % of equity"),
  day_sd_pct: Percent.nullable().optional(),
  correlation: Ratio.nullable().optional().describe("With the holdings as a whole"),
  nearest: z.array(z.string()).describe("Most correlated holdings"),
  gross_pct: Percent.describe("All positions, long and short"),
});
export type CheckAdds = z.infer<typeof CheckAdds>;

/** One option contract. */
export const CheckOption = z.object({
  contract: z.string(),
  bars_left: z.number().int().describe("Sessions to the expiry"),
  max_loss: Usd.nullable().optional().describe("null: premium unknown, it only closes, or a sold call"),
  max_gain: Usd.nullable().optional(),
  breakeven: ComputedPrice.nullable().optional(),
  touch_strike: Odds.nullable().optional().describe("By the expiry"),
  touch_strike_base: Odds.nullable().optional(),
  beyond_breakeven: Odds.nullable().optional().describe("The buyer gains at expiry"),
  beyond_breakeven_base: Odds.nullable().optional(),
});
export type CheckOption = z.infer<typeof CheckOption>;

/** Response of `check_order`. */
export const CheckAnswer = {
  verdict: z.enum(["ok", "warn", "stop"]),
  summary: z.string(),
  order: z.string().describe("As read, and what it opens or closes"),
  rules: z.array(CheckedRule).describe("Those that did not pass, most severe first"),
  passed: z.array(z.string()).optional(),
  unknown: z.array(Unknown),
  passing_quantity: z.string().optional().describe("Largest that passes every rule on size"),
  loss: CheckLoss.optional(),
  odds: CheckOdds.optional(),
  range: CheckRange.optional(),
  adds: CheckAdds.optional(),
  option: CheckOption.optional(),
  price: z.object({
    value: ComputedPrice,
    source: z.enum([...PriceSource.options, "your_quote"]),
    at: Iso,
    session: MarketState,
  }),
  source: z.string().describe("Provider of the bars"),
  data_as_of: Iso.describe("Close of the last bar"),
  receipt: z.looseObject({}).optional(),
  rules_version: z.string().optional(),
};
const AnswerSchema = z.object(CheckAnswer);
export type CheckAnswer = z.infer<typeof AnswerSchema>;
