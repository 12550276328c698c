import { z } from "zod";
import { Iso } from "../answers.ts";
import { Timeframe } from "../market/bars.ts";
import { SignalChange } from "./changes.ts";

/** How much an account may have watched, and how much of the log it may ask for at once. */
export const ALERT_LIMITS = {
  subscriptions: 200,
  symbols: 50,
  watchlists: 20,
  listed: 100,
  deliveries: 200,
} as const;

/** The least plan whose accounts have alerts: watched and sent as long as it is theirs. */
export const ALERTS_PLAN = "pro";

export const SubscriptionId = z
  .string()
  .regex(/^sb_[0-9a-f]{20}$/, "is an id such as create_subscription gives: sb_ and 20 hexadecimal digits")
  .describe("As create_subscription gave it: sb_ and 20 hexadecimal digits");

/** Kept in lower case, so that a list is found however its name is typed. */
export const WatchlistName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-zA-Z0-9][a-zA-Z0-9 ._-]{0,39}$/,
    "has 1 to 40 letters, digits, spaces, dots, hyphens or underscores, a letter or digit first",
  )
  .describe("Your name for the list, such as tech: 40 letters, digits, spaces or hyphens at most");

/** Named list of symbols of an account. */
export const Watchlist = z.object({
  name: z.string(),
  symbols: z.array(z.string()).describe("Canonical, in the order they were said"),
  saved_at: Iso,
});
export type Watchlist = z.infer<typeof Watchlist>;

/** Delivery channel of alerts; none: alerts are only stored, for list_deliveries and what_changed. */
export const Channel = z.enum(["webhook", "ntfy", "telegram", "slack", "none"]);
export type Channel = z.infer<typeof Channel>;

/** Trigger of a subscription: a changed signal, a price or an indicator rule. Fires only on the transition from false to true. */
export const Condition = z.object({
  on: z.enum(["signal", "price", "rule"]),
  changes: z
    .array(z.enum(["direction", "grade"]))
    .describe("signal: which changes count; empty where it is none"),
  above: z.number().nullable().describe("price: fires when the price passes it upwards, USD"),
  below: z.number().nullable().describe("price: fires when the price passes it downwards, USD"),
  rule: z.string().nullable().describe("rule: in the language of run_backtest, on closed bars"),
});
export type Condition = z.infer<typeof Condition>;

/** Subscription of an account to alerts. */
export const Subscription = z.object({
  subscription_id: z.string(),
  name: z.string().nullable(),
  symbols: z.array(z.string()).describe("As of now where a watchlist names them"),
  watchlist: z.string().nullable(),
  timeframe: Timeframe,
  condition: Condition,
  channel: Channel,
  target: z.string().nullable().describe("Host it goes to; the whole address is kept sealed"),
  created_at: Iso,
  state: z.enum(["active", "paused"]),
  reason: z.string().nullable().describe("Why it is paused"),
});
export type Subscription = z.infer<typeof Subscription>;

/** One alert of one subscription. */
export const AlertFired = z.object({
  alert_id: z.string(),
  subscription_id: z.string(),
  symbol: z.string(),
  timeframe: Timeframe,
  fired_at: Iso,
  as_of: Iso.describe("Time of the newest figure in it"),
  text: z.string().describe("What happened, in a sentence of this server's own"),
  change: SignalChange.nullable().describe("Of a signal; null for other conditions"),
  figures: z
    .record(z.string(), z.number().nullable())
    .describe("Figures of the condition, such as price and level"),
  source: z.string(),
  market: z.enum(["sample", "files", "live"]),
});
export type AlertFired = z.infer<typeof AlertFired>;

/** State of an alert's delivery. `kept`: its subscription has no channel, so it can only be read here. */
export const DeliveryState = z.enum(["waiting", "sending", "delivered", "undelivered", "kept"]);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** Entry of the delivery log: one alert and every attempt to deliver it. */
export const Delivery = z.object({
  delivery_id: z.string(),
  subscription_id: z.string(),
  channel: Channel,
  target: z.string().nullable().describe("Host it goes to; null without one"),
  state: DeliveryState.describe("waiting: to be sent; undelivered: given up; kept: no channel"),
  reason: z.string().nullable().describe("Why it was given up; null otherwise"),
  next_attempt_at: Iso.nullable().describe("null: none is due yet, or nothing more is sent"),
  alert: AlertFired,
  attempts: z
    .array(
      z.object({
        at: Iso,
        status: z.number().int().nullable().describe("HTTP status answered; null where nobody did"),
        reason: z.string().nullable().describe("Why it failed; null where it did not"),
        ms: z.number().describe("How long it took"),
      }),
    )
    .describe("The newest 20, oldest first"),
});
export type Delivery = z.infer<typeof Delivery>;
