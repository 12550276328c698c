import {
  affordable,
  type Decimal,
  decimal,
  maxDecimal,
  minDecimal,
  roundAwayFromZero,
  stepDown,
  truncated,
} from "../../lib/decimal.ts";
import {
  closingUnits,
  openingUnits,
  type Rule,
  type Situation,
  unitRisk,
  unitsBeyondHeld,
  worstUnitPrice,
} from "./situation.ts";
import { failedCheck, passedCheck, type RuleName, unknownCheck, type Verdict } from "./verdict.ts";

/** Decimals of reported amounts; comparisons use full precision. An amount that breaks a limit is rounded up. */
const CENTS = 2;

/** Limits the opened units times `each` to `budget`; the passing value is a quantity of the order. */
export function onUnits(
  rule: RuleName,
  situation: Situation,
  { each, budget, places = CENTS }: { each: Decimal; budget: Decimal; places?: number },
): Verdict {
  const opened = openingUnits(situation);
  const comes = opened.times(each);
  const limit = truncated(budget, places);
  if (opened.eq(0) || comes.lte(budget)) return passedCheck(rule, truncated(comes, places), limit);
  const fits = affordable(budget, each, decimal(situation.step));
  const most = closingUnits(situation).plus(fits.gt(0) ? fits : 0);
  const maxUnits = stepDown(most, decimal(situation.step));
  return failedCheck(
    rule,
    roundAwayFromZero(comes, places),
    limit,
    maxUnits.gt(0) ? truncated(maxUnits) : null,
  );
}

/** Limits the cost of the opened units in dollars. */
export const maxNotional: Rule = (situation, { max_notional_usd }) =>
  max_notional_usd === null
    ? null
    : onUnits("max_notional_usd", situation, {
        each: worstUnitPrice(situation),
        budget: decimal(max_notional_usd),
      });

/** Limits the cost of the opened units to a percentage of equity. The figures are dollars. */
export const maxShare: Rule = (situation, { max_notional_pct }) => {
  if (max_notional_pct === null) return null;
  const { equity } = situation;
  if (equity === null) return unknownIfOpening("max_notional_pct", situation, max_notional_pct);
  return onUnits("max_notional_pct", situation, {
    each: worstUnitPrice(situation),
    budget: decimal(equity).times(max_notional_pct).times("0.01"),
  });
};

/** Returns the verdict of a rule on openings whose data is missing; null for an order that only closes. */
export const unknownIfOpening = (rule: RuleName, situation: Situation, limit: string): Verdict | null =>
  openingUnits(situation).eq(0) ? null : unknownCheck(rule, limit);

/** Limits the number of opened units. */
export const maxQuantity: Rule = (situation, { max_quantity }) =>
  max_quantity === null
    ? null
    : onUnits("max_quantity", situation, {
        each: decimal(1),
        budget: decimal(max_quantity),
        places: 9,
      });

/** Limits the cost of the opened units to the buying power. */
export const buyingPower: Rule = (situation) => {
  const { buyingPower: power, option, intent } = situation;
  // what a sold option needs is its margin, which the broker alone knows
  if (option !== undefined && intent.side === "sell") return null;
  return power === null
    ? unknownIfOpening("buying_power", situation, "")
    : onUnits("buying_power", situation, {
        each: worstUnitPrice(situation),
        budget: decimal(power),
      });
};

/** Open risk above this multiple of the limit stops an order that only advice limits. */
const WORST_OPEN_RISK = 2;

/**
 * Limits the loss if every stop is hit to a percentage of equity. The limit reported is the remaining amount in
 * dollars.
 */
export const maxOpenRisk: Rule = (situation, { max_open_risk_pct }) => {
  if (max_open_risk_pct === null) return null;
  const { equity, openRisk } = situation;
  if (equity === null || openRisk === null)
    return unknownIfOpening("max_open_risk_pct", situation, max_open_risk_pct);
  const each = unitRisk(situation);
  if (each.eq(0)) return null;
  const most = decimal(equity).times(max_open_risk_pct).times("0.01");
  const check = onUnits("max_open_risk_pct", situation, { each, budget: most.minus(openRisk) });
  const isFar = openingUnits(situation).times(each).plus(openRisk).gt(most.times(WORST_OPEN_RISK));
  return isFar ? { ...check, level: "stop" } : check;
};

/** Requires the opened units to be a multiple of the quantity step; held fractions may always be closed. */
export const quantityStep: Rule = (situation) => {
  const { intent, step } = situation;
  const [quantity, opened, one] = [decimal(intent.quantity), unitsBeyondHeld(situation), decimal(step)];
  const below = stepDown(opened, one);
  if (quantity.gt(0) && below.eq(opened)) return passedCheck("quantity_step", intent.quantity, step);
  const most = closingUnits(situation).plus(maxDecimal(below, decimal(0)));
  return failedCheck("quantity_step", intent.quantity, step, truncated(most.gt(0) ? most : one));
};

/**
 * Rejects selling units that are not held unless short selling is allowed, and closing units that working orders
 * already close.
 */
export const oversell: Rule = (situation) => {
  const { intent, shorting, closesOnly = false, leaving = [], holding = situation.held } = situation;
  const beyond = unitsBeyondHeld(situation);
  const twice = beyond.gt(0) && closingUnits({ ...situation, held: holding }).eq(intent.quantity);
  if (!twice && !closesOnly && (intent.side === "buy" || shorting)) return null;
  const held = closingUnits(situation);
  const free = truncated(held);
  if (beyond.eq(0)) return passedCheck("oversell", intent.quantity, free);
  const check = failedCheck("oversell", intent.quantity, free, held.gt(0) ? free : null);
  return leaving.length === 0 ? check : { ...check, held_by: [...leaving] };
};

/** Rejects closing units that an order's stop and target reserve. */
export const unitsReservedByExits: Rule = (situation) => {
  const { exits, held } = situation;
  const closes = closingUnits(situation);
  if (exits === undefined || closes.lte(0)) return null;
  const free = maxDecimal(decimal(held).abs().minus(exits.units), decimal(0));
  if (closes.lte(free)) return passedCheck("exits_hold", truncated(closes), truncated(free));
  const check = failedCheck(
    "exits_hold",
    truncated(closes),
    truncated(free),
    free.gt(0) ? truncated(minDecimal(free, closes)) : null,
  );
  return exits.orders.length === 0 ? check : { ...check, held_by: [...exits.orders] };
};
