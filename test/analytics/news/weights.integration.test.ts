import { expect, it } from "vitest";
import { classify, unpackModel } from "../../../src/analytics/news/classify.ts";
import weights from "../../../src/analytics/news/weights.json" with { type: "json" };
import { nameless } from "../../bench/sentiment/names.ts";
import { readRows } from "../../bench/sentiment/rows.ts";
import { samplesOf } from "../../bench/sentiment/samples.ts";
import { tally } from "../../bench/sentiment/tally.ts";
import { train } from "../../bench/sentiment/train.ts";
import { describeWithData } from "../../support/test-data.ts";

const model = unpackModel(weights);

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
      const odds = classify(held, terms);
      const predicted = (["positive", "neutral", "negative"] as const).toSorted(
        (a, b) => odds[b] - odds[a],
      )[0]!;
      every.add(label, predicted);
      if (one) alone.add(label, predicted);
    }
    expect(alone.figures().macroF1).toBeGreaterThan(0.8);
    expect(every.figures().macroF1).toBeGreaterThan(0.78);
  }, 60_000);
});
