import { type Decimal, decimal, maxDecimal, roundAwayFromZero, truncated } from "../../lib/decimal.ts";

/** Decimal places of dollars in sentences. */
const CENTS = 2;
/** Decimal places of units in sentences. */
const UNIT_PLACES = 4;

/** Limit and use of a purchase budget, US dollars as text or number; null for no limit. */
export interface Budget {
  readonly limit: string | null;
  readonly spent: string;
}

/** Result of checking a purchase against a budget. */
export interface Purchase {
  readonly passes: boolean;
  /** Quantity times price, US dollars. */
  readonly cost: string;
  /** Budget left before the purchase; null without a limit. */
  readonly left: string | null;
  /** Why it does not pass, with the values that would; null if it passes. */
  readonly reason: string | null;
}

/** Returns the remaining budget in US dollars, never below 0; null without a limit. Sales do not restore it. */
export function budgetLeft({ limit, spent }: Budget): string | null {
  return limit === null ? null : truncated(maxDecimal(decimal(limit).minus(spent), decimal(0)));
}

/** Returns the budget after a purchase of `cost` US dollars. */
export const spend = ({ limit, spent }: Budget, cost: string): Budget => ({
  limit,
  spent: truncated(decimal(spent).plus(cost)),
});

/** Returns the cost of a quantity at a price, US dollars. */
export const costOfUnits = (quantity: string, price: string): string => truncated(product(quantity, price));

/** Checks that a budget covers a quantity at a price. Exact; all amounts are decimal text. */
export function purchase(
  budget: Budget,
  { quantity, price }: { readonly quantity: string; readonly price: string },
): Purchase {
  const cost = product(quantity, price);
  const remaining = budgetLeft(budget);
  const amounts = { cost: truncated(cost), left: remaining };
  if (remaining === null || cost.lte(remaining)) return { passes: true, ...amounts, reason: null };
  const enough = decimal(budget.spent).plus(cost);
  const units = truncated(decimal(remaining).div(price), UNIT_PLACES);
  return {
    passes: false,
    ...amounts,
    reason: `${quantity} at ${price} USD cost ${roundAwayFromZero(cost, CENTS)} USD, but only ${truncated(decimal(remaining), CENTS)} USD of the ${truncated(decimal(budget.limit ?? 0), CENTS)} USD budget are left: set budget_usd to ${roundAwayFromZero(enough, CENTS)}${units === "0" ? "" : ` or buy at most ${units} units`}`,
  };
}

const product = (quantity: string, price: string): Decimal => decimal(quantity).times(price);
