import { z } from "zod";
import { Iso } from "../answers.ts";
import { Amount } from "./trading.ts";

/** Risk limits set by an account's owner; null disables a limit. Units are in the names. */
export const RiskLimits = z.object({
  max_notional_usd: Amount.nullable().describe("Maximum notional that one order opens"),
  max_notional_pct: Amount.nullable().describe("The same in percent of equity"),
  max_quantity: Amount.nullable().describe("Maximum units that one order opens"),
  max_price_off_pct: Amount.nullable().describe(
    "Maximum distance of a limit or stop price from the last price",
  ),
  max_open_risk_pct: Amount.nullable().describe(
    "Maximum loss from the current prices if every stop is hit, percent of equity",
  ),
  max_trade_risk_pct: Amount.nullable().describe("Loss of one order at its stop, percent of equity"),
  max_position_pct: Amount.nullable().describe("Value of one position, percent of equity"),
  max_adv_pct: Amount.nullable().describe("One order, percent of the 20-day average volume"),
  max_daily_loss_pct: Amount.nullable().describe(
    "Maximum loss since the previous close, percent of equity at that close",
  ),
  halt_drawdown_pct: Amount.nullable().describe("Maximum fall of equity from its peak, percent"),
  max_stop_over_target_points: Amount.nullable().describe(
    "Maximum by which the odds of the stop exceed those of the target, percentage points",
  ),
  max_orders_a_minute: z.number().int().min(1).nullable(),
  max_quote_age_seconds: z.number().int().min(1).nullable(),
  cooldown_stop_outs: z.number().int().min(1).nullable().describe("Stop-outs that trigger a cooldown"),
  cooldown_minutes: z.number().int().min(1).describe("Counted from the first of those stop-outs"),
  symbols: z.array(z.string()).nullable().describe("Only these may be opened; null: any"),
  hours: z.enum(["regular", "any"]).describe("Venue sessions in which orders may be sent"),
  unconfirmed_live_usd: Amount.nullable().describe(
    "Live orders need no confirmation by a person while all unconfirmed ones within 24 hours, opening and closing, have at most this notional; null: all need it",
  ),
  unconfirmed_live_closing: z
    .boolean()
    .describe("true: live orders that only close a position need no confirmation, whatever their size"),
});
export type RiskLimits = z.infer<typeof RiskLimits>;

/** Kill switch of an account's live orders. */
export const KillSwitch = z.object({
  engaged: z.boolean().describe("true: no live order of this account is sent; paper trading continues"),
  since: Iso.nullable().describe("Time of the last change; null: never changed"),
  reason: z.string().nullable().describe("Reason given with the last change"),
});
export type KillSwitch = z.infer<typeof KillSwitch>;
