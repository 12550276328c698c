import type { ConvictionRow } from "../../domain/off-exchange/darkpool.ts";
import type { DriverValue } from "../drivers/driver-value.ts";
import type { DriverId } from "../drivers/table.ts";
import { sum } from "../statistics.ts";
import type { LevelTest } from "./tests.ts";

/** Half-life of a test's weight, in bars. */
const HALF_LIFE = 60;
/** Prior number of holds and of fails: Beta(2, 2). */
const PRIOR = 2;

/**
 * Returns the hold rate of print levels relative to that of control levels, 0-100; 50 means equal. A test is weighted
 * by the size of its level, scaled to keep the effective number of tests, and its weight halves every 60 bars between
 * its settlement and bar `last`. With the control rate c = (2 + H) / (4 + H + F), the holds and fails of the print
 * levels count h = H / 2c and f = F / 2(1 - c), and the score is 100 (2 + h) / (4 + h + f).
 * @see Leslie Kish, "Survey Sampling" (1965), on the effective number of weighted counts
 */
export function scoreOf(tests: readonly LevelTest[], controls: readonly LevelTest[], last: number): number {
  const rate = shrunk(evidence(controls, last));
  const { holds, fails } = evidence(tests, last);
  return 100 * shrunk({ holds: holds / (2 * rate), fails: fails / (2 * (1 - rate)) });
}

export function convictionBand(score: number): ConvictionRow["conviction"] {
  if (score >= 75) return "STRONG";
  if (score >= 60) return "HIGH";
  if (score >= 40) return "NEUTRAL";
  return score >= 25 ? "LOW" : "WEAK";
}

interface Evidence {
  readonly holds: number;
  readonly fails: number;
}

const shrunk = ({ holds, fails }: Evidence): number => (PRIOR + holds) / (2 * PRIOR + holds + fails);

/** Returns the holds and fails weighted by size and age; new tests of equal size count 1 each. */
function evidence(tests: readonly LevelTest[], last: number): Evidence {
  const fade = decayWeights(last);
  let [sum, squares, holds, fails] = [0, 0, 0, 0];
  for (const { days, settled, held } of tests) {
    sum += days;
    squares += days * days;
    if (held) holds += days * fade[settled]!;
    else fails += days * fade[settled]!;
  }
  const unit = tests.length === 0 ? 0 : sum / squares;
  return { holds: holds * unit, fails: fails * unit };
}

/** Returns the weight at bar `last` of a test, by the bar at which it was settled. */
function decayWeights(last: number): Float64Array {
  const fade = new Float64Array(last + 1);
  const step = 2 ** (-1 / HALF_LIFE);
  for (let bar = last, left = 1; bar >= 0; bar--, left *= step) fade[bar] = left;
  return fade;
}

const PROXIES: readonly DriverId[] = ["v_obv", "v_cmf", "v_updn", "d_offex"];

/**
 * Returns 50 + 50 x the mean of the available volume drivers, 0-100; null if none is available. It measures volume, not
 * institutions, and never replaces their conviction.
 */
export function volumeProxy(drivers: readonly DriverValue[]): number | null {
  const values = drivers.flatMap(({ id, value }) => (value !== null && PROXIES.includes(id) ? [value] : []));
  return values.length === 0 ? null : 50 + (50 * sum(values)) / values.length;
}
