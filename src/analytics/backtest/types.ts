import type { ExitReason, Sizing } from "../../domain/backtest/backtest.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { Membership } from "../../domain/market/memberships.ts";
import type { Cooldown } from "../risk/loss-rules.ts";

/** Actions decided at a close and filled at the next open. HOLD: no change. */
export const HOLD = 0;
/** Opens a long position after closing a short one; no effect if already long. */
export const LONG = 1;
/** Opens a short position after closing a long one; no effect if already short. */
export const SHORT = 2;
/** Closes any position. */
export const FLAT = 3;

/** Decisions at the close of each bar, based only on bars up to it. Columns are as long as the bars. */
export interface Decisions {
  /** First bar at which a decision is possible, after the longest warm-up. Earlier actions are HOLD. */
  readonly start: number;
  /** HOLD, LONG, SHORT or FLAT. */
  readonly action: Uint8Array;
  /** Stop price of an entry decided at this bar; NaN for none. Omitted: no entry has a stop. */
  readonly stop?: Float64Array;
  /** Target price of such an entry; NaN for none. Omitted: no entry has a target. */
  readonly target?: Float64Array;
  /** Limit price of such an entry, valid for the next bar only; NaN for an entry at the open. Omitted: all at the open. */
  readonly limit?: Float64Array;
  /** Distance of the trailing stop from the best price since such an entry. Omitted: none has one. */
  readonly trail?: Trail;
}

/** Distances of trailing stops by bar, in USD or, if `relative`, as fractions of the best price; NaN for none. */
export interface Trail {
  readonly distance: Float64Array;
  readonly relative: boolean;
}

/** One symbol of a run. */
export interface Stream {
  readonly symbol: string;
  readonly bars: Bars;
  readonly decisions: Decisions;
  /** True if fractions of a unit may be bought. Default: the account's setting. */
  readonly fractional?: boolean;
  /** Fraction by which market orders fill worse than the price. Default: the account's setting. */
  readonly slippage?: number;
  /** Cash dividend per unit by row, USD, paid to a position held before the open of that row. Default: none. */
  readonly dividends?: Float64Array;
  /** When the symbol is a member of the traded list; it is held at no other time. Default: always. */
  readonly memberships?: readonly Membership[];
}

export interface Account {
  /** Starting cash, USD, above 0. */
  readonly cash: number;
  /** Fraction of turnover paid on entry and on exit: 0.001 for 0.1 %. */
  readonly commission: number;
  /** Paid per unit on entry and on exit, USD. Default: 0. */
  readonly perShare?: number;
  /** Fraction by which an entry or exit fills worse than the price; limit entries and targets fill without. */
  readonly slippage: number;
  /** Borrowing fee of a short position, fraction of its value per year. Default: 0. */
  readonly borrow?: number;
  readonly sizing: Sizing;
  /** True if fractions of a unit may be bought. */
  readonly fractional: boolean;
  /** True if positions open at the end are closed at the last bar's open. */
  readonly finalize: boolean;
  /** Start of trading, epoch ms; earlier bars serve only as warm-up. Default: the first bar. */
  readonly from?: number;
  /**
   * After a number of losing stop-outs, no position is opened for some minutes, counted from the close of the bar of
   * the first one.
   */
  readonly cooldown?: Cooldown;
  /** No position is opened while equity is more than this percentage below its highest close. */
  readonly haltDrawdown?: number;
}

/** A position; bar indices refer to the timeline of the run. */
export interface Position {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly units: number;
  readonly entryBar: number;
  /** Start of the bar, epoch ms. */
  readonly entryTime: number;
  /** Entry price including slippage. */
  readonly entryPrice: number;
  readonly stop: number | null;
  readonly target: number | null;
}

/** A closed position. */
export interface Trade extends Position {
  readonly exitBar: number;
  readonly exitTime: number;
  readonly exitPrice: number;
  /** Profit after the commissions of entry and exit, with dividends and borrowing fees, USD. */
  readonly profit: number;
  readonly commission: number;
  /** Profit after commission as a fraction of the entry's turnover. */
  readonly return: number;
  readonly reason: ExitReason;
}

/** A position still open at the end, valued at the last close. */
export interface OpenTrade extends Position {
  /** Profit before the exit commission, USD. */
  readonly profit: number;
}

/** An order that was not filled. */
export interface Refused {
  readonly symbol: string;
  /** Start of the bar at whose open it would have been filled, epoch ms. */
  readonly time: number;
  /**
   * `cash`: not enough cash. `no_edge`: the closed trades show no edge. `no_range`: ATR14 is missing or 0. `risk_cap`:
   * the open risk limit is reached. `limit`: the price did not reach the limit. `ruin`: equity fell to 0. `cooldown`: too many stop-outs. `halt`: the drawdown is
   * too deep.
   */
  readonly reason: "cash" | "no_edge" | "no_range" | "risk_cap" | "limit" | "ruin" | "cooldown" | "halt";
}

/** Result of a run, bar by bar. The timeline contains every bar time of any stream from the first traded bar on. */
export interface Ledger {
  readonly time: Float64Array;
  /** Equity at each close, USD. */
  readonly equity: Float64Array;
  readonly trades: readonly Trade[];
  readonly open: readonly OpenTrade[];
  readonly refused: readonly Refused[];
}

/** Computes decisions from bars. Must be deterministic and must not use later bars. */
export type Strategy = (bars: Bars) => Decisions;
