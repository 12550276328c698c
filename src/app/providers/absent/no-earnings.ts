import type { Earnings, EarningsOrigin } from "../../../domain/earnings/earnings-port.ts";

const REASON = "Files of prices hold no earnings: MARKET_DATA=live or MARKET_DATA=sample connects a source";
const NO_ORIGIN: EarningsOrigin = {
  source: null,
  fetchedAt: null,
  asOf: null,
  stale: false,
  cached: false,
  coverage: [REASON],
};

/** No source of earnings is connected, and says which setting would connect one. */
export const noEarnings: Earnings = {
  reports: async () => ({ ...NO_ORIGIN, reports: [], next: null }),
  next: async () => ({ next: null, reason: REASON }),
  schedule: async () => ({ ...NO_ORIGIN, reports: [], whole: false }),
};
