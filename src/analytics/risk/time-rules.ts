import { decimal } from "../../lib/decimal.ts";
import { isWithin } from "../../lib/expiry.ts";
import type { Rule } from "./situation.ts";
import { failedCheck, maxCheck, passedCheck, unknownCheck, withPassesAt } from "./verdict.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Limits the age of the price; rejects a price without a time, or too far in the future. */
export const staleQuote: Rule = ({ now, pricedAt }, { max_quote_age_seconds: most }) => {
  if (most === null) return null;
  if (pricedAt === null) return unknownCheck("max_quote_age_seconds", String(most));
  return maxCheck("max_quote_age_seconds", decimal(Math.abs(now - pricedAt)).div(SECOND), decimal(most));
};

/** Limits the orders sent within a minute, including this one; ignores those dated by a clock that was ahead. */
export const ordersAMinute: Rule = ({ now, orders }, { max_orders_a_minute: most }) => {
  if (most === null) return null;
  const recent = orders.filter((at) => isWithin(at, now, MINUTE)).sort((a, b) => b - a);
  const check = maxCheck("max_orders_a_minute", decimal(recent.length + 1), decimal(most));
  return withPassesAt(check, (recent[most - 1] ?? now) + MINUTE);
};

/** Rejects orders outside the regular session; crypto is always open. */
export const marketHours: Rule = ({ session }, { hours }) => {
  if (hours === "any") return null;
  const open = session === "regular" || session === "always_open";
  return open
    ? passedCheck("market_hours", session, hours)
    : failedCheck("market_hours", session, hours, null);
};

/** Rejects live orders while the kill switch is engaged. */
export const killSwitch: Rule = ({ accountType, killSwitch: engaged }) => {
  if (accountType !== "live") return null;
  return engaged
    ? failedCheck("kill_switch", "engaged", "released", null)
    : passedCheck("kill_switch", "released", "released");
};
