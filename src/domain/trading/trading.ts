import { z } from "zod";
import { decimal } from "../../lib/decimal.ts";
import { readLevel } from "../../lib/level-text.ts";
import { Iso } from "../answers.ts";

/** Exact amount of money or units: decimal text with at most nine decimal places, never a floating-point number. */
export const Amount = z
  .string()
  .regex(/^-?\d{1,15}(\.\d{1,9})?$/, 'must be a decimal number as text, such as "12.5"')
  .describe("Decimal number as text");
export type Amount = z.infer<typeof Amount>;

/** Significant digits that a JSON number carries exactly. */
const MAX_DIGITS = 15;

/** Maximum significant digits of a number after removing binary rounding, and maximum decimal places of an amount. */
const MAX_ROUNDED_DIGITS = 12;
const MAX_PLACES = 9;
/** Decimal text with more decimal places than an amount; other text is exact or no amount. */
const OVER_PRECISE = /^\s*\d{1,12}\.\d{10,}\s*$/;

/**
 * Returns a number as decimal text without the binary rounding of a sum: 0.30000000000000004 becomes 0.3. Refuses a
 * number with more digits than it carries exactly, and any amount with more than nine decimal places.
 */
function decimalText(value: string | number, ctx: z.RefinementCtx): string | number {
  const isDecimal = typeof value === "number" ? Number.isFinite(value) : OVER_PRECISE.test(value);
  if (!isDecimal) return value;
  const exact = decimal(typeof value === "number" ? value : value.trim());
  const digits = exact.c.length;
  const near = digits > MAX_DIGITS ? exact.prec(MAX_DIGITS) : exact;
  const isNoise = digits > MAX_DIGITS && near.c.length <= MAX_ROUNDED_DIGITS;
  const read = isNoise ? near : exact;
  if (!read.round(MAX_PLACES).eq(read) && read.gt(0)) {
    const nearest = read.round(MAX_PLACES);
    const why =
      typeof value === "number" && digits > MAX_DIGITS
        ? `has more than ${MAX_DIGITS} digits, which a JSON number does not carry exactly`
        : `has more than ${MAX_PLACES} decimal places`;
    ctx.addIssue(`${why}: ${(nearest.gt(0) ? nearest : decimal("1e-9")).toFixed()} is the nearest amount`);
    return z.NEVER;
  }
  if (typeof value !== "number") return read.toFixed();
  if (read.c.length <= MAX_DIGITS) return read.toFixed();
  ctx.addIssue(
    `has more than ${MAX_DIGITS} digits, which a JSON number does not carry exactly: send it as text`,
  );
  return z.NEVER;
}

/** Amount above 0, as passed by a caller: decimal text, or a JSON number, which becomes the decimal it was written as. */
export const Positive = z
  .preprocess(
    decimalText,
    z
      .string()
      .trim()
      .regex(/^(?!0*(\.0*)?$)\d{1,12}(\.\d{1,9})?$/, {
        error: ({ input }) =>
          `must be a number above 0, such as 12.5 or "12.5"${
            typeof input === "string" && readLevel(input) !== null
              ? ", not a percent or a multiple of ATR"
              : ""
          }`,
      }),
  )
  .describe("Decimal number above 0, as text or number");

export const BROKERS = ["paper", "alpaca"] as const;
export const BrokerName = z.enum(BROKERS);
export type BrokerName = z.infer<typeof BrokerName>;
export const AccountType = z.enum(["paper", "live"]).describe("paper: no money moves; live: real money");
export type AccountType = z.infer<typeof AccountType>;

/** Fill model of the paper exchange: like a market, or at the next open like a backtest. */
export const PaperFills = z.enum(["market", "next_open"]);
export type PaperFills = z.infer<typeof PaperFills>;

/** Opening cash of a paper account, US dollars: 100 to 1,000,000,000, to the cent. */
export const PaperEquity = z
  .string()
  .trim()
  .regex(/^\d{1,10}(\.\d{1,2})?$/, "must be a number of US dollars, such as 100000")
  .refine((text) => Number(text) >= 100 && Number(text) <= 1e9, "must be from 100 to 1000000000 US dollars");

export const ConnectionId = z
  .string()
  .regex(/^cn_[0-9a-f]{20}$/, "must be an id returned by connect_broker: cn_ and 20 hexadecimal digits")
  .describe("Connection id returned by connect_broker");
export const TicketId = z
  .string()
  .regex(/^tk_[0-9a-f]{20}$/, "must be an id returned by preview_trade: tk_ and 20 hexadecimal digits")
  .describe("Ticket returned by preview_trade");
export const OrderId = z
  .string()
  .regex(/^or_[0-9a-f]{20}$/, "must be an id returned by execute_trade: or_ and 20 hexadecimal digits")
  .describe("Order id returned by execute_trade");

/** A connected account, without its credentials. */
export const Connection = z.object({
  connection_id: z.string(),
  broker: BrokerName,
  account_type: AccountType,
  account_mask: z.string().describe("The last four characters of the broker's own account number"),
  market: z.string().describe("Id of the market whose prices it trades on; it is usable only in that market"),
  connected_at: Iso.nullable().describe("null: the built-in paper account, before its first use"),
  checked_at: Iso.describe("When the broker last accepted the credentials"),
});
export type Connection = z.infer<typeof Connection>;

export const Side = z.enum(["buy", "sell"]);
export type Side = z.infer<typeof Side>;
export const OrderType = z.enum(["market", "limit", "stop", "stop_limit"]);
export type OrderType = z.infer<typeof OrderType>;
export const TimeInForce = z.enum(["day", "gtc"]);
export type TimeInForce = z.infer<typeof TimeInForce>;

