import { explain } from "../analytics/explain/explain.ts";
import { notesOnBars } from "./bar-notes.ts";
import { notesOn, notesOnLate } from "./notes.ts";
import type { Picture } from "./picture.ts";
import { sentenceOf } from "./sentences.ts";

interface ExplanationRequest {
  readonly now: Date;
  /** true: the answer is for a past moment, whose bars are as old as they should be. */
  readonly past: boolean;
  /** false leaves out each driver's inputs, source, age and the verdict without it. */
  readonly full: boolean;
}

/** A picture taken apart, as callers see it. */
export function explanationOf(picture: Picture, { now, full, past }: ExplanationRequest) {
  const { consensus, series, resolution, timeframe, decidedAt, inputsHash } = picture;
  const { drivers, sum, flip } = explain(picture.input, consensus);
  return {
    symbol: resolution.instrument.symbol,
    timeframe,
    direction: consensus.direction,
    score: consensus.score,
    grade: consensus.grade,
    reason: consensus.reason,
    notes: [...(past ? [] : notesOn(picture, now)), ...notesOnLate(picture, now), ...notesOnBars(series)],
    sum,
    groups: [...consensus.groups],
    drivers: drivers.map((driver) => {
      const { id, group, value, weight, contribution, reason, source, inputs, without, time } = driver;
      const in_words = value === null ? null : sentenceOf(driver);
      const row = { id, group, value, weight, contribution, in_words, reason };
      if (!full) return row;
      const knownAt =
        time === null ? null : time === consensus.time ? decidedAt : new Date(time).toISOString();
      const age = knownAt === null ? null : (now.getTime() - Date.parse(knownAt)) / 1000;
      return { ...row, source, inputs: { ...inputs }, data_as_of: knownAt, age_seconds: age, without };
    }),
    flip: {
      price: flip.price,
      direction: flip.direction,
      change_percent: flip.change === null ? null : flip.change * 100,
      searched_low: flip.searched?.low ?? null,
      searched_high: flip.searched?.high ?? null,
    },
    model_version: consensus.model_version,
    inputs_hash: inputsHash,
    source: series.source,
    venue: series.venue,
    data_as_of: decidedAt,
  };
}
