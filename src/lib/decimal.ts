import Big from "big.js";

/** Arbitrary-precision decimal: sums, products and comparisons are exact, quotients have 20 places. */
export type Decimal = Big;

/** Parses a decimal number. Throws for anything else. */
export const decimal = (value: string | number | Decimal): Decimal => new Big(value);

/** Formats with at most `places` digits after the point, truncated towards 0. */
export const truncated = (value: Decimal, places = 9): string => value.round(places, Big.roundDown).toFixed();

/** Formats with `places` digits, rounding half away from 0, for gains and losses alike. */
export const roundHalfUp = (value: Decimal, places: number): string =>
  value.round(places, Big.roundHalfUp).toFixed();

/** Formats with `places` digits, rounding away from 0, so that a possible loss is never understated. */
export const roundAwayFromZero = (value: Decimal, places: number): string =>
  value.round(places, Big.roundUp).toFixed();

export const minDecimal = (first: Decimal, ...rest: readonly Decimal[]): Decimal =>
  rest.reduce((a, b) => (b.lt(a) ? b : a), first);
export const maxDecimal = (first: Decimal, ...rest: readonly Decimal[]): Decimal =>
  rest.reduce((a, b) => (b.gt(a) ? b : a), first);

/** Rounds down (`stepUp`: up) to a multiple of a step above 0. */
export const stepDown = (value: Decimal, step: Decimal): Decimal => {
  const near = value.div(step).round(0, Big.roundHalfUp).times(step);
  return near.gt(value) ? near.minus(step) : near;
};
export const stepUp = (value: Decimal, step: Decimal): Decimal => {
  const below = stepDown(value, step);
  return below.eq(value) ? below : below.plus(step);
};

/** Returns the largest multiple of `step` that `budget` buys at a price above 0; negative for a negative budget. */
export const affordable = (budget: Decimal, price: Decimal, step: Decimal): Decimal => {
  const near = stepDown(budget.div(price), step);
  // the quotient is rounded, so the product is checked
  return near.times(price).gt(budget) ? near.minus(step) : near;
};

/** Returns the number of decimal places of a step, such as 2 of `0.01`. */
export const placesOf = (step: string): number => step.split(".")[1]?.length ?? 0;
