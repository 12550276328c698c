import type { Instrument } from "../market/market.ts";
import type { Provider } from "../providers/provider.ts";
import type { OptionChain, OptionTrade, PutCallDay, TideTick } from "./options.ts";

export type ChainProvider = Provider<Instrument, OptionChain>;

/** Provider of chains for an account, which decides how late they are. */
export interface KeyedChainProvider extends ChainProvider {
  /** Minutes by which chains lag the market; 0 in real time. */
  readonly delayMinutes: number;
}

/** Response of a put/call provider for one day. */
export type PutCallProviderAnswer =
  | { readonly published: false }
  | ({ readonly published: true } & Omit<PutCallDay, "day" | "at">);

export type PutCallProvider = Provider<{ readonly date: string }, PutCallProviderAnswer>;
export interface OptionTradesRequest {
  readonly instrument: Instrument;
  /** Epoch ms. */
  readonly from: number;
}

/** Response of a trade provider, in any order; complete from `completeFrom` on, `-Infinity` if nothing is missing. */
export interface TradeProviderAnswer {
  readonly trades: readonly OptionTrade[];
  readonly completeFrom: number;
  /** Complete up to here, epoch ms. Default: the time of the request. */
  readonly completeUntil?: number;
  /** Reason why there is no data for the requested period; set if the provider's history does not reach that far back. */
  readonly emptyReason?: string;
  /** Descriptions of missing data, one sentence each. */
  readonly notes?: readonly string[];
}

export type TradeProvider = Provider<OptionTradesRequest, TradeProviderAnswer>;

export type TideProvider = Provider<null, { readonly ticks: readonly TideTick[] }>;
