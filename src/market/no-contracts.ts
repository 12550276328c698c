import type { Contracts } from "../ports/index.ts";

/** No prediction market is connected. */
export const noContracts: Contracts = { venues: () => [], search: async () => null };
