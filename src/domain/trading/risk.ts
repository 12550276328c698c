import { z } from "zod";
import { Iso } from "../answers.ts";
import { Amount } from "./trading.ts";

/** Risk limits set by an account's owner; null disables a limit. Units are in the names. */
export const RiskLimits = z.object({
  max_notional_usd: Amount.nullable().describe("Of what one order opens"),
  max_notional_pct: Amount.nullable().describe("The same, percent of equity"),
  max_quantity: Amount.nullable().describe("Of what one order opens, units"),
  max_price_off_pct: Amount.nullable().describe("Of a limit or stop price from the last price"),
  max_open_risk_pct: Amount.nullable().describe("Lost if every stop is hit, percent of equity"),
  max_daily_loss_pct: Amount.nullable().describe("Since the close before, percent of equity then"),
  halt_drawdown_pct: Amount.nullable().describe("Of equity from its highest"),
  max_orders_a_minute: z.number().int().min(1).nullable(),
  max_quote_age_seconds: z.number().int().min(1).nullable(),
  cooldown_stop_outs: z.number().int().min(1).nullable().describe("Stop-outs that begin a cooldown"),
  cooldown_minutes: z.number().int().min(1).describe("After the first of those stop-outs"),
  symbols: z.array(z.string()).nullable().describe("The only ones that may be opened; null: any"),
  hours: z.enum(["regular", "any"]).describe("Sessions of the venue in which orders are sent"),
  unconfirmed_live_usd: Amount.nullable().describe(
    "Live orders that open no more than this are sent without the owner's confirmation; null: none is",
  ),
});
export type RiskLimits = z.infer<typeof RiskLimits>;

/** Kill switch of an account's live orders. */
export const KillSwitch = z.object({
  engaged: z.boolean().describe("true: no live order of this account is sent; paper goes on"),
  since: Iso.nullable().describe("When it was last engaged or released; null: never"),
  reason: z.string().nullable().describe("As whoever engaged it said"),
});
export type KillSwitch = z.infer<typeof KillSwitch>;
