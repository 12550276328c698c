import { rollingMax, rollingMin } from "../../src/analytics/indicators/rolling.ts";
import { GRADES, gradeOf } from "../../src/analytics/score/grade.ts";
import { gradeRank, type SignalTape } from "../../src/analytics/score/tape-columns.ts";
import type { Bars } from "../../src/domain/market/bars.ts";

/** A tape of the given scores, 0-100, starting at the first bar with a number; graded like the signal. */
export function tapeOf(scores: readonly number[]): SignalTape {
  const sums = scores.map((score) => score / 50 - 1);
  const first = scores.findIndex((score) => !Number.isNaN(score));
  return {
    first: first < 0 ? scores.length : first,
    score: Float64Array.from(scores),
    grade: Uint8Array.from(sums, (s) => (Number.isNaN(s) ? 0 : gradeRank(gradeOf(s)))),
    direction: Int8Array.from(sums, (s) => (s >= 0.25 ? 1 : s <= -0.25 ? -1 : 0)),
  };
}

/** A made-up tape for any bars: each score is the close's position in the range of the last 60 bars. */
export function tapeFor({ close }: Bars): SignalTape {
  const top = rollingMax(close, 60);
  const bottom = rollingMin(close, 60);
  const scores = Array.from(close, (price, i) => (100 * (price - bottom[i]!)) / (top[i]! - bottom[i]!));
  const tape = tapeOf(scores);
  return {
    ...tape,
    drivers: { t_ma200: tape.score.map((score) => score / 50 - 1), m_rsi: tape.score.map((s) => 1 - s / 50) },
    phase: Array.from(tape.grade, (rank) =>
      rank === 0 ? null : rank > GRADES.length / 2 ? "Markup" : "Accumulation",
    ),
  };
}
