import { formatGrade } from "../../domain/signal/grade.text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import type { SignalInput } from "../../domain/signal/signal.ts";
import type { BarAnswer, BarAnswerHistory, SignalLog } from "../../domain/track-record/track-port.ts";
import type { Picture } from "./picture.ts";

/** Returns the answer that a picture gives on its bar. */
export const barAnswerOf = ({ resolution, timeframe, decidedAt, consensus, inputs }: Picture): BarAnswer => ({
  symbol: resolution.instrument.symbol,
  timeframe,
  decided_at: decidedAt,
  direction: consensus.direction,
  score: consensus.score,
  grade: consensus.grade,
  inputs,
});

/**
 * Returns the inputs of a picture and a note on those that arrived after the first answer on its bar. For a past time
 * `used_since` is null and there is no note, because requests for past times are not recorded.
 */
export async function inputsSince(
  picture: Picture,
  signalLog: SignalLog,
  { past }: { readonly past: boolean },
): Promise<{ readonly inputs: SignalInput[]; readonly notes: string[] }> {
  if (past) {
    const inputs = picture.inputs.map(({ input, known_at }) => ({ input, known_at, used_since: null }));
    return { inputs, notes: [] };
  }
  const history = await signalLog.observe(barAnswerOf(picture));
  return { inputs: [...history.inputs], notes: newerInputNotes(history) };
}

/** Returns a note that compares an answer with the first answer on its bar; none if all inputs are the same. */
export function newerInputNotes({ first, inputs, lost }: BarAnswerHistory): string[] {
  const newer = inputs.filter(({ used_since }) => used_since !== null && used_since > first.at);
  if (newer.length === 0 && lost.length === 0) return [];
  const score = first.score === null ? "no score" : `score ${formatScore(first.score)}`;
  const grade = first.grade === null ? "" : `, ${formatGrade(first)}`;
  const changes = [
    ...newer.map(({ input, used_since }) => `${input} arrived or changed at ${used_since}`),
    ...lost.map((input) => `${input} is not available now`),
  ];
  return [
    `The first answer on this bar, at ${first.at}, was ${first.direction} (${score}${grade}). Since then: ${changes.join("; ")}.`,
  ];
}
