import { describe, expect, it } from "vitest";
import { modelLogOdds, probabilitiesOf, unpackModel } from "../../../src/analytics/news/classify.ts";
import { headlineSentiment } from "../../../src/analytics/news/headline-sentiment.ts";
import { termsOf, tokensOf } from "../../../src/analytics/news/tokens.ts";
import weights from "../../../src/analytics/news/weights.json" with { type: "json" };

const model = unpackModel(weights);

describe("the shipped weights", () => {
  it("are few and small", () => {
    expect(weights.terms.length).toBeLessThan(100_000);
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

  it("score one headline differently for each of two companies it names", () => {
    const title = "Acme gains as Zenith falls";
    const score = (own: string, other: string) => {
      const { positive, negative } = probabilitiesOf(
        modelLogOdds(model, termsOf(tokensOf(title, { own: [own], others: [other] }))),
      );
      return positive - negative;
    };
    expect(score("Acme", "Zenith")).toBeGreaterThan(score("Zenith", "Acme"));
  });
});
