import { atr } from "../indicators/atr.ts";
import { minutesSince } from "../risk/loss-rules.ts";
import type { Portfolio } from "./portfolio.ts";
import { sizeOf } from "./sizing.ts";
import { LONG, type Refused } from "./types.ts";

const RANGE = 14;

/** ATR14 of every stream if the sizing needs it, else null. */
export const rangesOf = ({ streams, account: { sizing } }: Portfolio): readonly Float64Array[] | null =>
  sizing.kind === "volatility" || sizing.kind === "kelly"
    ? streams.map(({ bars: { high, low, close } }) => atr(high, low, close, RANGE))
    : null;

/**
 * Fills the entry that stream `s` decided at its bar `row - 1`, at the open of `row`, bar `t` of the timeline, or notes
 * why not. Every mark of the book is the open of this bar, or the last close of a symbol without one.
 */
export function enter(
  book: Portfolio,
  ranges: readonly Float64Array[] | null,
  s: number,
  t: number,
  row: number,
  action: number,
): void {
  const { streams, account } = book;
  const { symbol, bars, decisions, fractional = account.fractional } = streams[s]!;
  const side = action === LONG ? 1 : -1;
  const open = bars.open[row]!;
  const price = open * (1 + side * account.slippage);
  const stop = decisions.stop?.[row - 1] ?? Number.NaN;
  const { units, entry, mark, risk } = book;
  // positions of either side tie up their worth: nothing is borrowed, and what a short sale brings is not spent
  let worth = book.cash;
  let tied = 0;
  let atRisk = 0;
  for (let i = 0; i < units.length; i++) {
    const held = units[i]!;
    if (held === 0) continue;
    worth += held * (mark[i]! - entry[i]!);
    tied += Math.abs(held) * mark[i]!;
    atRisk += Math.abs(held) * risk[i]!;
  }
  const sized =
    entryBlockReason(book, book.time[t]!, worth) ??
    sizeOf(
      {
        equity: worth,
        available: worth - tied,
        atRisk,
        price,
        cost: price + open * account.commission,
        streams: streams.length,
        stop,
        range: ranges?.[s]?.[row - 1] ?? Number.NaN,
        experience: book.experience,
      },
      account.sizing,
      fractional,
    );
  if (typeof sized === "string") {
    book.refused.push({ symbol, time: book.time[t]!, reason: sized });
    return;
  }
  const paid = sized.units * price * account.commission;
  book.cash -= paid;
  book.units[s] = side * sized.units;
  book.entry[s] = price;
  book.entryBar[s] = t;
  book.stop[s] = stop;
  book.target[s] = decisions.target?.[row - 1] ?? Number.NaN;
  book.risk[s] = sized.risk;
}

/** Why nothing may be opened at all, by the rules that orders obey too; null where something may. */
function entryBlockReason(book: Portfolio, now: number, worth: number): Refused["reason"] | null {
  const { cooldown, haltDrawdown } = book.account;
  if (book.ruined) return "ruin";
  if (haltDrawdown !== undefined && (book.peak - worth) * 100 > book.peak * haltDrawdown) return "halt";
  if (cooldown === undefined) return null;
  const since = minutesSince(book.stopOuts, now, cooldown);
  return since !== null && since < cooldown.minutes ? "cooldown" : null;
}
