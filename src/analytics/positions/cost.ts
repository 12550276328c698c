/** Returns the cost of opening a position in US dollars, above 0, as a number: for sorting only, not for display. */
export const costOf = ({
  quantity,
  averagePrice,
}: {
  readonly quantity: string;
  readonly averagePrice: string;
}): number => Math.abs(Number(quantity) * Number(averagePrice));
