/** A figure to so many digits after the point, without the dust of arithmetic. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;
