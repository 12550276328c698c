import type { ProviderTimeframe } from "../../src/domain/market/bars.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import type { WorldTopics } from "./topics.ts";

/** One bar; the newest one may still be forming. The time of a daily bar is 00:00 UTC of its session date. */
export interface WorldBar {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Shares, or units of the token. */
  readonly volume: number;
}

/** The newest trade with open, high, low and volume of its day and the previous close. */
export interface WorldTrade {
  readonly price: number;
  readonly at: number;
  readonly previousClose: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
}

export interface WorldSplit {
  /** Session date, 00:00 UTC. */
  readonly day: number;
  /** Split ratio: number of new shares per old share. */
  readonly factor: number;
}

/** One simulated market that every replayed vendor reports in its own format, so all vendors agree. */
export interface World extends WorldTopics {
  /** Epoch ms. */
  now(): number;
  /** The instrument with a canonical symbol (`BRK.B`, `BTC-USD`); null if not listed. */
  instrument(symbol: string): Instrument | null;
  /** Every listed instrument. */
  instruments(): readonly Instrument[];
  /**
   * Bars that start within [from, until], ascending, none later than now. Stocks and funds: `regular` bars start at
   * 09:30, 10:00, 10:30 ... New York (one-hour bars at 09:30; the last is half an hour long), `extended` bars at full
   * and half hours from 04:00 to 20:00. Crypto: UTC. Prices are split-adjusted.
   */
  bars(
    symbol: string,
    timeframe: ProviderTimeframe,
    range: { readonly from: number; readonly until: number; readonly hours?: "regular" | "extended" },
  ): readonly WorldBar[];
  /** Newest trade of any session; null for an unlisted symbol and before its first trade. */
  trade(symbol: string): WorldTrade | null;
  splits(symbol: string): readonly WorldSplit[];
}
