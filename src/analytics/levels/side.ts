/** Which way a plan earns: LONG on rising prices, SHORT on falling ones. */
export type Side = "LONG" | "SHORT";

/** +1 where profit lies above the entry, -1 where it lies below. */
export const towardProfit = (side: Side): 1 | -1 => (side === "LONG" ? 1 : -1);
