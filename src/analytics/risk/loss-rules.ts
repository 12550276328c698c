import type { Amount } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, maxDecimal, truncated } from "../../lib/decimal.ts";
import { isAhead } from "../../lib/expiry.ts";
import { openingUnits, type Rule } from "./situation.ts";
import {
  failedCheck,
  maxCheck,
  passedCheck,
  type RuleName,
  unknownCheck,
  type Verdict,
  withPassesAt,
} from "./verdict.ts";

const MINUTE = 60_000;

/** Number of stop-outs that start a cooldown, and its length from the first of them. */
export interface Cooldown {
  readonly stopOuts: number;
  readonly minutes: number;
}

/**
 * Returns the minutes from the nth latest stop-out to `now`, where n is the number that starts a cooldown; stop-outs
 * are in epoch ms, in any order. The cooldown lasts while the result is below its length. Null with fewer than n
 * stop-outs.
 */
export function minutesSince(
  stopOuts: readonly number[],
  now: number,
  { stopOuts: count }: Pick<Cooldown, "stopOuts">,
): number | null {
  const deciding = stopOuts.toSorted((a, b) => b - a)[count - 1];
  return deciding === undefined ? null : (now - deciding) / MINUTE;
}

/** Returns the loss between two amounts in percent of the first, which is above 0, rounded down. */
export const lossPct = (from: Decimal, to: Decimal): Amount =>
  truncated(maxDecimal(from.minus(to), decimal(0)).times(100).div(from), 4);

/** Compares a percentage loss with its limit by exact products; the reported percent is rounded down. */
function checkLossPct(rule: RuleName, from: Decimal, to: Decimal, most: string): Verdict {
  const lost = maxDecimal(from.minus(to), decimal(0));
  const check = maxCheck(rule, lost.times(100), from.times(most));
  const value = lossPct(from, to);
  return check.state === "passed" ? passedCheck(rule, value, most) : failedCheck(rule, value, most, most);
}

/** Rejects openings if the day's loss exceeds the limit in percent or is unknown. */
export const dailyLoss: Rule = (situation, { max_daily_loss_pct: most }) => {
  if (most === null || openingUnits(situation).eq(0)) return null;
  const { equityBefore, equity } = situation;
  if (equity === null || equityBefore === null || decimal(equityBefore).lte(0))
    return unknownCheck("max_daily_loss_pct", most);
  return checkLossPct("max_daily_loss_pct", decimal(equityBefore), decimal(equity), most);
};

/** Rejects openings while equity is more than the limit in percent below its peak. */
export const drawdownHalt: Rule = (situation, { halt_drawdown_pct: most }) => {
  if (most === null || openingUnits(situation).eq(0)) return null;
  const { equity, equityPeak } = situation;
  if (equity === null || equityPeak === null) return unknownCheck("halt_drawdown_pct", most);
  const peak = maxDecimal(decimal(equityPeak), decimal(equity));
  return peak.lte(0)
    ? unknownCheck("halt_drawdown_pct", most)
    : checkLossPct("halt_drawdown_pct", peak, decimal(equity), most);
};

/** Rejects openings during the cooldown after a number of stop-outs; the figures are minutes since the first of them. */
export const cooldown: Rule = (situation, { cooldown_stop_outs: stopOuts, cooldown_minutes: minutes }) => {
  if (stopOuts === null || openingUnits(situation).eq(0)) return null;
  const past = situation.stopOuts.filter((at) => !isAhead(at, situation.now));
  const since = minutesSince(past, situation.now, { stopOuts });
  if (since === null) return null;
  const [value, limit] = [truncated(decimal(since), 1), String(minutes)];
  return since >= minutes
    ? passedCheck("cooldown_minutes", value, limit)
    : withPassesAt(
        failedCheck("cooldown_minutes", value, limit, limit),
        situation.now + (minutes - since) * MINUTE,
      );
};
