/** Side of a plan: LONG profits from rising prices, SHORT from falling ones. */
export type Side = "LONG" | "SHORT";

/** Returns the worse fill price of an entry zone: its high for LONG, its low for SHORT. */
export const worseEdge = ({
  side,
  entry,
}: {
  readonly side: Side;
  readonly entry: { readonly low: number; readonly high: number };
}): number => (side === "LONG" ? entry.high : entry.low);

/** Returns +1 if profit lies above the entry, -1 if below. */
export const towardProfit = (side: Side): 1 | -1 => (side === "LONG" ? 1 : -1);
