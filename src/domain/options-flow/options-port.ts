import type { Instrument } from "../market/market.ts";
import type { ProviderAttempt } from "../market/provenance.ts";
import type { FlowDay, OptionChain, OptionTrade, PutCallDay, TideTick } from "./options.ts";

interface OptionsCallOptions {
  readonly signal?: AbortSignal;
}

/** Provenance of an answer. */
export interface AnswerOrigin {
  readonly source: string;
  /** When the provider was called, ISO 8601 UTC. */
  readonly fetchedAt: string;
  /** True for an older answer, returned because no provider gives a newer one now. */
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
  chain(instrument: Instrument, options?: OptionsCallOptions): Promise<OptionChainAnswer | DataUnavailable>;
  /** Which setting connects a source, where none is connected. */
  readonly missing?: string;
}

export interface OptionTradesAnswer extends AnswerOrigin {
  /** Oldest first. */
  readonly trades: readonly OptionTrade[];
  /** From here on nothing is left out, epoch ms; null where nothing is in the whole range. */
  readonly completeFrom: number | null;
  /** Up to here, epoch ms; up to when it was fetched where it is not said. */
  readonly completeUntil?: number;
  /** What is missing, one sentence each. */
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
    range: OptionsCallOptions & { readonly from: number; readonly until: number },
  ): Promise<OptionTradesAnswer | DataUnavailable>;
  /** Net premium of the market in the newest session. */
  tide(options?: OptionsCallOptions): Promise<TideAnswer | DataUnavailable>;
}

/** Stored daily summaries of option chains. */
export interface FlowDays {
  /** The newest days of a symbol, oldest first, each as its last snapshot by `until` (epoch ms) had it. */
  days(
    symbol: string,
    range: { readonly until: number; readonly limit: number },
  ): Promise<readonly FlowDay[]>;
  /** Stores a snapshot; a failed write is logged and the snapshot lost. */
  save(symbol: string, snapshot: FlowDay): Promise<void>;
}

export interface PutCallsAnswer extends AnswerOrigin {
  /** Oldest first. */
  readonly days: readonly PutCallDay[];
  /** Days known of a year that is still being fetched; left out where all of it was. */
  readonly fetching?: { readonly known: number; readonly of: number };
}

/** Put/call ratios of the whole market by day. Failure rejects. */
export interface PutCalls {
  days(
    range: OptionsCallOptions & { readonly until: number; readonly limit: number },
  ): Promise<PutCallsAnswer | DataUnavailable>;
}
