import type { Chains, DataUnavailable, FlowTape, PutCalls } from "../../../domain/ports.ts";

const none = (reason: string): DataUnavailable => ({ untold: "not_connected", reason });

export const NO_CHAINS = none(
  "No source of option chains is connected: MARKET_DATA=live asks Cboe and Yahoo, unless PROVIDERS_OFF names them, and Tradier with TRADIER_TOKEN",
);
export const NO_TAPE = none(
  "No tape of option trades is connected: MARKET_DATA=live with UNUSUAL_WHALES_TOKEN or OPTION_TAPE has one",
);
/** A file of trades is of the symbols in it, not of the market. */
export const NO_TIDE = none(
  "Net premium of the whole market needs MARKET_DATA=live with UNUSUAL_WHALES_TOKEN; a tape in OPTION_TAPE tells of the symbols in it alone",
);
export const NO_PUT_CALLS = none(
  "No source of put/call ratios is connected: MARKET_DATA=live asks Cboe, unless PROVIDERS_OFF names it",
);

/** No tape of option trades. */
export const noFlowTape: FlowTape = { trades: async () => NO_TAPE, tide: async () => NO_TIDE };

const noChains: Chains = { chain: async () => NO_CHAINS, missing: NO_CHAINS.reason };
const noPutCalls: PutCalls = { days: async () => NO_PUT_CALLS };
/** Nothing of options, as in a folder of prices. */
export const noOptions = { chains: noChains, flowTape: noFlowTape, putCalls: noPutCalls } as const;
