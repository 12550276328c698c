import { z } from "zod";
import { Iso } from "../answers.ts";
import { Ratio, Score } from "../figures.ts";
import { Timeframe, TimeframeText } from "../market/bars.ts";
import { MarketState, PriceSource } from "../market/market.ts";
import { ComparisonRow } from "../market/provenance.ts";
import { FillOdds, PlanOdds } from "../odds/odds.ts";
import { Direction, Grade } from "../signal/signal.ts";
import {
  AccountType,
  Amount,
  BrokerName,
  ConnectionId,
  Intent,
  OrderType,
  Positive,
  RiskCheck,
  Side,
  TimeInForce,
} from "./trading.ts";

/** Trade parameters given by the caller; without one, its default applies or it comes from the signal. */
export const TradeRequest = {
  connection_id: ConnectionId.optional(),
  timeframe: TimeframeText.default("1d").describe("Timeframe of the signal"),
  side: Side.optional().describe("Default: the side of the signal: LONG buys, SHORT sells."),
  quantity: Positive.optional().describe(
    "Units as text or number; only on paper or to close a position. Default: the owner's TRADING_RISK_PCT at the stop.",
  ),
  risk_pct: Positive.optional().describe("Percent of equity to risk, as text or number; paper only"),
  sizing: z
    .enum(["risk_pct", "kelly"])
    .optional()
    .describe(
      "Size without quantity. kelly: a quarter of Kelly from the track record, no ticket without an edge. Default: risk_pct.",
    ),
  type: OrderType.default("market").describe("Order type"),
  limit_price: Positive.optional().describe("USD, as text or number"),
  stop_price: Positive.optional().describe("USD, as text or number"),
  time_in_force: TimeInForce.default("day").describe("day, or gtc (good till cancelled)"),
  stop_loss: Positive.optional().describe("USD. Default: the stop of the signal."),
  take_profit: Positive.optional().describe("USD. Default: the first target of the signal."),
  asset_class: z
    .enum(["equity", "etf", "crypto"])
    .optional()
    .describe("Required if the symbol names several instruments"),
};
/** Order type of a request; omitted, the prices decide. */
export const OrderTypeInput = OrderType.optional().describe(
  "Default: market; limit with limit_price, stop with stop_price",
);

/** Returns the order type of a request: the given one, or the one that takes its prices. */
export const orderTypeOf = ({
  type,
  limit_price,
  stop_price,
}: Pick<TradeOverrides, "type" | "limit_price" | "stop_price">): OrderType => {
  if (type !== undefined) return type;
  if (limit_price === undefined) return stop_price === undefined ? "market" : "stop";
  return stop_price === undefined ? "limit" : "stop_limit";
};

export const TradeRequestSchema = z.object(TradeRequest);
export type TradeRequest = z.infer<typeof TradeRequestSchema>;

/** The same fields without defaults, for a request with a ticket; a field that contradicts the ticket is rejected. */
export const TradeOverrides = {
  ...TradeRequest,
  timeframe: TimeframeText.optional().describe("Timeframe of the signal. Default: 1d."),
  type: OrderTypeInput,
  time_in_force: TimeInForce.optional().describe("day, or gtc (good till cancelled). Default: day."),
};
const TradeOverridesSchema = z.object({ ...TradeOverrides, symbol: z.string().optional() });
export type TradeOverrides = z.infer<typeof TradeOverridesSchema>;

/** A trade as it would be sent: size, checks and maximum loss. */
export const Preview = z.object({
  ticket_id: z
    .string()
    .nullable()
    .describe("Argument of execute_trade, valid once and for 5 minutes; null if nothing may be sent"),
  reason: z.string().nullable().describe("Why there is no ticket"),
  hint: z.string().describe("Next step, with the fields to pass"),
  expires_at: Iso.nullable(),
  connection_id: z.string(),
  broker: BrokerName,
  account_type: AccountType,
  intent: Intent.nullable(),
  quote: z.object({
    price: Amount.describe("USD"),
    price_source: PriceSource,
    traded_at: Iso,
    age_seconds: z.number(),
    market_state: MarketState,
    comparison: ComparisonRow.nullable().describe("Price of a second provider; null if there is none"),
  }),
  signal: z
    .object({
      direction: Direction,
      grade: Grade.nullable(),
      score: Score.nullable(),
      timeframe: Timeframe,
      reward_to_risk: Ratio,
      reason: z.string().nullable(),
    })
    .nullable()
    .describe("null with too few bars"),
  sizing: z.object({
    method: z.enum(["kelly", "risk_pct", "quantity"]),
    quantity: Amount.nullable(),
    at_risk: Amount.nullable().describe("Loss at the stop, USD, before costs; 0 if the order only closes"),
    bound_by: z.string().nullable(),
    reason: z.string().nullable(),
    steps: z.array(z.object({ step: z.string(), formula: z.string(), value: z.string() })),
  }),
  odds: PlanOdds.nullable().describe("Odds of the stop and target of this trade, after its fill"),
  fill: FillOdds.nullable().describe("Of an order that waits for its price; null: it fills now, or no odds"),
  odds_reason: z.string().nullable().describe("Reason why odds is null"),
  checks: z.array(RiskCheck),
  maximum_loss: z.object({
    at_stop: Amount.nullable().describe("USD, before fees and slippage; a price gap may increase it"),
    worst: Amount.nullable().describe(
      "Loss without the stop, USD, before fees and slippage; null: unlimited, or nothing to lose",
    ),
    basis: z.string(),
  }),
  account: z.object({ equity: Amount, buying_power: Amount, held: Amount }),
});
export type Preview = z.infer<typeof Preview>;
