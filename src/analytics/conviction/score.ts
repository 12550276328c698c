import type { ConvictionRow } from "../../domain/off-exchange/darkpool.ts";
import type { DriverValue } from "../drivers/driver-value.ts";
import type { DriverId } from "../drivers/table.ts";
import { sum } from "../statistics.ts";
import type { LevelTest } from "./tests.ts";

/** Bars after which a test counts half. */
const HALF_LIFE = 60;
/** Prior holds and fails: Beta(2, 2). */
const PRIOR = 2;

/**
 * Hold rate of print levels against the one of control levels, 0-100; equal rates read 50. A test counts as its
 * level's size, in a unit that keeps the effective number of the tests, and half for every 60 bars since it was
 * settled, `last` being the last bar. With the control's rate c = (2 + H) / (4 + H + F), holds and fails of the
 * print levels count h = H / 2c and f = F / 2(1 - c), and the score is 100 (2 + h) / (4 + h + f).
 * @see Leslie Kish, "Survey Sampling" (1965), on the effective number of weighted counts
 */
export function scoreOf(tests: readonly LevelTest[], controls: readonly LevelTest[], last: number): number {
  const rate = shrunk(evidence(controls, last));
  const { holds, fails } = evidence(tests, last);
  return 100 * shrunk({ holds: holds / (2 * rate), fails: fails / (2 * (1 - rate)) });
}

/** The band of a score. */
export function wordOf(score: number): ConvictionRow["conviction"] {
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

/** Holds and fails weighted by size and age; newest tests of equal size count 1 each. */
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

/** Weight at the last bar of a test settled at each bar. */
function decayWeights(last: number): Float64Array {
  const fade = new Float64Array(last + 1);
  const step = 2 ** (-1 / HALF_LIFE);
  for (let bar = last, left = 1; bar >= 0; bar--, left *= step) fade[bar] = left;
  return fade;
}

const PROXIES: readonly DriverId[] = ["v_obv", "v_cmf", "v_updn", "d_offex"];

/**
 * Proxy of institutional conviction while fewer than three off-exchange print levels were tested: 50 + 50 x the mean of
 * the volume drivers present, null without any. It measures volume, not institutions.
 */
export function volumeProxy(
  drivers: readonly DriverValue[],
): Pick<ConvictionRow, "score" | "conviction" | "source" | "tests"> {
  const values = drivers.flatMap(({ id, value }) => (value !== null && PROXIES.includes(id) ? [value] : []));
  return {
    score: values.length === 0 ? null : 50 + (50 * sum(values)) / values.length,
    conviction: "INSUFFICIENT",
    source: "volume_proxy",
    tests: 0,
  };
}
