import type { RiskLimits } from "../../domain/trading/risk.ts";
import { decimal, stepDown, stepUp, truncated } from "../../lib/decimal.ts";
import { openingUnits, type Rule, type Situation } from "./situation.ts";
import { failedCheck, passedCheck, type Verdict } from "./verdict.ts";

/** Rules whose passing value is a price of the order, with the name of that price. */
export const PRICE_RULES = {
  limit_price_off_pct: "limit_price",
  stop_price_off_pct: "stop_price",
} as const;

function within(
  rule: keyof typeof PRICE_RULES,
  { intent, price, tick }: Situation,
  { max_price_off_pct: most }: RiskLimits,
): Verdict | null {
  const requested = intent[PRICE_RULES[rule]];
  if (most === null || requested === null) return null;
  const [last, at] = [decimal(price), decimal(requested)];
  const maxDistance = last.times(most).times("0.01");
  const off = truncated(at.minus(last).abs().times(100).div(last), 4);
  if (at.minus(last).abs().lte(maxDistance)) return passedCheck(rule, off, most);
  const low = stepUp(last.minus(maxDistance), decimal(tick));
  const high = stepDown(last.plus(maxDistance), decimal(tick));
  const near = at.gt(last) ? high : low;
  return failedCheck(rule, off, most, low.gt(high) || near.lte(0) ? null : truncated(near));
}

/** Limits the distance of a limit price from the last price, in percent; the passing value is a price. */
export const limitPriceOff: Rule = (situation, limits) => within("limit_price_off_pct", situation, limits);

/** Limits a stop price likewise if the order opens; a stop that only closes may be at any distance. */
export const stopPriceOff: Rule = (situation, limits) =>
  openingUnits(situation).eq(0) ? null : within("stop_price_off_pct", situation, limits);

/** Rejects openings at a price that a second provider contradicts, that lacks a needed confirmation, or is not in dollars. */
export const priceConfirmed: Rule = (situation) => {
  const { secondPrice } = situation;
  if (secondPrice === undefined || openingUnits(situation).eq(0)) return null;
  return secondPrice === "agrees"
    ? passedCheck("price_confirmed", secondPrice, "agrees")
    : failedCheck("price_confirmed", secondPrice, "agrees", null);
};
