import type { Company } from "../../domain/company/company-port.ts";
import type { Earnings, EarningsOrigin } from "../../domain/earnings/earnings-port.ts";
import type { Indices } from "../../domain/indices/indices-port.ts";
import type { QuoteStreams } from "../../domain/market/quote-streams-port.ts";
import { EVENT_NAMES, type EventKind } from "../../domain/market-events/market-events.ts";
import type { MarketEvents } from "../../domain/market-events/market-events-port.ts";
import type {
  Chains,
  Congress,
  Contracts,
  DataUnavailable,
  FlowTape,
  News,
  OffExchange,
  Prints,
  PutCalls,
} from "../../domain/ports.ts";
import type { ShortInterest } from "../../domain/short-interest/short-interest-port.ts";
import { ToolError } from "../../kernel/errors.ts";

// Ports without a provider: each names the setting that connects one.

export const noQuoteStreams: QuoteStreams = { subscribe: () => () => {} };

export const noNews: News = {
  missing:
    "CSV files hold no news: MARKET_DATA=live connects public providers, MARKET_DATA=sample simulates news",
  headlines: async () => null,
};

/** News of a nightly run over live prices. */
export const noRunNews: News = {
  missing: "The nightly run reads no news, which needs a request for each symbol; get_signal reads it",
  headlines: async () => null,
};

const EARNINGS =
  "CSV files hold no earnings: MARKET_DATA=live connects providers, MARKET_DATA=sample simulates them";
const NO_ORIGIN: EarningsOrigin = {
  source: null,
  fetchedAt: null,
  asOf: null,
  stale: false,
  cached: false,
  coverage: [EARNINGS],
};
export const noEarnings: Earnings = {
  reports: async () => ({ ...NO_ORIGIN, reports: [], next: null }),
  next: async () => ({ next: null, reason: EARNINGS }),
  schedule: async () => ({ ...NO_ORIGIN, reports: [], isComplete: false }),
};

export const noContracts: Contracts = {
  venues: () => [],
  missing:
    "No prediction market is connected: MARKET_DATA=live calls public ones without a key, MARKET_DATA=sample simulates some",
  supportsHistory: false,
  search: async () => null,
};

const CONGRESS =
  "CSV files hold no disclosures of Congress: MARKET_DATA=live reads those of the House, MARKET_DATA=sample simulates both chambers";
const NO_CHAMBER = { covered: false, source: null, since: null, reason: CONGRESS };
export const noCongress: Congress = {
  disclosures: async () => ({
    trades: [],
    unread: [],
    source: null,
    fetched_at: null,
    as_of: null,
    stale: false,
    coverage: { house: NO_CHAMBER, senate: NO_CHAMBER },
    reason: CONGRESS,
  }),
};

const ALL_PRINTS = "Live prices (MARKET_DATA=live) with UNUSUAL_WHALES_TOKEN";
const VOLUME = "Live prices (MARKET_DATA=live), without a key";
export const noPrints: Prints = {
  tape: async () => null,
  market: async () => null,
  missing: {
    tape: `${ALL_PRINTS}, with ALPACA_KEY_ID and ALPACA_SECRET_KEY, or with MASSIVE_KEY of a plan that has trades`,
    market: ALL_PRINTS,
  },
};
export const noOffExchange: OffExchange = {
  days: async () => null,
  weeks: async () => null,
  byPrice: async () => null,
  missing: { days: VOLUME, weeks: VOLUME, byPrice: ALL_PRINTS },
};

const unavailable = (reason: string): DataUnavailable => ({ unavailable: "not_connected", reason });
export const NO_CHAINS = unavailable(
  "No provider of option chains is connected: MARKET_DATA=live calls Cboe and Yahoo unless PROVIDERS_OFF names them or PROVIDERS=licensed; TRADIER_TOKEN, ALPACA_KEY_ID with ALPACA_SECRET_KEY, or MASSIVE_KEY with a paid MASSIVE_PLAN connects one",
);
export const NO_TAPE = unavailable(
  "No tape of option trades is connected: MARKET_DATA=live with UNUSUAL_WHALES_TOKEN or OPTION_TAPE connects one",
);
export const NO_TIDE = unavailable(
  "Net premium of the whole market needs MARKET_DATA=live with UNUSUAL_WHALES_TOKEN; the file in OPTION_TAPE covers only its own symbols",
);
export const NO_PUT_CALLS = unavailable(
  "No provider of put/call ratios is connected: MARKET_DATA=live calls Cboe unless PROVIDERS_OFF names it or PROVIDERS=licensed",
);
export const NO_COMPANY = unavailable(
  "No provider of company filings is connected: MARKET_DATA=live with SEC_CONTACT connects SEC EDGAR",
);
export const noCompany: Company = { facts: async () => NO_COMPANY, insiders: async () => NO_COMPANY };
export const NO_SHORT_INTEREST = unavailable(
  "No provider of short interest is connected: MARKET_DATA=live calls FINRA unless PROVIDERS_OFF names it",
);
export const noShortInterest: ShortInterest = { reports: async () => NO_SHORT_INTEREST };

export const NO_INDICES =
  "No provider of indices is connected: MARKET_DATA=live calls Yahoo and Cboe unless PROVIDERS_OFF names them or PROVIDERS=licensed";
/** Indices of a market without their levels, with the reason. Default: the market is not live. */
export function noIndices(missing = "The level of an index needs MARKET_DATA=live"): Indices {
  const refuse = async () => {
    throw new ToolError("NOT_CONNECTED", missing);
  };
  return { missing, quotes: { latest: refuse }, bars: { history: refuse } };
}
export const noEventsOf = (kind: EventKind): DataUnavailable =>
  unavailable(
    `No provider of ${EVENT_NAMES[kind]} is connected: MARKET_DATA=live calls Nasdaq unless PROVIDERS_OFF or PROVIDERS=licensed switches it off`,
  );
export const noMarketEvents: MarketEvents = { list: async ({ kind }) => noEventsOf(kind) };
export const noFlowTape: FlowTape = { trades: async () => NO_TAPE, tide: async () => NO_TIDE };
const noChains: Chains = { chain: async () => NO_CHAINS, missing: NO_CHAINS.reason };
const noPutCalls: PutCalls = { days: async () => NO_PUT_CALLS };
export const noOptions = { chains: noChains, flowTape: noFlowTape, putCalls: noPutCalls } as const;
