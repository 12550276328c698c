import type { Chains, FlowTape, PutCalls, Untold } from "../ports/index.ts";

const none = (reason: string): Untold => ({ untold: "not_connected", reason });

/** No source of option chains: a folder of prices has none. */
const noChains: Chains = {
  chain: async () =>
    none("No source of option chains is connected: MARKET_DATA=live asks Cboe, without a key"),
};

const NO_TAPE = none(
  "No tape of option trades is connected: MARKET_DATA=live with UNUSUAL_WHALES_TOKEN has one",
);

/** No tape of option trades. */
export const noFlowTape: FlowTape = { trades: async () => NO_TAPE, tide: async () => NO_TAPE };

/** No put/call ratios of the whole market. */
const noPutCalls: PutCalls = {
  days: async () =>
    none("No source of put/call ratios is connected: MARKET_DATA=live asks Cboe, without a key"),
};

/** Nothing of options. */
export const noOptions = { chains: noChains, flowTape: noFlowTape, putCalls: noPutCalls } as const;
