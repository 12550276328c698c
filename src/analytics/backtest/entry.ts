import { atr } from "../indicators/atr.ts";
import { minutesSince } from "../risk/loss-rules.ts";
import type { Portfolio } from "./portfolio.ts";
import { sizeOf } from "./sizing.ts";
import { LONG, type Refused } from "./types.ts";

const RANGE = 14;

/** Returns the ATR14 of every stream, or null if the sizing does not need it. */
export const rangesOf = ({ streams, account: { sizing } }: Portfolio): readonly Float64Array[] | null =>
  sizing.kind === "volatility" || sizing.kind === "kelly"
    ? streams.map(({ bars: { high, low, close } }) => atr(high, low, close, RANGE))
    : null;

/**
 * Fills the entry that stream `s` decided at its bar `row - 1`, at the open of bar `row` (bar `t` of the timeline), or
 * records why it is refused. Every position is valued at the open of this bar, or at its last close if its symbol has
 * no such bar.
 */
export function enter(
  portfolio: Portfolio,
  ranges: readonly Float64Array[] | null,
  s: number,
  t: number,
  row: number,
  action: number,
): void {
  const { streams, account } = portfolio;
  const { symbol, bars, decisions, fractional = account.fractional } = streams[s]!;
  const side = action === LONG ? 1 : -1;
  const open = bars.open[row]!;
  const price = open * (1 + side * account.slippage);
  const stop = decisions.stop?.[row - 1] ?? Number.NaN;
  const { units, entry, mark, risk } = portfolio;
  // positions on either side tie up their market value: no margin, and short sale proceeds cannot be spent
  let worth = portfolio.cash;
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
    entryBlockReason(portfolio, portfolio.time[t]!, worth) ??
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
        tradeStats: portfolio.tradeStats,
      },
      account.sizing,
      fractional,
    );
  if (typeof sized === "string") {
    portfolio.refused.push({ symbol, time: portfolio.time[t]!, reason: sized });
    return;
  }
  const paid = sized.units * price * account.commission;
  portfolio.cash -= paid;
  portfolio.units[s] = side * sized.units;
  portfolio.entry[s] = price;
  portfolio.entryBar[s] = t;
  portfolio.stop[s] = stop;
  portfolio.target[s] = decisions.target?.[row - 1] ?? Number.NaN;
  portfolio.risk[s] = sized.risk;
}

/**
 * Returns why no position may be opened under the account rules, which also apply to live orders; null if entries are
 * allowed.
 */
function entryBlockReason(portfolio: Portfolio, now: number, worth: number): Refused["reason"] | null {
  const { cooldown, haltDrawdown } = portfolio.account;
  if (portfolio.ruined) return "ruin";
  if (haltDrawdown !== undefined && (portfolio.peak - worth) * 100 > portfolio.peak * haltDrawdown)
    return "halt";
  if (cooldown === undefined) return null;
  const since = minutesSince(portfolio.stopOuts, now, cooldown);
  return since !== null && since < cooldown.minutes ? "cooldown" : null;
}
