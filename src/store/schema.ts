import type { AccountTables } from "./accounts/account-tables.ts";

/** Tables as rows: text, integers and doubles only, times as ISO 8601 UTC text, so that every database keeps them alike. */
export interface Schema extends AccountTables {
  readonly accounts: AccountsTable;
  readonly keys: KeysTable;
  readonly engine_results: EngineResultsTable;
  readonly engine_runs: EngineRunsTable;
  readonly engine_rows: EngineRowsTable;
  readonly engine_failures: EngineFailuresTable;
  readonly engine_ranks: EngineRanksTable;
  readonly a2a_tasks: A2aTasksTable;
  readonly listings: ListingsTable;
  readonly kept_quotes: CachedQuotesTable;
  readonly kept_bars: CachedBarsTable;
  readonly disagreements: DisagreementsTable;
  readonly signals: SignalsTable;
  readonly signal_outcomes: SignalOutcomesTable;
  readonly track_records: TrackRecordsTable;
  readonly backtests: BacktestsTable;
  readonly disclosures: DisclosuresTable;
  readonly disclosure_filings: DisclosureFilingsTable;
  readonly disclosure_sources: DisclosureSourcesTable;
  readonly flow_snapshots: FlowSnapshotsTable;
  readonly put_call_days: PutCallDaysTable;
  readonly estimate_snapshots: EstimateSnapshotsTable;
  readonly report_dates: ReportDatesTable;
  readonly contract_snapshots: ContractSnapshotsTable;
  /** `at` is epoch ms. */
  readonly vendor_calls: { readonly vendor: string; readonly at: number };
}

interface AccountsTable {
  readonly id: string;
  readonly plan: string;
  /** JSON `{"terms": "<row of the plan schedule>"}`. */
  readonly overrides: string | null;
  readonly created_at: string;
}

interface KeysTable {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly kind: string;
  readonly hash: string;
  readonly last4: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly replaced_by: string | null;
  readonly grace_until: string | null;
}

interface EngineResultsTable {
  readonly run_id: string;
  readonly run_at: string;
  readonly market: string;
  readonly symbol: string;
  readonly timeframe: string;
  readonly score: number | null;
  readonly grade: string | null;
  readonly direction: string;
}

interface EngineRunsTable {
  readonly run_id: string;
  readonly market: string;
  readonly universe: string;
  readonly timeframe: string;
  readonly model_version: string;
  readonly as_of: string;
  readonly started_at: string;
  /** Null until it is finished. */
  readonly run_at: string | null;
  readonly universe_hash: string;
  /** JSON: symbols. */
  readonly members: string;
  /** JSON; null where the run has none. */
  readonly market_index: string | null;
  /** Names the data read; null where a market's data never change. */
  readonly content: string | null;
}

interface EngineRowsTable {
  readonly run_id: string;
  readonly symbol: string;
  readonly score: number | null;
  readonly grade: string | null;
  readonly direction: string;
  /** JSON of the whole row. */
  readonly said: string;
}

interface EngineFailuresTable {
  readonly run_id: string;
  readonly symbol: string;
  readonly code: string;
  readonly message: string;
}

/** `said` is JSON of the day and the returns. */
interface EngineRanksTable {
  readonly run_id: string;
  readonly kind: string;
  readonly hash: string;
  readonly said: string;
}

/** The row of the A2A library; this is what our own statements read of it. */
interface A2aTasksTable {
  readonly tenant: string;
  readonly owner: string;
  readonly id: string;
  readonly status_last_updated: number;
  readonly status_state: string | null;
}

interface ListingsTable {
  readonly market: string;
  /** `us` or `tokens`. */
  readonly kind: string;
  readonly source: string;
  readonly fetched_at: string;
  /** How many rows `listed`, which is JSON, has. */
  readonly count: number;
  readonly listed: string;
  /** Why it took the place of a much longer one. */
  readonly reason: string | null;
}

