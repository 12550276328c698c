import { describe, expect, it } from "vitest";
import {
  type ClassProbabilities,
  modelLogOdds,
  probabilitiesOf,
  unpackModel,
} from "../../../src/analytics/news/classify.ts";
import { type HeadlineOdds, headlineOdds } from "../../../src/analytics/news/headline-sentiment.ts";
import shipped from "../../../src/analytics/news/lexicon-counts.json" with { type: "json" };
import weights from "../../../src/analytics/news/weights.json" with { type: "json" };
import type { NewsLabel } from "../../../src/domain/news/news.ts";
import { HELD_OUT, TUNED } from "../../bench/sentiment/company-news.ts";
import { countEvidence } from "../../bench/sentiment/count-evidence.ts";
import { nameless } from "../../bench/sentiment/names.ts";
import { readRows } from "../../bench/sentiment/rows.ts";
import { samplesOf } from "../../bench/sentiment/samples.ts";
import { tally } from "../../bench/sentiment/tally.ts";
import { train } from "../../bench/sentiment/train.ts";
import { describeWithData } from "../../support/test-data.ts";

const model = unpackModel(weights);

const mostLikely = (odds: ClassProbabilities): NewsLabel =>
  (["positive", "neutral", "negative"] as const).toSorted((a, b) => odds[b] - odds[a])[0]!;

describeWithData("a model of labelled headlines", ["sentiment", "sentfin_train.csv"], (path) => {
  const labelled = readRows(path);
  const rows = samplesOf(labelled).map((sample, i) => ({ ...labelled[i]!, ...sample }));

  it("matches the shipped model, apart from rounding of exponentials between engines", () => {
    const trained = unpackModel(train(rows));
    const apart = [...model.places].filter(([term, place]) => {
      const at = trained.places.get(term);
      return (
        at === undefined ||
        [0, 1].some((i) => Math.abs(trained.weights[2 * at + i]! - model.weights[2 * place + i]!) > 1)
      );
    });
    expect(apart.length).toBeLessThan(60);
  }, 60_000);

  it("contains no name of a person, company or place", () => {
    const terms = [...model.places.keys()];
    expect(nameless(labelled.map(({ title }) => title))(terms)).toHaveLength(terms.length);
  });

  it("classifies unseen headlines", () => {
    const isHeld = ({ headline }: { headline: number }) => headline % 5 === 0;
    const held = unpackModel(train(rows.filter((row) => !isHeld(row))));
    const [alone, every] = [tally(), tally()];
    for (const { label, terms, alone: one } of rows.filter(isHeld)) {
      const odds = probabilitiesOf(modelLogOdds(held, terms));
      const predicted = (["positive", "neutral", "negative"] as const).toSorted(
        (a, b) => odds[b] - odds[a],
      )[0]!;
      every.add(label, predicted);
      if (one) alone.add(label, predicted);
    }
    expect(alone.figures().macroF1).toBeGreaterThan(0.8);
    expect(every.figures().macroF1).toBeGreaterThan(0.78);
  }, 60_000);

  it("classifies unseen headlines combined with the word list, within half a point of the model alone", () => {
    const isHeld = ({ headline }: { headline: number }) => headline % 5 === 0;
    const kept = rows.filter((row) => !isHeld(row));
    const held = unpackModel(train(kept));
    const counts = countEvidence(kept);
    const [alone, every, model] = [tally(), tally(), tally()];
    for (const { label, title, subjects, alone: one } of rows.filter(isHeld)) {
      const found = headlineOdds(title, subjects, held, counts);
      const predicted = mostLikely(found.odds);
      model.add(label, mostLikely(probabilitiesOf(found.model)));
      every.add(label, predicted);
      if (one) alone.add(label, predicted);
    }
    expect(alone.figures().macroF1).toBeGreaterThan(0.8);
    expect(every.figures().macroF1).toBeGreaterThan(0.78);
    expect(every.figures().accuracy).toBeGreaterThan(model.figures().accuracy - 0.005);
    expect(every.figures().macroF1).toBeGreaterThan(model.figures().macroF1 - 0.005);
  }, 60_000);

  it("gives the shipped class counts of the word list", () => {
    expect(countEvidence(labelled)).toEqual(shipped.counts);
  });
});

describe("company news that the word list was not extended on", () => {
  const measure = (said: (odds: HeadlineOdds) => NewsLabel) => {
    const score = tally();
    for (const { label, title } of HELD_OUT)
      score.add(label, said(headlineOdds(title, { own: [], others: [] }, model)));
    return score.figures();
  };

  it("is classified better by the model and the word list than by the model alone", () => {
    const combined = measure(({ odds }) => mostLikely(odds));
    const alone = measure((found) => mostLikely(probabilitiesOf(found.model)));
    expect(combined.labelled).toBe(1);
    expect(combined.accuracy).toBeGreaterThanOrEqual(0.9);
    expect(combined.macroF1).toBeGreaterThanOrEqual(0.88);
    expect(combined.accuracy).toBeGreaterThan(alone.accuracy + 0.15);
    expect(combined.macroF1).toBeGreaterThan(alone.macroF1 + 0.25);
  });

  it("has no sentence in common with the sentences that it was extended on", () => {
    const tuned = new Set(TUNED.map(({ title }) => title));
    expect(HELD_OUT.filter(({ title }) => tuned.has(title))).toEqual([]);
    expect([TUNED.length, HELD_OUT.length]).toEqual([185, 185]);
  });
});
