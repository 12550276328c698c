import Big from "big.js";

/** A number of as many digits as it has: sums, products and comparisons are exact, quotients are to 20 places. */
export type Decimal = Big;

/** The number a text is, or the shortest text of a binary number. Throws for what is no number. */
export const decimal = (value: string | number | Decimal): Decimal => new Big(value);

/** Its digits, at most `places` behind the point, cut off towards 0. */
export const truncated = (value: Decimal, places = 9): string => value.round(places, Big.roundDown).toFixed();

/** Formats with `places` digits, rounding half away from 0, for gains and losses alike. */
export const roundHalfUp = (value: Decimal, places: number): string =>
  value.round(places, Big.roundHalfUp).toFixed();

/** Formats with `places` digits, rounding away from 0, so that a possible loss is never understated. */
export const roundAwayFromZero = (value: Decimal, places: number): string =>
  value.round(places, Big.roundUp).toFixed();

/** The least or the greatest of some numbers. */
export const minDecimal = (first: Decimal, ...rest: readonly Decimal[]): Decimal =>
  rest.reduce((a, b) => (b.lt(a) ? b : a), first);
export const maxDecimal = (first: Decimal, ...rest: readonly Decimal[]): Decimal =>
  rest.reduce((a, b) => (b.gt(a) ? b : a), first);

/** The multiple of a step, above 0, that is nearest from below, or from above. */
export const stepDown = (value: Decimal, step: Decimal): Decimal => {
  const near = value.div(step).round(0, Big.roundHalfUp).times(step);
  return near.gt(value) ? near.minus(step) : near;
};
export const stepUp = (value: Decimal, step: Decimal): Decimal => {
  const below = stepDown(value, step);
  return below.eq(value) ? below : below.plus(step);
};

/** The most multiples of a step that a budget pays at a price above 0; below 0 where the budget is. */
export const affordable = (budget: Decimal, price: Decimal, step: Decimal): Decimal => {
  const near = stepDown(budget.div(price), step);
  // a quotient is rounded, so check the product
  return near.times(price).gt(budget) ? near.minus(step) : near;
};
