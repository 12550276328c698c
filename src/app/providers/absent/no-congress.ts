import type { Congress } from "../../../domain/ports.ts";

const WHY =
  "A market of files has no disclosures of Congress: MARKET_DATA=live reads those of the House, MARKET_DATA=sample simulates both chambers";

/** No source of disclosures is connected. */
export const noCongress: Congress = {
  async disclosures() {
    const none = { covered: false, source: null, since: null, reason: WHY };
    return {
      trades: [],
      unread: [],
      source: null,
      fetched_at: null,
      as_of: null,
      stale: false,
      coverage: { house: none, senate: none },
      reason: WHY,
    };
  },
};
