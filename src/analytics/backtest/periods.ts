import type { BacktestResult, PartRow } from "../../domain/backtest/backtest.ts";
import { drawdownsOf, maxDrawdownPct } from "./drawdowns.ts";
import { heldCurve } from "./market.ts";
import { annualSharpe } from "./moments.ts";
import { dailyReturns } from "./returns.ts";
import type { Ledger, Stream } from "./types.ts";

/**
 * Returns the results of a run by month (`2024-03`, UTC), by year and by half of its bars. Each part starts with the
 * equity at the close before it, the first with the equity at its first close. Periods without bars, and those that
 * start after equity fell to 0, are omitted. A trade counts in the period in which it was closed. `year` is the number
 * of trading days per year.
 */
export function periodsOf(
  ledger: Ledger,
  streams: readonly Stream[],
  year: number,
): Pick<BacktestResult, "months" | "years" | "halves"> {
  const { time, equity } = ledger;
  const market = heldCurve(streams, time);
  const row = ({ part, start, end }: Span): PartRow => {
    const base = Math.max(0, start - 1);
    const window = { time: time.subarray(base, end), equity: equity.subarray(base, end) };
    return {
      part,
      return_pct: change(equity, start, end),
      buy_hold_return_pct: finite(change(market, start, end)),
      max_drawdown: maxDrawdownPct(drawdownsOf(window.time, window.equity)),
      sharpe_arithmetic: annualSharpe(dailyReturns(window), year),
      trade_count: ledger.trades.filter(({ exitBar }) => exitBar >= start && exitBar < end).length,
    };
  };
  const alive = ({ start }: Span) => equity[Math.max(0, start - 1)]! > 0;
  const middle = Math.floor(time.length / 2);
  const halves = [
    { part: "first half", start: 0, end: middle },
    { part: "second half", start: middle, end: time.length },
  ];
  return {
    months: spans(time, 7)
      .filter(alive)
      .map(({ part, start, end }) => ({ month: part, return_pct: change(equity, start, end) })),
    years: spans(time, 4).filter(alive).map(row),
    halves: middle === 0 ? [] : halves.filter(alive).map(row),
  };
}

/** Bars of the timeline from `start` up to but excluding `end`. */
interface Span {
  readonly part: string;
  readonly start: number;
  readonly end: number;
}

/** Splits the bars by the first `letters` characters of their dates: 4 for years, 7 for months. */
function spans(time: Float64Array, letters: number): readonly Span[] {
  const found: Span[] = [];
  let start = 0;
  while (start < time.length) {
    const part = new Date(time[start]!).toISOString().slice(0, letters);
    const next = after(time[start]!, letters);
    let end = start + 1;
    while (end < time.length && time[end]! < next) end += 1;
    found.push({ part, start, end });
    start = end;
  }
  return found;
}

/** Returns the start of the next year or month, epoch ms. */
function after(time: number, letters: number): number {
  const date = new Date(time);
  return letters === 4
    ? Date.UTC(date.getUTCFullYear() + 1, 0)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/**
 * Returns the change in percent from the value before `start` (at the start of the run: the first value) to the last
 * one before `end`.
 */
const change = (values: Float64Array, start: number, end: number): number =>
  100 * (values[end - 1]! / values[Math.max(0, start - 1)]! - 1);

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
