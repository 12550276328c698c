import type { BacktestResult, PartRow } from "../../domain/backtest/backtest.ts";
import { drawdownsOf, maxDrawdownPct } from "./drawdowns.ts";
import { heldCurve } from "./market.ts";
import { annualSharpe } from "./moments.ts";
import { dailyReturns } from "./returns.ts";
import type { Ledger, Stream } from "./types.ts";

/**
 * A run by months, by years and by halves of its bars. A part begins with the equity at the close before it, the first
 * with that of its own first close; months and years without a bar are left out, and so is all after equity fell to 0.
 * A trade counts where it was closed. `year` is the trading days in one. Months are as `2024-03`, all in UTC.
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

/** Bars from `start` to before `end` of the timeline. */
interface Span {
  readonly part: string;
  readonly start: number;
  readonly end: number;
}

/** Runs of bars whose dates begin with the same `letters` letters: 4 for a year, 7 for a month. */
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

/** The first moment of the next year or month. */
function after(time: number, letters: number): number {
  const date = new Date(time);
  return letters === 4
    ? Date.UTC(date.getUTCFullYear() + 1, 0)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Percent, from the value before `start` to the one before `end`. */
const change = (values: Float64Array, start: number, end: number): number =>
  100 * (values[end - 1]! / values[Math.max(0, start - 1)]! - 1);

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
