import type { RiskLimits } from "../../domain/trading/risk.ts";
import { decimal, stepDown, stepUp, truncated } from "../../lib/decimal.ts";
import { isOpen, openingUnits, type Rule, type Situation, signOf } from "./situation.ts";
import { failedCheck, passedCheck, unknownCheck, type Verdict } from "./verdict.ts";

const OFF_FIELDS = { limit_price_off_pct: "limit_price", stop_price_off_pct: "stop_price" } as const;

function within(
  rule: keyof typeof OFF_FIELDS,
  { intent, price, tick }: Situation,
  { max_price_off_pct: most }: RiskLimits,
): Verdict | null {
  const requested = intent[OFF_FIELDS[rule]];
  if (most === null || requested === null) return null;
  const [last, at] = [decimal(price), decimal(requested)];
  const maxDistance = last.times(most).times("0.01");
  const off = truncated(at.minus(last).abs().times(100).div(last), 4);
  if (at.minus(last).abs().lte(maxDistance)) return passedCheck(rule, off, most);
  const low = stepUp(last.minus(maxDistance), decimal(tick));
  const high = stepDown(last.plus(maxDistance), decimal(tick));
  const near = at.gt(last) ? high : low;
  const check = failedCheck(rule, off, most, low.gt(high) || near.lte(0) ? null : truncated(near));
  // a price on the unfavourable side costs money, one on the other side only waits
  const isUnfavourable = at.minus(last).times(signOf(intent)).gt(0);
  return isUnfavourable ? { ...check, level: "stop" } : check;
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

/** Distances in percent from a price elsewhere that warn and stop: of a current price, and of a close. */
const APART = { current: ["1", "5"], close: ["10", "40"] } as const;

/** Limits the distance of the price from one elsewhere: a close is no current price, so only a wrong one is far away. */
export const priceAgrees: Rule = (situation) => {
  const { price, reference } = situation;
  if (reference === undefined) return null;
  const [warns, stops] = APART[reference.isCurrent ? "current" : "close"];
  const apart = decimal(price).minus(reference.price).abs().times(100).div(reference.price);
  const value = truncated(apart, 2);
  if (apart.lte(warns)) return passedCheck("price_agrees", value, warns);
  const check = failedCheck("price_agrees", value, warns, null);
  return apart.gt(stops) && openingUnits(situation).gt(0) ? { ...check, level: "stop" } : check;
};

const MINUTE = 60_000;
/** Age of a price in minutes that warns in a session, and outside of one; above the latter it stops. */
const OLD_MINUTES = { open: 15, closed: 7_200 } as const;

const HOUR_MINUTES = 60;
const DAY_MINUTES = 1_440;

/** Formats an age: in days from two days on, in hours from two hours on. */
function ageText(minutes: number): string {
  if (minutes >= 2 * DAY_MINUTES) return `${Math.floor(minutes / DAY_MINUTES)} days`;
  return minutes >= 2 * HOUR_MINUTES
    ? `${Math.floor(minutes / HOUR_MINUTES)} hours`
    : `${Math.floor(minutes)} minutes`;
}

/** Warns of an old price where no limit on its age is set. */
export const priceAge: Rule = (situation, { max_quote_age_seconds: most }) => {
  const { now, pricedAt } = situation;
  if (most !== null) return null;
  const limit = OLD_MINUTES[isOpen(situation) ? "open" : "closed"];
  if (pricedAt === null) return unknownCheck("price_age", ageText(limit));
  const isOpening = openingUnits(situation).gt(0);
  if (pricedAt > now + MINUTE) {
    const check = failedCheck(
      "price_age",
      "in the future",
      ageText(limit),
      "send the current quote of your broker",
    );
    return isOpening ? { ...check, level: "stop" } : check;
  }
  const minutes = Math.max(0, now - pricedAt) / MINUTE;
  if (minutes <= limit) return passedCheck("price_age", ageText(minutes), ageText(limit));
  const check = failedCheck(
    "price_age",
    ageText(minutes),
    ageText(limit),
    "send the current quote of your broker",
  );
  return minutes > OLD_MINUTES.closed && isOpening ? { ...check, level: "stop" } : check;
};
