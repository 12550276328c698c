/** Shares of equity no sized entry goes beyond: at risk in one trade, bought in one trade, at risk altogether. */
export const CAPS = { trade: 0.01, notional: 0.1, open: 0.06 } as const;

/** Default fraction of the Kelly stake. */
export const QUARTER = 0.25;

/** ATR14s that an entry without a stop of its own is taken to risk. */
export const RISKED_RANGES = 2;
