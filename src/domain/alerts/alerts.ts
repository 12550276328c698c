import { z } from "zod";
import { Iso, MarketMode } from "../answers.ts";
import { NamedFigure } from "../figures.ts";
import { Timeframe } from "../market/bars.ts";
import { SignalChange } from "./changes.ts";

/**
 * Maximum numbers: subscriptions and watchlists per account, symbols per subscription or watchlist, symbols and
 * deliveries listed per response.
 */
export const ALERT_LIMITS = {
  subscriptions: 200,
  symbols: 50,
  watchlists: 20,
  listed: 100,
  deliveries: 200,
} as const;

/** Lowest plan with alerts; conditions are watched and alerts sent only while the account has it. */
export const ALERTS_PLAN = "pro";

export const SubscriptionId = z
  .string()
  .regex(/^sb_[0-9a-f]{20}$/, "must be an id returned by create_subscription: sb_ and 20 hexadecimal digits")
  .describe("Id of create_subscription: sb_ and 20 hex digits");

/** Name of a watchlist, stored in lower case. */
export const WatchlistName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-zA-Z0-9][a-zA-Z0-9 ._-]{0,39}$/,
    "must be 1 to 40 letters, digits, spaces, dots, hyphens or underscores, beginning with a letter or digit",
  )
  .describe("Your name for the list, such as tech: at most 40 letters, digits, spaces or hyphens");

export const Watchlist = z.object({
  name: z.string(),
  symbols: z.array(z.string()).describe("Canonical, in the order given"),
  saved_at: Iso,
});
export type Watchlist = z.infer<typeof Watchlist>;

/** Delivery channel of alerts; none: alerts are only stored, for list_deliveries and what_changed. */
export const Channel = z.enum(["webhook", "ntfy", "telegram", "slack", "email", "none"]);
export type Channel = z.infer<typeof Channel>;

/** Conditions of symbols, evaluated on their prices. */
export const SYMBOL_CONDITIONS = ["signal", "price", "rule"] as const;

/**
 * Trigger of a subscription: a changed signal, a price or an indicator rule, each on the transition from false to true;
 * or something that waits for a person's confirmation.
 */
export const Condition = z.object({
  on: z.enum([...SYMBOL_CONDITIONS, "confirmation"]),
  changes: z
    .array(z.enum(["direction", "grade"]))
    .describe("For signal: changes that trigger an alert; empty for other conditions"),
  above: z.number().nullable().describe("For price: triggers when the price rises above it, USD"),
  below: z.number().nullable().describe("For price: triggers when the price falls below it, USD"),
  rule: z
    .string()
    .nullable()
    .describe("For rule: expression in the language of run_backtest, on closed bars"),
});
export type Condition = z.infer<typeof Condition>;

export const Subscription = z.object({
  subscription_id: z.string(),
  name: z.string().nullable(),
  symbols: z
    .array(z.string())
    .describe("Symbols watched; for a watchlist, its current symbols; none for confirmation"),
  watchlist: z.string().nullable(),
  timeframe: Timeframe,
  condition: Condition,
  channel: Channel,
  target: z.string().nullable().describe("Host of the destination; the full address is stored encrypted"),
  created_at: Iso,
  state: z.enum(["active", "paused"]),
  reason: z.string().nullable().describe("Why it is paused, or why an active one cannot trigger now"),
});
export type Subscription = z.infer<typeof Subscription>;

export const AlertFired = z.object({
  alert_id: z.string(),
  subscription_id: z.string(),
  symbol: z.string().nullable().describe("null: about no symbol"),
  timeframe: Timeframe.nullable().describe("null: about no signal, price or rule"),
  fired_at: Iso,
  as_of: Iso.describe("Time of the newest figure in it"),
  text: z.string().describe("One-sentence description written by this server"),
  change: SignalChange.nullable().describe("For signal conditions; null for others"),
  figures: z
    .record(z.string(), NamedFigure.nullable())
    .describe("Figures of the condition, such as price and level"),
  source: z.string(),
  market: MarketMode,
});
export type AlertFired = z.infer<typeof AlertFired>;

/** State of an alert's delivery. `stored`: its subscription has no channel, so it can only be read here. */
export const DeliveryState = z.enum(["waiting", "sending", "delivered", "undelivered", "stored"]);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** Entry of the delivery log: one alert and every attempt to deliver it. */
export const Delivery = z.object({
  delivery_id: z.string(),
  subscription_id: z.string(),
  channel: Channel,
  target: z.string().nullable().describe("Host of the destination; null without one"),
  state: DeliveryState.describe(
    "waiting: to be sent; undelivered: delivery was given up; stored: not sent, because the subscription has no channel",
  ),
  reason: z.string().nullable().describe("Why delivery was given up; null otherwise"),
  next_attempt_at: Iso.nullable().describe("Next attempt; null: none is scheduled"),
  alert: AlertFired,
  attempts: z
    .array(
      z.object({
        at: Iso,
        status: z.number().int().nullable().describe("HTTP status, or code of the mail server"),
        reason: z.string().nullable().describe("null on success"),
        ms: z.number(),
      }),
    )
    .describe("The newest 20, oldest first"),
});
export type Delivery = z.infer<typeof Delivery>;
