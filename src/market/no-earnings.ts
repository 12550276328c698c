import type { Earnings, Told } from "../ports/earnings.ts";
import type { Clock } from "../ports/index.ts";

/** No source of earnings is connected, and says which setting would connect one. */
export function noEarnings(clock: Clock): Earnings {
  const told = (): Told => {
    const now = clock.now().toISOString();
    return {
      source: null,
      fetchedAt: now,
      asOf: now,
      stale: false,
      cached: false,
      coverage: [
        "Files of prices hold no earnings: MARKET_DATA=live or MARKET_DATA=sample connects a source",
      ],
    };
  };
  return {
    reports: async () => ({ ...told(), reports: [], next: null }),
    schedule: async () => ({ ...told(), reports: [] }),
  };
}
