import { z } from "zod";
import { Amount } from "../trading/trading.ts";

/** Maximum of a daily limit of calls. */
const MAX_CALLS = 1_000_000;

/** Daily limits that a person sets for an app, in addition to those of the account. Null: no limit of its own. */
export const AppLimits = z.object({
  calls_daily: z
    .number()
    .int()
    .min(1)
    .max(MAX_CALLS)
    .nullable()
    .describe("Calls a day; null: only the limits of the account"),
  live_usd_daily: Amount.refine((text) => !text.startsWith("-"), "must be 0 or more")
    .nullable()
    .describe(
      "Notional of the live orders within 24 hours, US dollars. 0: no live orders; null: only the limits of the account",
    ),
});
export type AppLimits = z.infer<typeof AppLimits>;

/** Limits of an app to change; those that are omitted stay. */
export type AppLimitsChange = { readonly [Name in keyof AppLimits]?: AppLimits[Name] | undefined };

/** Limits of an app whose person set none. */
export const DEFAULT_APP_LIMITS: AppLimits = { calls_daily: 1_000, live_usd_daily: "0" };

/** Limits of an app whose tokens an external issuer signs. They cannot be changed here, so it sends no live orders. */
export const EXTERNAL_APP_LIMITS: AppLimits = { calls_daily: null, live_usd_daily: "0" };

/** Live orders a day that are suggested to a person who allows an app to trade with money, US dollars. */
export const SUGGESTED_LIVE_USD = "1000";

/** Orders that an app sent. */
export interface AppOrders {
  /** Paper and live orders within 30 days, rejected ones included. */
  readonly orders_30_days: number;
  /** Notional of the live orders within 24 hours that were not rejected, US dollars. */
  readonly live_usd_24_hours: Amount;
}

/** An app that a person allowed to act for an account over MCP. */
export interface ConnectedApp {
  readonly client_id: string;
  /** What the app calls itself; not verified. */
  readonly name: string | null;
  /** Address that the app states; not verified. */
  readonly uri: string | null;
  readonly scopes: readonly string[];
  /** ISO 8601 UTC. */
  readonly connected_at: string;
  /** Last call, ISO 8601 UTC; null before the first. */
  readonly last_used_at: string | null;
  readonly limits: AppLimits;
}

/** A connected app with its calls (days in UTC) and orders. */
export interface ConnectedAppUse extends ConnectedApp, AppOrders {
  readonly calls_today: number;
  /** Today included. */
  readonly calls_30_days: number;
}

/** An app that called within 30 days and is not connected on this server. */
export interface UnlistedApp {
  readonly client_id: string;
  /** Day of the last call, UTC. */
  readonly last_used_on: string;
  readonly calls_30_days: number;
}

/** The apps that may act for an account. `by` names who acts, in the audit log. */
export interface ConnectedApps {
  /** Returns the apps of an account, newest first. */
  apps(account: string): Promise<readonly ConnectedAppUse[]>;
  /**
   * Ends what an app may do for an account, at once. Rejects with NOT_FOUND if it was not allowed anything, and with FORBIDDEN
   * if `by` is another app.
   */
  disconnect(account: string, client: string, by: string): Promise<void>;
}

/** Repository of the limits and orders of apps; who is connected is part of `People`. */
export interface AppRepository {
  /** Returns the limits of an app that the account has allowed; null if it is not connected. */
  limits(account: string, client: string): Promise<AppLimits | null>;
  /** Stores the limits of an app that has asked for access. False for an unknown app. */
  saveLimits(account: string, client: string, limits: AppLimits, at: string): Promise<boolean>;
  /** Returns the orders of each app by its id, as of a time. */
  orders(account: string, at: Date): Promise<ReadonlyMap<string, AppOrders>>;
}