/** Complete order intent; leaves nothing for a broker to infer. */
export const Intent = z.object({
  symbol: z.string().describe("Canonical"),
  side: Side,
  type: OrderType,
  quantity: Amount,
  limit_price: Amount.nullable(),
  stop_price: Amount.nullable(),
  time_in_force: TimeInForce,
  take_profit: Amount.nullable().describe("Limit price of the bracket; null without one"),
  stop_loss: Amount.nullable().describe("Stop price of the bracket; null without one"),
});
export type Intent = z.infer<typeof Intent>;

/** State of an order here. `unknown`: the broker's response was lost; nothing is resent before the order is read back. */
export const OrderState = z.enum(["submitting", "accepted", "rejected", "unknown", "reconciled"]);
export type OrderState = z.infer<typeof OrderState>;
/** States in which the result of sending is unknown. */
export const UNRESOLVED_STATES: readonly OrderState[] = ["submitting", "unknown"];
/** Status of an order at the broker. */
export const BrokerStatus = z.enum([
  "working",
  "partially_filled",
  "filled",
  "cancelled",
  "expired",
  "rejected",
]);
export type BrokerStatus = z.infer<typeof BrokerStatus>;
/** Statuses in which an order may still be filled. */
export const MAY_FILL: readonly BrokerStatus[] = ["working", "partially_filled"];

export const Order = z.object({
  order_id: z.string(),
  ticket_id: z.string(),
  connection_id: z.string(),
  client_order_id: z.string().describe("Derived from the ticket: the same for every retry"),
  intent: Intent,
  state: OrderState.describe(
    "Whether it reached the broker; broker_status has its state there, and status combines both",
  ),
  broker_status: BrokerStatus.nullable().describe("null until the broker has responded"),
  filled_quantity: Amount,
  average_price: Amount.nullable().describe("Mean price of the filled part; null before the first fill"),
  fees: Amount,
  reason: z.string().nullable().describe("Why it was rejected or is unknown"),
  market: z.string().describe("Id of the market it was sent in"),
  created_at: Iso,
  updated_at: Iso,
});
export type Order = z.infer<typeof Order>;

/** Maximum change of the price between preview and execution, percent; beyond it, the order is not sent. */
export const MAX_PRICE_MOVE_PCT = 1;

export const isUnresolved = ({ state }: Pick<Order, "state">): boolean => UNRESOLVED_STATES.includes(state);
export const mayFill = (status: BrokerStatus): boolean => MAY_FILL.includes(status);
/** Returns true if it may still be filled or its state is still being checked. */
export const isWorking = (order: Pick<Order, "state" | "broker_status">): boolean =>
  isUnresolved(order) ||
  (order.state !== "rejected" && order.broker_status !== null && mayFill(order.broker_status));
/** Returns true if the order is final. */
export const isFinal = ({ state, broker_status }: Pick<Order, "state" | "broker_status">): boolean =>
  state === "rejected" || (broker_status !== null && !mayFill(broker_status));

/** Combined status of an order: our state while the result of sending is unknown, otherwise the broker's status. */
export const OrderStatus = z.enum(["submitting", "unknown", ...BrokerStatus.options]);
export type OrderStatus = z.infer<typeof OrderStatus>;
export const orderStatus = ({ state, broker_status }: Pick<Order, "state" | "broker_status">): OrderStatus =>
  state === "submitting" || state === "unknown" || state === "rejected"
    ? state
    : (broker_status ?? "working");

export const OrderShown = Order.extend({
  status: OrderStatus.describe("State of the order. unknown: reconcile_orders reads it back."),
});
export type OrderShown = z.infer<typeof OrderShown>;
export const orderShown = (order: Order): OrderShown => ({ ...order, status: orderStatus(order) });

export const Position = z.object({
  symbol: z.string(),
  quantity: Amount.describe("Negative: short"),
  average_price: Amount,
  connection_id: z.string().nullable().describe("null: held elsewhere, imported from CSV"),
  as_of: Iso,
});
export type Position = z.infer<typeof Position>;

export const RiskUnit = z.enum([
  "USD",
  "%",
  "units",
  "contracts",
  "s",
  "per minute",
  "minutes",
  "points",
  "ATR14",
  "% of equity",
  "% of volume",
  "x the loss at the stop",
]);
export type RiskUnit = z.infer<typeof RiskUnit>;
/** What a violated rule does: stop keeps an order from being sent, warn and info do not. */
export const RiskLevel = z.enum(["stop", "warn", "info"]);
export type RiskLevel = z.infer<typeof RiskLevel>;
export const RiskCheck = z.object({
  rule: z.string(),
  state: z.enum(["passed", "failed", "unknown"]).describe("unknown: its data is missing"),
  level: RiskLevel.describe("If it does not pass: stop refuses the order, warn and info do not"),
  value: z.string().nullable().describe("Current value; null: unknown"),
  limit: z.string().describe("Maximum or allowed value"),
  unit: RiskUnit.nullable().describe("Unit of value and limit; null: text"),
  set_by: z.string().nullable().describe("Deciding limit as named by get_risk_limits; null: none"),
  would_pass: z.string().nullable().describe("Value that would pass; null if it passes or no value would"),
  passes_at: Iso.optional().describe("When it will pass without a change, if only waiting helps"),
  held_by: z
    .array(z.string())
    .optional()
    .describe("Orders that reserve units of the position; cancel_order frees them"),
});
export type RiskCheck = z.infer<typeof RiskCheck>;
