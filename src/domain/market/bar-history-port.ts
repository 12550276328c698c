import type { CallOptions } from "../call-options.ts";
import type { BarTimeframe } from "./bars.ts";
import type { BarSeries, Instrument } from "./market.ts";

export interface HistoryRequest extends CallOptions {
  readonly timeframe: BarTimeframe;
  /** Maximum number of closed bars; the newest are returned. */
  readonly limit: number;
  /** Only bars closed by this time are returned, epoch ms. Default: now. */
  readonly asOf?: number;
  /** True uses only providers whose bars carry splits and dividends; for daily bars until now. */
  readonly actions?: boolean;
  /**
   * True includes the pre-market and after-hours bars of stocks and funds, for intraday timeframes; rejects if no
   * provider or file has them. Default: false.
   */
  readonly extendedHours?: boolean;
}

/** OHLCV history. An empty series means that no bars exist; failure rejects. */
export interface BarHistory {
  history(instrument: Instrument, request: HistoryRequest): Promise<BarSeries>;
}
