import type { Instrument } from "../market/market.ts";
import type { Provider } from "../providers/provider.ts";
import type { OptionChain, OptionTrade, PutCallDay, TideTick } from "./options.ts";

export type ChainProvider = Provider<Instrument, OptionChain>;

/** What a source told of a day. */
export type PutCallProviderAnswer =
  | { readonly published: false }
  | ({ readonly published: true } & Omit<PutCallDay, "day" | "at">);

export type PutCallProvider = Provider<{ readonly date: string }, PutCallProviderAnswer>;
export interface TradeQuestion {
  readonly instrument: Instrument;
  /** Epoch ms. */
  readonly from: number;
}

/** What a source told, in any order; complete from a moment on, `-Infinity` where nothing is left out. */
export interface TradeProviderAnswer {
  readonly trades: readonly OptionTrade[];
  readonly completeFrom: number;
  /** Complete up to here, epoch ms; up to when it was asked where it is not said. */
  readonly completeUntil?: number;
  /** Why it tells nothing of the time asked for, where it does not reach so far. */
  readonly silent?: string;
  /** What is missing of it, a sentence each. */
  readonly notes?: readonly string[];
}

export type TradeProvider = Provider<TradeQuestion, TradeProviderAnswer>;

export type TideProvider = Provider<null, { readonly ticks: readonly TideTick[] }>;
