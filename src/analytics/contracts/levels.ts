import type { Contract, PriceLevelRow } from "../../domain/prediction-markets/contracts.ts";
import { deadlineOf } from "./dates.ts";

/** Price level of a contract; `by` is when it is decided, epoch ms; null if unknown. */
export interface PriceLevel extends Readonly<Omit<PriceLevelRow, "by">> {
  readonly by: number | null;
}

/** Company figures that are not share prices. */
const OTHER_FIGURE =
  /market ?cap|valu(?:ation|ed)|revenue|earnings|\beps\b|\bsales\b|deliver|volume|subscribers|\busers\b|treasury|holdings|dividend|\bipo\b|inflows?|funding|\braise|fine\b|acqui|price target/i;
const AMOUNT =
  /(\$\s?)?(?<![\d.,-])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s?(k|m|mm|b|bn|thousand|million|billion)\b)?/gi;
const TIMES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};
const DOWN = /↓|\(low\)|\b(dip|drop|fall|crash|sink|slump|decline)s?\b/i;
const TOUCH =
  /[↑↓]|\((high|low)\)|\b(hit|reach|touch|surpass|cross|break|breach|exceed|dip|drop|fall|climb)\b/i;
const ABOVE = /\b(above|over|at least|greater than|more than|higher than|or (above|higher|more))\b/i;
const BELOW = /\b(below|under|less than|lower than|or (below|lower|less))\b/i;
const BETWEEN = /\bbetween\b|\$[\d,.]+k?\s?(?:-|–|to)\s?\$?[\d,.]+/i;
const BY = /\b(by|before)\b/i;

/**
 * Returns the price level of a contract, from the venue's own fields or else from its text. Null if the text is not
 * about a price in dollars, names no level or too many, is about another company figure, or leaves open whether the
 * price counts on the day or at any time. `at` (epoch ms) decides the year of a date without one.
 */
export function priceLevelOf(contract: Contract, at: number): PriceLevel | null {
  const { question, outcome, event_title, strike, close_time } = contract;
  const words = /^(yes|no)$/i.test(outcome) ? question : `${question} ${outcome}`;
  if (OTHER_FIGURE.test(`${words} ${event_title}`) || /^(no|down)$/i.test(outcome)) return null;
  const by = deadlineOf({ text: words, closeTime: close_time }, at);
  const touch = TOUCH.test(words);
  const amounts = amountsIn(words);
  if (strike !== null && (amounts.length > 0 || /\bprice\b/i.test(words)))
    return levelFromStrike(strike, touch ? "touch" : "at", by);
  const [first, second, third] = amounts;
  if (first === undefined || third !== undefined) return null;
  if (second !== undefined)
    return BETWEEN.test(words) && second > first && !touch
      ? { kind: "at", side: "between", level: first, upper: second, by }
      : null;
  const [above, below] = [ABOVE.test(words), BELOW.test(words)];
  if (touch) {
    const side = DOWN.test(words) || below ? "below" : "above";
    return above && below ? null : { kind: "touch", side, level: first, upper: null, by };
  }
  if (above === below || BY.test(words)) return null;
  return { kind: "at", side: above ? "above" : "below", level: first, upper: null, by };
}

/** Returns true if a rising price raises the probability of the contract. */
export const isPricePositive = ({ side }: PriceLevel): boolean => side === "above";

function levelFromStrike(
  { side, floor, cap }: NonNullable<Contract["strike"]>,
  kind: PriceLevel["kind"],
  by: number | null,
): PriceLevel | null {
  const level = side === "below" ? cap : floor;
  if (level === null || !(level > 0)) return null;
  if (side !== "between") return { kind, side, level, upper: null, by };
  return cap === null || !(cap > level) ? null : { kind: "at", side, level, upper: cap, by };
}

/** Returns the dollar amounts in a text: numbers after a dollar sign or with a `k` suffix. */
function amountsIn(text: string): readonly number[] {
  const found = [...text.matchAll(AMOUNT)].flatMap(([, sign, digits, unit = ""]) => {
    if (sign === undefined && unit.toLowerCase() !== "k") return [];
    return [Number(digits!.replaceAll(",", "")) * (TIMES[unit.toLowerCase()] ?? 1)];
  });
  return [...new Set(found)].filter((amount) => amount > 0 && Number.isFinite(amount));
}
