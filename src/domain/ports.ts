import type { ConnectedApps } from "./accounts/connected-apps.ts";
import type { Meters } from "./accounts/meters-port.ts";
import type { Usage } from "./accounts/usage-port.ts";
import type { Automation } from "./agents/automation-port.ts";
import type { Subscriptions, Watchlists } from "./alerts/alerts-port.ts";
import type { Changes } from "./alerts/changes-port.ts";
import type { Audit, AuditVerifier } from "./audit/audit-port.ts";
import type { Backtests } from "./backtest/backtests-port.ts";
import type { Answers, Cache } from "./cache-port.ts";
import type { CallOptions } from "./call-options.ts";
import type { Claims } from "./claims/claims-port.ts";
import type { Company } from "./company/company-port.ts";
import type { Compute } from "./compute-port.ts";
import type { Congress } from "./congress/congress-port.ts";
import type { DashboardFiles } from "./dashboard-port.ts";
import type { DrawnLevels } from "./drawn-levels/drawn-levels-port.ts";
import type { Earnings, MarketDays } from "./earnings/earnings-port.ts";
import type { Indices } from "./indices/indices-port.ts";
import type { FailedJobs } from "./jobs-port.ts";
import type { BarHistory } from "./market/bar-history-port.ts";
import type { Instrument, Market, NotListed, Resolution } from "./market/market.ts";
import type { NoSplits } from "./market/no-splits-port.ts";
import type { QuoteStreams } from "./market/quote-streams-port.ts";
import type { Quotes } from "./market/quotes-port.ts";
import type { MarketEvents } from "./market-events/market-events-port.ts";
import type { News } from "./news/news-port.ts";
import type { EngineRuns } from "./nightly/engine-runs-port.ts";
import type { OffExchange } from "./off-exchange/off-exchange-port.ts";
import type { NamedPrint, PrintTape } from "./off-exchange/prints.ts";
import type { Chains, FlowDays, FlowTape, PutCalls } from "./options-flow/options-port.ts";
import type { ContractHistory } from "./prediction-markets/contract-history-port.ts";
import type { Contracts } from "./prediction-markets/contracts-port.ts";
import type { ProviderHealth } from "./providers/provider-health-port.ts";
import type { ReceiptPorts } from "./receipts/receipts-port.ts";
import type { QueryHelp } from "./requests/query-help-port.ts";
import type { Tasks } from "./requests/tasks-port.ts";
import type { ToolSearch } from "./requests/tool-search-port.ts";
import type { ShortInterest } from "./short-interest/short-interest-port.ts";
import type { Skills } from "./skills-port.ts";
import type { RecordPorts } from "./track-record/track-port.ts";
import type { ConfirmationPort } from "./trading/confirmations-port.ts";
import type { PositionRepository } from "./trading/positions-port.ts";
import type { TradeNotes } from "./trading/trade-notes-port.ts";
import type { Brokers, Connections, TradeRepository, TradeRules } from "./trading/trading-port.ts";

export type * from "./accounts/meters-port.ts";
export type * from "./backtest/backtests-port.ts";
export type * from "./cache-port.ts";
export type * from "./call-options.ts";
export type * from "./company/company-port.ts";
export type * from "./congress/congress-port.ts";
export type * from "./earnings/earnings-port.ts";
export type * from "./market/bar-history-port.ts";
export type * from "./market/quotes-port.ts";
export type * from "./news/news-port.ts";
export type * from "./nightly/engine-runs-port.ts";
export type * from "./off-exchange/off-exchange-port.ts";
export type * from "./options-flow/options-port.ts";
export type * from "./prediction-markets/contract-history-port.ts";
export type * from "./prediction-markets/contracts-port.ts";
export type * from "./providers/provider-health-port.ts";
export type * from "./requests/query-help-port.ts";
export type * from "./requests/tasks-port.ts";
export type * from "./requests/tool-search-port.ts";
export type * from "./short-interest/short-interest-port.ts";

/** Known instruments and the names that people use for them. Needs no network. */
export interface Symbols {
  /** Resolves a typed name; throws UNKNOWN_SYMBOL with the nearest candidates. */
  resolve(text: string): Resolution;
  /** Resolves a typed name; null if unknown. Cheap enough for texts in which most words are not names. */
  find(text: string): Resolution | null;
  /** Returns the meaning of a name that is not an instrument, such as an index or a former ticker; null otherwise. */
  notListed?(text: string): NotListed | null;
  /** Returns instruments whose symbol or name is similar to the text, best match first. */
  search(text: string, limit: number): readonly Instrument[];
  /** Instruments with exactly this name or everyday name: `apple`, `bitcoin`. Several if it is shared. */
  named(text: string): readonly Instrument[];
  /** Familiar instruments nearest to a misspelt name, within two mistakes: `nvidea`. Several if equally near. */
  misspelt(text: string): readonly Instrument[];
  /**
   * Returns true for a well-known instrument, recognized by name or ticker in any letter case; false for one known only
   * from long lists.
   */
  familiar(instrument: Instrument): boolean;
  /** Instruments with data in this market. */
  members(): readonly Instrument[];
  /** Instruments that ranks are computed over; none if reading all of them at once would be too much. */
  universe(): readonly Instrument[];
  /** Returns the stocks of the same sector with which a stock is compared. */
  peers(instrument: Instrument): readonly Instrument[];
}

