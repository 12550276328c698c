/** Which way a plan earns: LONG on rising prices, SHORT on falling ones. */
export type Side = "LONG" | "SHORT";

/** The edge of an entry zone that is filled worse: the high to buy, the low to sell. */
export const worseEdge = ({
  side,
  entry,
}: {
  readonly side: Side;
  readonly entry: { readonly low: number; readonly high: number };
}): number => (side === "LONG" ? entry.high : entry.low);

/** +1 where profit lies above the entry, -1 where it lies below. */
export const towardProfit = (side: Side): 1 | -1 => (side === "LONG" ? 1 : -1);
