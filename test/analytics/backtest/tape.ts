import {
  type Account,
  type Decisions,
  HOLD,
  type Ledger,
  type Stream,
} from "../../../src/analytics/backtest/types.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";

export const DAY = 86_400_000;

/** A bar written by hand: day, open, high, low, close. */
export type Row = readonly [day: number, open: number, high: number, low: number, close: number];

/** Daily bars from rows. */
export function barsOf(rows: readonly Row[]): Bars {
  const column = (i: number, scale = 1) => Float64Array.from(rows, (row) => row[i]! * scale);
  return {
    time: column(0, DAY),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(1),
    timeframe: "1d",
    adjustment: "split",
    zone: "UTC",
  };
}

/** A stream with decisions at the given bars, by row index. */
export function streamOf(
  symbol: string,
  rows: readonly Row[],
  actions: Readonly<Record<number, number>>,
  protection: { readonly stop?: number; readonly target?: number } = {},
): Stream {
  const action = Uint8Array.from(rows, (_, i) => actions[i] ?? HOLD);
  const column = (price = Number.NaN) => new Float64Array(rows.length).fill(price);
  const decisions: Decisions = {
    start: 0,
    action,
    stop: column(protection.stop),
    target: column(protection.target),
  };
  return { symbol, bars: barsOf(rows), decisions };
}

/** 1,000 USD, no costs, whole units, all-in, nothing closed at the end, unless overridden. */
export const testAccount = (changes: Partial<Account> = {}): Account => ({
  cash: 1_000,
  commission: 0,
  slippage: 0,
  sizing: { kind: "all_in", value: null },
  fractional: false,
  finalize: false,
  ...changes,
});

/** A ledger that holds only equity, one day per value, from `first` (epoch ms). */
export const ledgerOver = (equity: readonly number[], first = Date.UTC(2020, 0, 1)): Ledger => ({
  time: Float64Array.from(equity, (_, day) => first + day * DAY),
  equity: Float64Array.from(equity),
  trades: [],
  open: [],
  refused: [],
});