/** Off-exchange prints. Null if no provider of them is connected; failure rejects. */
export interface Prints {
  tape(
    instrument: Instrument,
    range: CallOptions & { readonly from: number; readonly until: number },
  ): Promise<PrintTape | null>;
  /** Prints of at least `minNotional` US dollars in all instruments; null if no provider offers this. */
  market(
    range: CallOptions & { readonly from: number; readonly until: number; readonly minNotional: number },
  ): Promise<PrintTape<NamedPrint> | null>;
  /** Setting that connects a provider per method; null if connected. */
  readonly missing: Readonly<Record<"tape" | "market", string | null>>;
}

/** The only source of "now". Tests inject a stopped clock. */
export interface Clock {
  now(): Date;
  /** Factor of the time that providers get for a response. Default: 1. */
  readonly timeScale?: number;
}

/** Watches the clock of this machine for jumps. */
export interface ClockWatch {
  /**
   * Returns the last jump within 24 hours: the time after it and its size in milliseconds, negative if the clock was set
   * back. Null if there was none.
   */
  lastJump(): { readonly at: string; readonly ms: number } | null;
}

/**
 * A fault of the stored data: `full`, nothing can be stored for now; `damaged`, nothing is stored any more;
 * `incomplete`, the newest changes are missing and all calls work.
 */
export interface StorageFault {
  readonly kind: "full" | "damaged" | "incomplete";
  readonly since: string;
}

/** State of the stored data. */
export interface StorageHealth {
  /** Returns the present fault; null if there is none. */
  fault(): StorageFault | null;
}

/** The only source of identifiers; a UUID each time. */
export interface Ids {
  uuid(): string;
}

/** Structured log lines for the operator; never for callers. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

/** All ports available to tools. A tool lists those it `needs`. */
export interface Ports extends ReceiptPorts, RecordPorts {
  market: Market;
  symbols: Symbols;
  quotes: Quotes;
  quoteStreams: QuoteStreams;
  bars: BarHistory;
  indices: Indices;
  noSplits: NoSplits;
  failedJobs: FailedJobs;
  prints: Prints;
  news: News;
  offExchange: OffExchange;
  shortInterest: ShortInterest;
  earnings: Earnings;
  marketDays: MarketDays;
  marketEvents: MarketEvents;
  contracts: Contracts;
  contractHistory: ContractHistory;
  congress: Congress;
  company: Company;
  clock: Clock;
  clockWatch: ClockWatch;
  storage: StorageHealth;
  compute: Compute;
  answers: Answers;
  ids: Ids;
  log: Log;
  meters: Meters;
  usage: Usage;
  connectedApps: ConnectedApps;
  providerHealth: ProviderHealth;
  cache: Cache;
  engineRuns: EngineRuns;
  /** Progress of nightly runs, without their results. */
  runProgress: Pick<EngineRuns, "recent">;
  backtests: Backtests;
  chains: Chains;
  flowTape: FlowTape;
  flowDays: FlowDays;
  putCalls: PutCalls;
  tasks: Tasks;
  toolSearch: ToolSearch;
  queryHelp: QueryHelp;
  brokers: Brokers;
  connections: Connections;
  tradeRepository: TradeRepository;
  tradeRules: TradeRules;
  confirmations: ConfirmationPort;
  audit: Audit;
  auditVerifier: AuditVerifier;
  positionRepository: PositionRepository;
  tradeNotes: TradeNotes;
  claims: Claims;
  drawnLevels: DrawnLevels;
  changes: Changes;
  watchlists: Watchlists;
  subscriptions: Subscriptions;
  automation: Automation;
  skills: Skills;
  dashboard: DashboardFiles;
}
export type PortName = keyof Ports;

/** Ports that return market data; results that use one carry the label of the market. */
export const MARKET_PORTS: ReadonlySet<PortName> = new Set([
  "quotes",
  "quoteStreams",
  "bars",
  "indices",
  "news",
  "earnings",
  "prints",
  "offExchange",
  "shortInterest",
  "marketEvents",
  "contracts",
  "congress",
  "company",
  "tasks",
  "engineRuns",
  "trackRecord",
  "backtests",
  "chains",
  "flowTape",
  "flowDays",
  "putCalls",
  "brokers",
  "tradeRepository",
  "positionRepository",
  "tradeNotes",
  "claims",
  "checkedOrders",
  "receipts",
  "changes",
  "subscriptions",
  "automation",
]);
