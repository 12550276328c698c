/** Rounds to `digits` decimal places; never returns -0. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;
