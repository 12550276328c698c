import type { ExitReason, Sizing } from "../../domain/backtest/backtest.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { Cooldown } from "../risk/loss-rules.ts";

/** Actions that a strategy decides at a close; filled at the next open. */
export const HOLD = 0;
/** Be long: opens a long position, after closing a short one; nothing where there is a long one. */
export const LONG = 1;
/** Be short, likewise. */
export const SHORT = 2;
/** Close whatever is open. */
export const FLAT = 3;

/** Decisions at the close of each bar, from bars up to it alone. Columns are as long as the bars. */
export interface Decisions {
  /** First bar that may decide anything: the longest warm-up. Actions before it are HOLD. */
  readonly start: number;
  /** HOLD, LONG, SHORT or FLAT. */
  readonly action: Uint8Array;
  /** Price of the protective stop of an entry decided at this bar; NaN for none. Left out, no entry has one. */
  readonly stop?: Float64Array;
  /** Price of its target, likewise. */
  readonly target?: Float64Array;
}

/** One symbol of a run. */
export interface Stream {
  readonly symbol: string;
  readonly bars: Bars;
  readonly decisions: Decisions;
  /** True if fractions of a unit may be bought. Default: the account's setting. */
  readonly fractional?: boolean;
}

/** The purse, what trading costs, and how entries are sized. */
export interface Account {
  /** USD, positive. */
  readonly cash: number;
  /** Fraction of turnover paid at each side, 0.001 for 0.1 %. */
  readonly commission: number;
  /** Fraction by which an entry is filled worse than the open. */
  readonly slippage: number;
  readonly sizing: Sizing;
  /** True if fractions of a unit may be bought. */
  readonly fractional: boolean;
  /** True if positions open at the end are closed at the last bar's open. */
  readonly finalize: boolean;
  /** Start of trading, epoch ms; earlier bars only warm strategies up. Default: the first bar. */
  readonly from?: number;
  /** After a number of losing stop-outs no position is opened for some minutes, from the close of the first one's bar. */
  readonly cooldown?: Cooldown;
  /** No position is opened while equity is more than this percentage below its highest close. */
  readonly haltDrawdown?: number;
}

/** A position; `bar`s count the timeline of the run. */
export interface Position {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly units: number;
  readonly entryBar: number;
  /** Start of the bar, epoch ms. */
  readonly entryTime: number;
  /** With slippage. */
  readonly entryPrice: number;
  readonly stop: number | null;
  readonly target: number | null;
}

/** A position that was closed. */
export interface Trade extends Position {
  readonly exitBar: number;
  readonly exitTime: number;
  readonly exitPrice: number;
  /** After commission of both sides, USD. */
  readonly profit: number;
  readonly commission: number;
  /** Of the entry's turnover, after commission, a fraction. */
  readonly return: number;
  readonly reason: ExitReason;
}

/** A position that is open at the end, marked at the last close. */
export interface OpenTrade extends Position {
  /** Before the commission of a close, USD. */
  readonly profit: number;
}

/** An order that was not filled. */
export interface Refused {
  readonly symbol: string;
  /** Bar at whose open it would have been filled. */
  readonly time: number;
  /**
   * The purse did not hold it; the record has no edge to stake on; sizing by risk had no ATR14 yet, or one of 0; as much
   * was at risk as may be; equity had fallen to 0; too many stop-outs or too deep a drawdown came before.
   */
  readonly reason: "cash" | "no_edge" | "no_range" | "risk_cap" | "ruin" | "cooldown" | "halt";
}

/** Result of a run, bar by bar. The timeline holds every bar time of any stream from the first traded bar on. */
export interface Ledger {
  readonly time: Float64Array;
  /** At each close, USD. */
  readonly equity: Float64Array;
  readonly trades: readonly Trade[];
  readonly open: readonly OpenTrade[];
  readonly refused: readonly Refused[];
}

/** A rule that turns bars into decisions; the same for the same bars, and blind to bars that come later. */
export type Strategy = (bars: Bars) => Decisions;
