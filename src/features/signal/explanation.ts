import { driverTitle, GROUP_TITLES } from "../../analytics/drivers/table.ts";
import type { Explanation } from "../../analytics/explain/explain.ts";
import type { Flips, VerdictFlip } from "../../analytics/explain/flip.ts";
import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import { rounded } from "../../lib/rounded.ts";
import { barNotes } from "./bar-notes.ts";
import { agedBars, lateBarNotes, staleBarNotes, withStaleNotes } from "./notes.ts";
import type { Picture } from "./picture.ts";
import { sentenceOf } from "./sentences.ts";

interface ExplanationRequest {
  readonly now: Date;
  /** false omits titles, each group's weight in the full model, and each driver's inputs, provider, age and the verdict without that driver. */
  readonly full: boolean;
}

/** Returns the explanation of a picture. Scores are rounded to two decimals, their components to six. */
export function explanationOf(picture: Picture, explanation: Explanation, { now, full }: ExplanationRequest) {
  const { consensus, series, resolution, timeframe, decidedAt, requestedAt, inputsHash } = picture;
  const { drivers, sum, flips, minimalRemoval } = explanation;
  return {
    symbol: resolution.instrument.symbol,
    timeframe,
    direction: consensus.direction,
    score: hundredths(consensus.score),
    grade: consensus.grade,
    reason: consensus.reason,
    ...withStaleNotes(staleBarNotes(agedBars(picture)), [...lateBarNotes(picture, now), ...barNotes(series)]),
    sum: short(sum),
    groups: consensus.groups.map(({ group, value, weight, effective_weight, ...counts }) => ({
      group,
      ...(full && { title: GROUP_TITLES[group] }),
      ...counts,
      value: short(value),
      ...(full && { weight: short(weight) }),
      effective_weight: short(effective_weight),
    })),
    drivers: drivers.map((driver) => {
      const { id, group, value, weight, contribution, reason, source, inputs, without, time } = driver;
      const row = {
        id,
        ...(full && { title: driverTitle(id) }),
        group,
        value: short(value),
        weight: short(weight),
        contribution: short(contribution),
        in_words: value === null ? null : sentenceOf(driver),
        reason,
      };
      if (!full) return row;
      const knownAt =
        time === null ? null : time === consensus.time ? decidedAt : new Date(time).toISOString();
      const age = knownAt === null ? null : (requestedAt - Date.parse(knownAt)) / 1000;
      const verdict = { ...without, score: hundredths(without.score) };
      const origin = { source, inputs: { ...inputs }, data_as_of: knownAt, age_seconds: age };
      return { ...row, ...origin, without: verdict };
    }),
    flip: {
      price: flips.direction.price,
      direction: flips.direction.direction,
      change_percent: percentOf(flips.direction),
      reason: flips.direction.reason,
      searched_low: flips.searched?.low ?? null,
      searched_high: flips.searched?.high ?? null,
      tick: flips.searched?.tick ?? null,
    },
    grade_flip: gradeFlipOf(flips),
    fewest_absent: {
      ...minimalRemoval,
      drivers: minimalRemoval.drivers === null ? null : [...minimalRemoval.drivers],
    },
    model_version: MODEL_VERSION,
    inputs_hash: inputsHash,
    source: series.source,
    venue: series.venue,
    data_as_of: decidedAt,
  };
}

const percentOf = ({ change }: VerdictFlip): number | null =>
  change === null ? null : rounded(change * 100, 4);

/** Returns the next better and next worse grade, each with the price change that leads to it, and which is nearer. */
function gradeFlipOf({ better, worse }: Flips) {
  const [up, down] = [distance(better), distance(worse)];
  const gradeFlip = (flip: VerdictFlip) => ({
    price: flip.price,
    grade: flip.grade,
    change_percent: percentOf(flip),
    reason: flip.price === null ? flip.reason : null,
  });
  const nearest = Math.min(up, down) === Number.POSITIVE_INFINITY ? null : down < up ? "worse" : "better";
  return { nearest, better: gradeFlip(better), worse: gradeFlip(worse) } as const;
}

const distance = ({ change }: VerdictFlip): number =>
  change === null ? Number.POSITIVE_INFINITY : Math.abs(change);

/** Rounds to six decimals; null stays null. */
const short = <Value extends number | null>(value: Value) => to(6, value);
const hundredths = <Value extends number | null>(value: Value) => to(2, value);

const to = <Value extends number | null>(digits: number, value: Value): Value =>
  (value === null ? null : rounded(value, digits)) as Value;
