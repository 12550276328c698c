/** What a position was opened for, US dollars above 0, as a number: to put positions in an order, not to tell. */
export const costOf = ({
  quantity,
  averagePrice,
}: {
  readonly quantity: string;
  readonly averagePrice: string;
}): number => Math.abs(Number(quantity) * Number(averagePrice));
