import { decimal, truncated } from "../../lib/decimal.ts";
import { isWithin } from "../../lib/expiry.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import {
  closingUnits,
  isOpen,
  openingUnits,
  type Rule,
  signOf,
  type WorkingSummary,
  worstEntry,
} from "./situation.ts";
import { failedCheck, passedCheck, unknownCheck } from "./verdict.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Age of a fill up to which the same order again may be a repetition. */
const REPEATED_MS = 10 * MINUTE;
/** US tax: days before and after a sale at a loss. @see https://www.irs.gov/publications/p550 */
const WASH_SALE_DAYS = 30;

/**
 * Warns of an order at the market while it is closed; stops one for extended hours that is no limit order. `market_hours`
 * says more where the owner keeps orders to the session.
 */
export const session: Rule = (situation, { hours }) => {
  if (hours !== "any") return null;
  const { session: now, intent, extendedHours = false } = situation;
  if (isOpen(situation) || intent.type === "limit") return passedCheck("session", now, "regular");
  const check = failedCheck("session", now, "regular", "type limit with limit_price");
  if (extendedHours) return { ...check, level: "stop" };
  return openingUnits(situation).eq(0) ? { ...check, level: "info" } : check;
};

/** Warns of a fraction, or an amount in dollars, on an order that brokers accept in whole units only. */
export const fraction: Rule = ({ intent, assetClass, notional, extendedHours = false }) => {
  if (assetClass === "crypto") return null;
  const whole = decimal(intent.quantity).round(0, 0);
  const isWhole = whole.eq(intent.quantity) && notional === undefined;
  if (isWhole) return null;
  const hasExtras = extendedHours || intent.stop_loss !== null || intent.take_profit !== null;
  const plain = hasExtras ? null : "type market";
  const value = notional === undefined ? intent.quantity : `${notional} USD`;
  return intent.type === "market" && !hasExtras
    ? passedCheck("fraction", value, "whole units")
    : failedCheck("fraction", value, "whole units", whole.gt(0) ? `quantity ${truncated(whole)}` : plain);
};

const equalAmounts = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : decimal(a).eq(b);

/** Stops an order that already works; warns of another on the same side, or of one that was filled minutes ago. */
export const duplicate: Rule = (situation) => {
  const { intent, working, fills = [], now } = situation;
  if (working === undefined) return null;
  if (working === null) return unknownCheck("duplicate", "no other order");
  const same = working.filter(({ side }) => side === intent.side);
  const isTwin = ({ quantity, limitPrice, stopPrice }: WorkingSummary) =>
    equalAmounts(quantity, intent.quantity) &&
    equalAmounts(limitPrice, intent.limit_price) &&
    equalAmounts(stopPrice, intent.stop_price);
  if (same.some(isTwin)) {
    const check = failedCheck("duplicate", "the same order works", "no other order", null);
    return { ...check, level: "stop" };
  }
  const filled = fills.some(({ side, at }) => side === intent.side && isWithin(at, now, REPEATED_MS));
  if (filled) return failedCheck("duplicate", "filled within 10 minutes", "no other order", null);
  return same.length > 0 && openingUnits(situation).gt(0)
    ? failedCheck("duplicate", "another order works", "no other order", null)
    : passedCheck("duplicate", "none", "no other order");
};

/** Warns of a working order of the account on the other side that the order could trade with. */
export const crossesOwn: Rule = (situation) => {
  const { intent, working } = situation;
  if (working == null) return null;
  const sign = signOf(intent);
  const price = decimal(intent.limit_price ?? worstEntry(situation));
  const met = working.find(
    ({ side, limitPrice, stopPrice }) =>
      side !== intent.side &&
      (limitPrice === null ? stopPrice === null : price.minus(limitPrice).times(sign).gte(0)),
  );
  return met === undefined
    ? passedCheck("crosses_own", "none", "no own order")
    : failedCheck("crosses_own", met.limitPrice ?? "the market", truncated(price), null);
};

/** Warns if the company reports before the trade ends: odds do not know the date. */
export const earningsInside: Rule = (situation) => {
  const { report, now } = situation;
  if (report === undefined || openingUnits(situation).eq(0)) return null;
  if (report === null) return unknownCheck("earnings_inside", "after the trade");
  const isInside = report.date >= newYorkDate(now) && report.date <= report.until;
  const limit = `after ${report.until}`;
  return isInside
    ? failedCheck("earnings_inside", report.date, limit, null)
    : passedCheck("earnings_inside", report.date, limit);
};

/** Notes a purchase within 30 days of a sale at a loss. */
export const washSale: Rule = (situation) => {
  const { intent, fills = [], assetClass, now, averagePrice = null, price } = situation;
  if (assetClass === "crypto" || fills.length === 0) return null;
  const recent = fills.filter(({ at }) => isWithin(at, now, WASH_SALE_DAYS * DAY));
  const limit = `${WASH_SALE_DAYS} days`;
  const sold = recent.find(({ side, profit }) => side === "sell" && profit !== null && decimal(profit).lt(0));
  if (intent.side === "buy" && openingUnits(situation).gt(0) && sold !== undefined)
    return failedCheck(
      "wash_sale",
      `loss of ${sold.profit!.replace("-", "")} USD on ${newYorkDate(sold.at)}`,
      limit,
      null,
    );
  const bought = recent.find(({ side }) => side === "buy");
  const isLoss = averagePrice !== null && decimal(price).lt(averagePrice);
  return intent.side === "sell" && closingUnits(situation).gt(0) && isLoss && bought !== undefined
    ? failedCheck("wash_sale", `bought on ${newYorkDate(bought.at)}`, limit, null)
    : passedCheck("wash_sale", "none", limit);
};

/**
 * Notes that an order closes a position opened on the same day. The rule of 25,000 USD ended on 2026-06-04; brokers may
 * apply it until 2027-10-20. @see https://www.finra.org/rules-guidance/rulebooks/finra-rules/4210
 */
export const dayTrade: Rule = (situation) => {
  const { intent, fills = [], assetClass, now, margin } = situation;
  if (assetClass === "crypto" || margin === false || closingUnits(situation).eq(0)) return null;
  const today = newYorkDate(now);
  const opened = fills.some(({ side, at }) => side !== intent.side && newYorkDate(at) === today);
  return opened ? failedCheck("day_trade", today, "another day", null) : null;
};

/** Notes other instruments that the symbol may name. */
export const symbolAmbiguous: Rule = ({ intent, otherNames = [] }) =>
  otherNames.length === 0
    ? null
    : failedCheck("symbol_ambiguous", intent.symbol, "one name", `symbol ${otherNames.join(" or ")}`);
