import { normalCdf } from "../../src/analytics/backtest/normal.ts";
import type { PathPlan } from "../../src/analytics/odds/paths.ts";

const MAX_TERMS = 100;
/** Terms of the series below this size do not change a whole percent. */
const SMALLEST_TERM = 1e-7;
/** Volatility, as a share of the width of an interval, below which images need fewer terms than sines. */
const IMAGES_BELOW = 0.25;
/** Distance beyond the drift, in standard deviations, that is not touched. */
const FARTHEST = 9;

/** Returns the probability that a Brownian motion with this volatility over the horizon touches a level, a log ratio other than 0. */
export const touchProbability = (level: number, volatility: number): number =>
  2 * normalCdf(-Math.abs(level) / volatility);

/** Probabilities of the outcomes of a plan, 0-1, that add up to 1. */
export interface PlanProbabilities {
  readonly stop: number;
  readonly target: number;
  readonly neither: number;
}

/**
 * Returns the odds of a plan under a Brownian motion with this volatility and drift (log return) over the horizon.
 * @see A. N. Borodin and P. Salminen, "Handbook of Brownian Motion", 2002, formulas 2.3.0.2 (exit from an interval)
 */
export function brownianPlan(
  { stop, target }: Pick<PathPlan, "stop" | "target">,
  { volatility, drift }: { readonly volatility: number; readonly drift: number },
): PlanProbabilities {
  const [low, high] = stop < target ? [stop, target] : [target, stop];
  const upper = exitProbability(-low, high, volatility, drift);
  const lower = exitProbability(high, -low, volatility, -drift);
  const [atTarget, atStop] = stop < target ? [upper, lower] : [lower, upper];
  return { stop: atStop, target: atTarget, neither: Math.max(0, 1 - atStop - atTarget) };
}

/** Returns the probability of leaving an interval at its far end, `ahead` away, before its near end, `behind` away, in time 1. */
function exitProbability(behind: number, ahead: number, volatility: number, drift: number): number {
  const exit = volatility < IMAGES_BELOW * (behind + ahead) ? exitByImages : exitBySines;
  return Math.min(1, Math.max(0, exit(behind, ahead, volatility, drift)));
}

/** The probability of ever leaving there less that of leaving there later, a series that is short for a high volatility. */
function exitBySines(behind: number, ahead: number, volatility: number, drift: number): number {
  const width = behind + ahead;
  const variance = volatility * volatility;
  const slope = drift / variance;
  const steep = 2 * Math.abs(slope);
  const everExits =
    steep * width < 2e-9
      ? behind / width
      : ((slope < 0 ? Math.exp(-steep * ahead) : 1) * Math.expm1(-steep * behind)) /
        Math.expm1(-steep * width);
  let later = 0;
  for (let n = 1; n <= MAX_TERMS; n++) {
    const rate = (n * n * Math.PI * Math.PI * variance) / (2 * width * width);
    const decay = rate + (drift * slope) / 2;
    const size = (rate / decay) * (2 / (n * Math.PI)) * Math.exp(slope * ahead - decay);
    later += (n % 2 === 1 ? 1 : -1) * size * Math.sin((n * Math.PI * behind) / width);
    if (size < SMALLEST_TERM) break;
  }
  return everExits - later;
}

/** The probability of touching the far end less that of touching the near end before it, and so on: short for a low volatility. */
function exitByImages(behind: number, ahead: number, volatility: number, drift: number): number {
  const width = (behind + ahead) / volatility;
  const speed = Math.abs(drift) / volatility;
  const tilt = (drift / volatility) * (ahead / volatility);
  const touch = (distance: number) =>
    weightedCdf(tilt - speed * distance, speed - distance) +
    weightedCdf(tilt + speed * distance, -speed - distance);
  let exits = 0;
  for (let far = ahead / volatility; far - speed < FARTHEST; far += 2 * width)
    exits += touch(far) - touch(far + (2 * behind) / volatility);
  return exits;
}

/** Returns exp(exponent) times the normal distribution at `z`, also where one is infinite and the other 0. */
const weightedCdf = (exponent: number, z: number): number =>
  z > -30
    ? Math.exp(exponent) * normalCdf(z)
    : Math.exp(exponent - (z * z) / 2) / (-z * Math.sqrt(2 * Math.PI));
