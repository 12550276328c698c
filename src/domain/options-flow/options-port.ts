import type { CallOptions } from "../call-options.ts";
import type { Instrument } from "../market/market.ts";
import type { ProviderAttempt } from "../market/provenance.ts";
import type { FlowDay, OptionChain, OptionTrade, PutCallDay, TideTick } from "./options.ts";

export interface AnswerOrigin {
  readonly source: string;
  /** Time of the provider call, ISO 8601 UTC. */
  readonly fetchedAt: string;
  /** True for an older answer, returned because no provider responds now. */
  readonly stale: boolean;
  readonly tried: readonly ProviderAttempt[];
}

/** No data, which is not a failure: no provider covers it, or none is connected and `reason` names the setting. */
export interface DataUnavailable {
  readonly unavailable: "not_covered" | "not_connected";
  readonly reason: string;
}

export interface OptionChainAnswer extends AnswerOrigin {
  readonly chain: OptionChain;
  /** A chain at least ten minutes older, to derive what traded in between; null if none is stored. */
  readonly earlier: OptionChain | null;
}

/** Option chains of stocks and funds. Failure rejects. */
export interface Chains {
  chain(instrument: Instrument, options?: CallOptions): Promise<OptionChainAnswer | DataUnavailable>;
  /** Reason why no provider is connected, with the setting that connects one; absent if one is connected. */
  readonly missing?: string;
}

export interface OptionTradesAnswer extends AnswerOrigin {
  /** Oldest first. */
  readonly trades: readonly OptionTrade[];
  /** Start of the complete part of the range, epoch ms; null if the whole range is complete. */
  readonly completeFrom: number | null;
  /** End of the complete part, epoch ms. Default: `fetchedAt`. */
  readonly completeUntil?: number;
  /** Descriptions of missing data, one sentence each. */
  readonly notes?: readonly string[];
}
export interface TideAnswer extends AnswerOrigin {
  /** Oldest first. */
  readonly ticks: readonly TideTick[];
}

/** Large option trades with their execution details, which chains do not include. Rejects on failure. */
export interface FlowTape {
  trades(
    instrument: Instrument,
    range: CallOptions & { readonly from: number; readonly until: number },
  ): Promise<OptionTradesAnswer | DataUnavailable>;
  /** Net premium of the market in the newest session. */
  tide(options?: CallOptions): Promise<TideAnswer | DataUnavailable>;
}

/** Stored daily summaries of option chains. */
export interface FlowDays {
  /** Returns the newest days of a symbol, oldest first, each from its last snapshot at or before `until` (epoch ms). */
  days(
    symbol: string,
    range: { readonly until: number; readonly limit: number },
  ): Promise<readonly FlowDay[]>;
  /** Stores a snapshot. If the write fails, the failure is logged and the snapshot is lost. */
  save(symbol: string, snapshot: FlowDay): Promise<void>;
}

export interface PutCallsAnswer extends AnswerOrigin {
  /** Oldest first. */
  readonly days: readonly PutCallDay[];
  /** Progress while a year of days is still being fetched: `known` days out of `of`; absent once all are known. */
  readonly fetching?: { readonly known: number; readonly of: number };
}

/** Put/call ratios of the whole market by day. Failure rejects. */
export interface PutCalls {
  days(
    range: CallOptions & { readonly until: number; readonly limit: number },
  ): Promise<PutCallsAnswer | DataUnavailable>;
}