/** `said` is JSON of what a source said. */
interface CachedQuotesTable {
  readonly market: string;
  readonly symbol: string;
  readonly fetched_at: string;
  readonly said: string;
}

interface CachedBarsTable extends CachedQuotesTable {
  readonly timeframe: string;
}

interface DisagreementsTable {
  readonly market: string;
  readonly symbol: string;
  readonly at: string;
  readonly said: string;
}

/** Never updated. */
interface SignalsTable {
  /** Hash of what makes it the same signal, so that it is written once. */
  readonly id: string;
  readonly market: string;
  readonly symbol: string;
  readonly asset_class: string;
  readonly timeframe: string;
  /** When the decision bar closed. */
  readonly decided_at: string;
  /** `served`, `scheduled` or `replay`. */
  readonly origin: string;
  readonly run_id: string | null;
  readonly direction: string;
  readonly grade: string | null;
  readonly score: number | null;
  readonly tier: string;
  readonly entry: number;
  readonly stop: number;
  readonly target: number;
  readonly close: number;
  readonly inputs_hash: string;
  readonly model_version: string;
  readonly logged_at: string;
}

/** Never updated. */
interface SignalOutcomesTable {
  readonly id: string;
  /** In bars. */
  readonly horizon: number;
  readonly known_at: string;
  readonly change: number;
  readonly r: number | null;
}

/** `said` is JSON. */
interface TrackRecordsTable {
  readonly market: string;
  readonly timeframe: string;
  readonly model_version: string;
  readonly computed_at: string;
  readonly said: string;
}

/** `request` and `result` are JSON. */
interface BacktestsTable {
  readonly account: string;
  readonly market: string;
  readonly id: string;
  readonly created_at: string;
  readonly request: string;
  readonly result: string;
}

/** `said` is JSON of what the chain came to. */
interface FlowSnapshotsTable {
  readonly market: string;
  readonly symbol: string;
  /** When the snapshot was known. */
  readonly at: string;
  /** Session date. */
  readonly day: string;
  readonly said: string;
}

/** `said` is JSON of the ratios; null for a day of which none were published. */
interface PutCallDaysTable {
  readonly market: string;
  readonly day: string;
  readonly at: string;
  readonly source: string;
  readonly said: string | null;
}

/** `said` is JSON of the whole disclosure. */
interface DisclosuresTable {
  readonly market: string;
  readonly source: string;
  readonly id: string;
  readonly chamber: string;
  readonly ticker: string | null;
  readonly filing_date: string;
  readonly member_id: string | null;
  readonly said: string;
}

/** Filings that were read; `unread` is JSON of one without readable rows, `again` 1 where another day may find some. */
interface DisclosureFilingsTable {
  readonly market: string;
  readonly source: string;
  readonly doc_id: string;
  readonly chamber: string;
  readonly filing_date: string | null;
  readonly again: number;
  readonly unread: string | null;
}

interface DisclosureSourcesTable {
  readonly market: string;
  readonly source: string;
  readonly chamber: string;
  /** When the source had last answered. */
  readonly told_at: string | null;
  /** When the source had last told everything; null until it had. */
  readonly refreshed_at: string | null;
  /** Filing date from which on everything is held. */
  readonly complete_from: string | null;
}

/** The last of its day. */
interface EstimateSnapshotsTable {
  readonly market: string;
  readonly symbol: string;
  readonly source: string;
  /** As the source counts quarters. */
  readonly period: string;
  readonly day: string;
  readonly taken_at: string;
  readonly eps: number | null;
  readonly revenue: number | null;
}

interface ReportDatesTable {
  readonly market: string;
  readonly symbol: string;
  readonly noted_at: string;
  readonly source: string;
  readonly date: string;
  readonly hour: string;
  readonly confirmed: number;
}

/** `said` is JSON of the bets; never updated. */
interface ContractSnapshotsTable {
  readonly market: string;
  readonly symbol: string;
  /** When it was kept. */
  readonly at: string;
  readonly said: string;
}
