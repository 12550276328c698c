import { enter, nearerStop, rangesOf, trailingStop } from "./entry.ts";
import { endsEarly } from "./members.ts";
import { closePosition, ledgerOf, openPortfolio, type Portfolio } from "./portfolio.ts";
import { rowFrom, timelineOf } from "./timeline.ts";
import { type Account, FLAT, HOLD, type Ledger, LONG, SHORT, type Stream } from "./types.ts";

const YEAR_MS = 365 * 86_400_000;

/**
 * Simulates one or more symbols that share one account and returns the ledger. A decision at a close is filled at the
 * symbol's next open: first the exits of all symbols, then the entries in stream order with the remaining cash. From
 * the entry bar on, the stop is checked before the target; a gap through either fills at the open. A bar that fills an
 * entry at its limit can reach the stop, but not the target, whose time within the bar is unknown. A trailing stop moves
 * after each bar, by its high or low. Dividends and borrowing fees are paid before the open. Equity is valued at
 * closes, or at the last close of a symbol without a bar, and never depends on later bars. If equity is 0 or below at
 * a close, all positions are closed there and none is opened again. A member of a list whose bars end before the run
 * is sold at its last close.
 */
export function simulate(streams: readonly Stream[], account: Account): Ledger {
  const from = account.from ?? Number.NEGATIVE_INFINITY;
  const time = timelineOf(streams, from);
  const portfolio = openPortfolio(streams, account, time);
  const ranges = rangesOf(portfolio);
  const equity = new Float64Array(time.length);
  const { units, entry, stop, target, mark } = portfolio;
  const next = Int32Array.from(streams, ({ bars }) => rowFrom(bars.time, from));
  const first = Int32Array.from(streams, ({ decisions }, s) => Math.max(decisions.start, next[s]!));
  const wants = new Uint8Array(streams.length);
  const count = streams.length;
  // hoisted columns: this loop runs for every bar of every run of a sweep
  const times = streams.map(({ bars }) => bars.time);
  const opens = streams.map(({ bars }) => bars.open);
  const closes = streams.map(({ bars }) => bars.close);
  const actions = streams.map(({ decisions }) => decisions.action);
  const hasCarry = streams.some(({ dividends }) => dividends !== undefined) || (account.borrow ?? 0) > 0;

  for (let t = 0; t < time.length; t++) {
    const now = time[t]!;
    let entries = 0;
    for (let s = 0; s < count; s++) {
      const row = next[s]!;
      wants[s] = HOLD;
      if (times[s]![row] !== now) continue;
      const open = opens[s]![row]!;
      const action = row > first[s]! ? actions[s]![row - 1]! : HOLD;
      const held = units[s]!;
      if (hasCarry && held !== 0) payCarry(portfolio, s, row);
      mark[s] = open;
      if (held !== 0) {
        const against = action === FLAT || action === (held > 0 ? SHORT : LONG);
        if (against) closePosition(portfolio, s, t, open, "decision");
        else if (held * (open - stop[s]!) <= 0) closePosition(portfolio, s, t, open, "stop");
        else if (held * (open - target[s]!) >= 0) closePosition(portfolio, s, t, open, "target");
        if (!against) continue;
      }
      if (action === LONG || action === SHORT) {
        wants[s] = action;
        entries += 1;
      }
    }
    if (entries > 0) {
      for (let s = 0; s < count; s++)
        if (wants[s] !== HOLD) enter(portfolio, ranges, s, t, next[s]!, wants[s]!);
    }
    let worth = 0;
    for (let s = 0; s < count; s++) {
      const row = next[s]!;
      if (times[s]![row] === now) {
        next[s] = row + 1;
        mark[s] = closes[s]![row]!;
        if (units[s] !== 0 && !(Number.isNaN(stop[s]!) && Number.isNaN(target[s]!)))
          protect(portfolio, s, t, row);
        if (units[s] !== 0 && !Number.isNaN(portfolio.trail[s]!)) moveTrailingStop(portfolio, s, row);
        if (units[s] !== 0 && streams[s]!.memberships !== undefined && isDelisted(portfolio, s, row))
          closePosition(portfolio, s, t, mark[s]!, "end");
      }
      if (units[s] !== 0) worth += units[s]! * (mark[s]! - entry[s]!);
    }
    equity[t] = portfolio.cash + worth;
    if (equity[t]! > portfolio.peak) portfolio.peak = equity[t]!;
    if (equity[t]! <= 0 && !portfolio.ruined) {
      portfolio.ruined = true;
      for (let s = 0; s < count; s++) if (units[s] !== 0) closePosition(portfolio, s, t, mark[s]!, "end");
      equity[t] = portfolio.cash;
    }
  }
  if (account.finalize && time.length > 0) {
    finish(portfolio, next);
    equity[time.length - 1] = portfolio.cash;
  }
  return ledgerOf(portfolio, equity);
}

