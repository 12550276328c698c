/** Maximum shares of equity for sized entries: risk of one trade, cost of one trade, total open risk. */
export const CAPS = { trade: 0.01, notional: 0.1, open: 0.06 } as const;

/** Default fraction of the Kelly stake. */
export const DEFAULT_KELLY_FRACTION = 0.25;

/** Assumed risk in ATR14 of an entry without its own stop. */
export const ASSUMED_STOP_ATR = 2;
