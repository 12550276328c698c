import type { Bars } from "../../domain/market/bars.ts";
import { type Side, towardProfit, worseEdge } from "./side.ts";
import { stopDistance } from "./stop.ts";
import { firstTarget, type TargetBasis } from "./targets.ts";
import type { Pivot } from "./zigzag.ts";

/** Price levels of one side at the decision bar, all positive. */
export interface Levels {
  readonly side: Side;
  readonly atr14: number;
  readonly entry: { readonly low: number; readonly high: number };
  readonly stop: number;
  /** One to three targets, nearest first. */
  readonly targets: readonly number[];
  readonly target_basis: TargetBasis;
  /** Distance to the first target over that to the stop, from the worse edge of the zone; at ticks, in hundredths. */
  readonly reward_to_risk: number;
  /** Win rate at which this plan breaks even, 1 / (1 + reward_to_risk). */
  readonly break_even_win_rate: number;
}

export type LevelsOutcome =
  | { readonly levels: Levels; readonly reason: null }
  | { readonly levels: null; readonly reason: string };

/** Minimum reward to risk for a direction other than WAIT. */
export const MIN_REWARD_TO_RISK = 1.5;
const ZONE = 0.25; // half-width of the entry zone in ATR14

/**
 * Returns the entry zone, stop and targets of one side, from closed bars and the pivots confirmed on them. The zone is
 * the close +- .25 ATR14. The stop lies .25 ATR14 beyond the extreme of the last 5 bars, but 1.5 to 3 ATR14 from the
 * close. With R the distance from the zone's worse edge (high for LONG, low for SHORT) to the stop, the second and
 * third target lie R and 2R beyond the first; a SHORT target at or below 0 is omitted.
 */
export function levelsFor(side: Side, bars: Bars, a: number, pivots: readonly Pivot[]): LevelsOutcome {
  if (Number.isNaN(a)) return none("Too few bars for an average true range: 15 are needed");
  if (a === 0) return none("The average true range is 0");
  const close = bars.close[bars.close.length - 1]!;
  const away = towardProfit(side);
  const entry = { low: close - ZONE * a, high: close + ZONE * a };
  const worse = worseEdge({ side, entry });
  const stop = close - away * stopDistance(side, bars, a);
  const risk = Math.abs(worse - stop);
  const first = firstTarget(side, bars, a, worse, pivots);
  if (stop <= 0 || first.price <= 0)
    return none("The average true range is too wide relative to the price for a stop and a target above 0");
  const targets = [first.price, first.price + away * risk, first.price + away * 2 * risk];
  const reward = Math.abs(first.price - worse) / risk;
  return {
    levels: {
      side,
      atr14: a,
      entry,
      stop,
      targets: targets.filter((price) => price > 0),
      target_basis: first.basis,
      reward_to_risk: reward,
      break_even_win_rate: 1 / (1 + reward),
    },
    reason: null,
  };
}

const none = (reason: string): LevelsOutcome => ({ levels: null, reason });
