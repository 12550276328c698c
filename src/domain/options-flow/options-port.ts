import type { Instrument } from "../market/market.ts";
import type { ProviderAttempt } from "../market/provenance.ts";
import type { FlowDay, OptionChain, OptionTrade, PutCallDay, TideTick } from "./options.ts";

interface OptionsCallOptions {
  readonly signal?: AbortSignal;
}

/** Where an answer comes from. */
export interface AnswerOrigin {
  readonly source: string;
  /** When the source was asked, ISO 8601 UTC. */
  readonly fetchedAt: string;
  /** An older answer, told because nobody gives a newer one just now. */
  readonly stale: boolean;
  readonly tried: readonly ProviderAttempt[];
}

/** Nothing to tell, which is no failure: no source covers it, or none is connected and `reason` names the setting. */
export interface DataUnavailable {
  readonly untold: "not_covered" | "not_connected";
  readonly reason: string;
}

export interface OptionChainAnswer extends AnswerOrigin {
  readonly chain: OptionChain;
  /** A chain of at least ten minutes before, to tell what traded in between; null where none was kept. */
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
  /** What is missing of them, a sentence each. */
  readonly notes?: readonly string[];
}
export interface TideAnswer extends AnswerOrigin {
  /** Oldest first. */
  readonly ticks: readonly TideTick[];
}

/** Large option trades one by one, with how they were executed, which no chain tells. Failure rejects. */
export interface FlowTape {
  trades(
    instrument: Instrument,
    range: OptionsCallOptions & { readonly from: number; readonly until: number },
  ): Promise<OptionTradesAnswer | DataUnavailable>;
  /** Net premium of the market in the newest session. */
  tide(options?: OptionsCallOptions): Promise<TideAnswer | DataUnavailable>;
}

/** What chains came to day by day, as this installation has kept it. */
export interface FlowDays {
  /** The newest days of a symbol, oldest first, each as its last snapshot by `until` (epoch ms) had it. */
  days(
    symbol: string,
    range: { readonly until: number; readonly limit: number },
  ): Promise<readonly FlowDay[]>;
  /** Keeps a snapshot; one that cannot be kept is logged and lost. */
  keep(symbol: string, snapshot: FlowDay): Promise<void>;
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