/** Closes the position if the bar reaches its stop or target; a gap through either fills at the open. */
function protect(portfolio: Portfolio, s: number, t: number, row: number): void {
  const { open, high, low } = portfolio.streams[s]!.bars;
  const side = portfolio.units[s]! > 0 ? 1 : -1;
  const start = open[row]!;
  const stop = portfolio.stop[s]!;
  const target = portfolio.target[s]!;
  const worst = side > 0 ? low[row]! : high[row]!;
  const best = side > 0 ? high[row]! : low[row]!;
  if (portfolio.limitFillBar[s] === t) {
    if (side * (worst - stop) <= 0) closePosition(portfolio, s, t, stop, "stop");
  } else if (side * (start - stop) <= 0) closePosition(portfolio, s, t, start, "stop");
  else if (side * (start - target) >= 0) closePosition(portfolio, s, t, start, "target");
  else if (side * (worst - stop) <= 0) closePosition(portfolio, s, t, stop, "stop");
  else if (side * (best - target) >= 0) closePosition(portfolio, s, t, target, "target");
}

/** Returns true if `row` is the last bar of a symbol that ends before the run. */
const isDelisted = ({ streams, time }: Portfolio, s: number, row: number): boolean =>
  row === streams[s]!.bars.time.length - 1 && endsEarly(streams[s]!.bars, time[time.length - 1]!);

/** Pays the dividend before the open of `row` and the borrowing fee since the bar before it. */
function payCarry(portfolio: Portfolio, s: number, row: number): void {
  const { bars, dividends } = portfolio.streams[s]!;
  const held = portfolio.units[s]!;
  const { borrow = 0 } = portfolio.account;
  const years = (bars.time[row]! - bars.time[row - 1]!) / YEAR_MS;
  const fee = held < 0 ? -held * portfolio.mark[s]! * borrow * years : 0;
  const paid = held * (dividends?.[row] ?? 0) - fee;
  portfolio.cash += paid;
  portfolio.carry[s]! += paid;
}

/** Moves the trailing stop to its distance from the best price of the bar, never away from the price. */
function moveTrailingStop(portfolio: Portfolio, s: number, row: number): void {
  const { bars, decisions } = portfolio.streams[s]!;
  const side = portfolio.units[s]! > 0 ? 1 : -1;
  const best = side > 0 ? bars.high[row]! : bars.low[row]!;
  const moved = trailingStop(best, side, portfolio.trail[s]!, decisions.trail!.relative);
  portfolio.stop[s] = nearerStop(portfolio.stop[s]!, moved, side);
}

/** Closes all positions at the open of the last bar, or at the last close of a symbol that ended earlier. */
function finish(portfolio: Portfolio, next: Int32Array): void {
  const t = portfolio.time.length - 1;
  for (const [s, { bars }] of portfolio.streams.entries()) {
    const last = next[s]! - 1;
    const price = bars.time[last] === portfolio.time[t] ? bars.open[last]! : portfolio.mark[s]!;
    if (portfolio.units[s] !== 0) closePosition(portfolio, s, t, price, "end");
  }
}
