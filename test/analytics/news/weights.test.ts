import { describe, expect, it } from "vitest";
import { classify, unpackModel } from "../../../src/analytics/news/classify.ts";
import { headlineSentiment } from "../../../src/analytics/news/headline-sentiment.ts";
import { termsOf, tokensOf } from "../../../src/analytics/news/tokens.ts";
import { WEIGHTS } from "../../../src/analytics/news/weights.ts";
import { nameless } from "../../bench/sentiment/names.ts";
import { readRows } from "../../bench/sentiment/rows.ts";
import { samplesOf } from "../../bench/sentiment/samples.ts";
import { tally } from "../../bench/sentiment/tally.ts";
import { train } from "../../bench/sentiment/train.ts";
import { describeWithData } from "../../support/test-data.ts";

const model = unpackModel(WEIGHTS);

describe("the weights that ship", () => {
  it("are few and small", () => {
    expect(WEIGHTS.terms.length).toBeLessThan(100_000);
    expect(model.places.size).toBeLessThanOrEqual(6_000);
    expect(model.weights.length).toBe(2 * model.places.size);
    const spread = model.weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
    expect(spread, "in 127 steps").toBe(127);
  });

  it.each([
    ["Acme shares jump after profit beats estimates", "positive"],
    ["Acme Q2 net profit up 18%", "positive"],
    ["Brokerage upgrades Acme to buy, raises target", "positive"],
    ["Acme rallies on strong results", "positive"],
    ["Acme plunges 12% on fraud allegations", "negative"],
    ["Acme Q2 net profit falls 30%", "negative"],
    ["Acme slips as margin shrinks", "negative"],
    ["Acme shares tumble on weak guidance", "negative"],
    ["Acme to announce results on Friday", "neutral"],
    ["Acme board to consider fund raising", "neutral"],
  ] as const)("read %j as %s", (title, label) => {
    expect(headlineSentiment(title, { own: ["Acme"], others: [] }, model)).toMatchObject({
      label,
      abstained: null,
    });
  });

  it("read one headline apart for two who are named in it", () => {
    const title = "Acme gains as Zenith falls";
    const score = (own: string, other: string) => {
      const { positive, negative } = classify(
        model,
        termsOf(tokensOf(title, { own: [own], others: [other] })),
      );
      return positive - negative;
    };
    expect(score("Acme", "Zenith")).toBeGreaterThan(score("Zenith", "Acme"));
  });
});

describeWithData("a model of labelled headlines", ["sentiment", "sentfin_train.csv"], (path) => {
  const told = readRows(path);
  const rows = samplesOf(told).map((sample, i) => ({ ...told[i]!, ...sample }));

  it("is what ships, up to the last digits of another engine's exponentials", () => {
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

  it("leaves no name of a person, a house or a place in what ships", () => {
    const terms = [...model.places.keys()];
    expect(nameless(told.map(({ title }) => title))(terms)).toHaveLength(terms.length);
  });

  it("tells the sentiment of headlines that it has not seen", () => {
    const isHeld = ({ headline }: { headline: number }) => headline % 5 === 0;
    const held = unpackModel(train(rows.filter((row) => !isHeld(row))));
    const [alone, every] = [tally(), tally()];
    for (const { label, terms, alone: one } of rows.filter(isHeld)) {
      const odds = classify(held, terms);
      const said = (["positive", "neutral", "negative"] as const).toSorted((a, b) => odds[b] - odds[a])[0]!;
      every.add(label, said);
      if (one) alone.add(label, said);
    }
    expect(alone.figures().macroF1).toBeGreaterThan(0.8);
    expect(every.figures().macroF1).toBeGreaterThan(0.78);
  }, 60_000);
});
