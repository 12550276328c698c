import type { Contracts } from "../../../domain/ports.ts";

/** No prediction market is connected. */
export const noContracts: Contracts = {
  venues: () => [],
  missing:
    "No prediction market is connected: MARKET_DATA=live asks public ones, without a key, and MARKET_DATA=sample simulates some",
  tellsPast: false,
  search: async () => null,
};
