import type { Bars } from "../../domain/market/bars.ts";
import { atr } from "../indicators/atr.ts";
import { minutesSince } from "../risk/loss-rules.ts";
import { membersAt } from "./members.ts";
import { commissionOf, type Portfolio } from "./portfolio.ts";
import { sizeOf } from "./sizing.ts";
import { LONG, type Refused } from "./types.ts";

const RANGE = 14;

/** Returns the ATR14 of every stream, or null if the sizing does not need it. */
export const rangesOf = ({ streams, account: { sizing } }: Portfolio): readonly Float64Array[] | null =>
  sizing.kind === "volatility" || sizing.kind === "kelly"
    ? streams.map(({ bars: { high, low, close } }) => atr(high, low, close, RANGE))
    : null;

/**
 * Fills the entry that stream `s` decided at its bar `row - 1`, at the open of bar `row` (bar `t` of the timeline) or at
 * its limit within that bar, or records why it is refused. Every position is valued at the open of this bar, or at its last close if its symbol has
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
  const atMarket = open * (1 + side * portfolio.slippage[s]!);
  const limit = decisions.limit?.[row - 1] ?? Number.NaN;
  const price = Number.isNaN(limit) ? atMarket : limitFill(bars, row, side, { limit, atMarket });
  if (price === null) {
    portfolio.refused.push({ symbol, time: portfolio.time[t]!, reason: "limit" });
    return;
  }
  const trail = decisions.trail?.distance[row - 1] ?? Number.NaN;
  const stop = nearerStop(
    decisions.stop?.[row - 1] ?? Number.NaN,
    trailingStop(price, side, trail, decisions.trail?.relative === true),
    side,
  );
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
        cost: price + open * account.commission + (account.perShare ?? 0),
        streams: membersAt(streams, portfolio.time[t]!),
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
  const paid = commissionOf(account, sized.units, price);
  portfolio.cash -= paid;
  portfolio.units[s] = side * sized.units;
  portfolio.entry[s] = price;
  portfolio.entryBar[s] = t;
  portfolio.stop[s] = stop;
  portfolio.target[s] = decisions.target?.[row - 1] ?? Number.NaN;
  portfolio.risk[s] = sized.risk;
  portfolio.carry[s] = 0;
  portfolio.trail[s] = trail;
  portfolio.limitFillBar[s] = side * (open - limit) > 0 ? t : -1;
}

/** Returns the price of a limit entry: the market price if the open is within the limit, else the limit; null if unfilled. */
function limitFill(
  { open, high, low }: Bars,
  row: number,
  side: 1 | -1,
  { limit, atMarket }: { readonly limit: number; readonly atMarket: number },
): number | null {
  if (side * (open[row]! - limit) <= 0)
    return side > 0 ? Math.min(limit, atMarket) : Math.max(limit, atMarket);
  return side * ((side > 0 ? low : high)[row]! - limit) <= 0 ? limit : null;
}

/** Returns the trailing stop for the best price since entry; NaN without a distance. */
export const trailingStop = (best: number, side: number, distance: number, relative: boolean): number =>
  best - side * distance * (relative ? best : 1);

/** Returns the stop that is reached first; NaN if neither is set. */
export function nearerStop(a: number, b: number, side: number): number {
  if (Number.isNaN(a)) return b;
  return side * (b - a) > 0 ? b : a;
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
