import type { Earnings, Told } from "../../../domain/earnings/earnings-port.ts";

const REASON = "Files of prices hold no earnings: MARKET_DATA=live or MARKET_DATA=sample connects a source";
const TOLD: Told = {
  source: null,
  fetchedAt: null,
  asOf: null,
  stale: false,
  cached: false,
  coverage: [REASON],
};

/** No source of earnings is connected, and says which setting would connect one. */
export const noEarnings: Earnings = {
  reports: async () => ({ ...TOLD, reports: [], next: null }),
  next: async () => ({ next: null, reason: REASON }),
  schedule: async () => ({ ...TOLD, reports: [], whole: false }),
};
