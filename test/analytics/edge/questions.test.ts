import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PricedBet, questionsOf } from "../../../src/analytics/edge/questions.ts";
import { climbingBars } from "../../support/market.ts";

const DAY = 86_400_000;
const AT = Date.UTC(2026, 0, 15);
/** 63 moves of .02 up and down in turn: a standard deviation of .0201581 a day, .1007905 over 25 days. */
const swinging = (() => {
  const plain = climbingBars({ count: 64, zone: "UTC", end: AT - DAY });
  return { ...plain, close: plain.close.map((_, i) => (i % 2 === 0 ? 100 : 100 * Math.exp(0.02))) };
})();
const bet = (over: Partial<PricedBet> = {}): PricedBet => ({
  venue: "acme",
  id: "a",
  kind: "at",
  level: 100,
  by: AT + 25 * DAY,
  probability: 0.5,
  dollars: 100_000,
  at: AT - 1_000,
  halfSpread: 0.01,
  ...over,
});
const ask = (bets: readonly PricedBet[], over = {}) =>
  questionsOf(bets, { bars: swinging, price: 100, at: AT, ...over });

describe("edge questions", () => {
  it("weight venues by log10 of the traded dollars and add the model probability", () => {
    const { questions, reason } = ask([
      bet({ dollars: 10_000, probability: 0.4, halfSpread: 0.04 }),
      bet({ venue: "beta", id: "b", dollars: 1_000_000, probability: 0.6, halfSpread: 0.01 }),
    ]);
    expect(reason).toBeNull();
    const [question] = questions;
    // Weights 4 and 6 of 10: .4 x .4 + .6 x .6 and .4 x .04 + .6 x .01.
    expect(question!.probability).toBeCloseTo(0.52, 12);
    expect(question!.halfSpread).toBeCloseTo(0.022, 12);
    expect(question!.disagreement).toBeCloseTo(0.2, 12);
    // At the money: the normal probability below -.1007905 / 2.
    expect(question!.neutral).toBeCloseTo(0.479904, 6);
    expect(question).toMatchObject({ dollars: 1_010_000, halfSpreadKnown: true });
    expect(question!.estimates.map(({ venue }) => venue)).toEqual(["beta", "acme"]);
  });

  it("use the more traded of two contracts of one venue", () => {
    const [question] = ask([
      bet({ id: "thin", dollars: 6_000 }),
      bet({ id: "busy", probability: 0.7 }),
    ]).questions;
    expect(question).toMatchObject({
      probability: 0.7,
      disagreement: null,
      estimates: [{ id: "busy", weight: 1 }],
    });
  });

  it("use half of the widest accepted spread if the spread was not stored", () => {
    expect(ask([bet({ halfSpread: null })]).questions[0]).toMatchObject({
      halfSpread: 0.05,
      halfSpreadKnown: false,
    });
  });

  it("are separate by level, kind and day, sorted by uncertainty weighted by traded dollars", () => {
    const { questions } = ask([
      bet({ id: "far", level: 110 }),
      bet({ id: "even" }),
      bet({ id: "next", by: AT + 26 * DAY, dollars: 6_000 }),
      bet({ id: "touch", kind: "touch", level: 110 }),
    ]);
    // .25 x 5, about .34 x .66 x 5 (twice the probability beyond 110), .25 x 3.78, about .17 x .83 x 5.
    expect(questions.map(({ estimates }) => estimates[0].id)).toEqual(["even", "touch", "next", "far"]);
  });

  it("are empty with a reason if contracts end out of range or are decided, or bars are too few", () => {
    const late = "No liquid market on a price level ends within a day to a year";
    for (const by of [null, AT + DAY - 1, AT + 366 * DAY])
      expect(ask([bet({ by })])).toEqual({ questions: [], reason: late });
    expect(ask([])).toEqual({ questions: [], reason: late });
    expect(ask([bet({ at: AT + 1 })]).reason).toBe(late);
    const decided = "Price and volatility leave no level of a liquid market undecided";
    expect(ask([bet({ level: 140 }), bet({ level: 60 })])).toEqual({ questions: [], reason: decided });
    const few = climbingBars({ count: 21, zone: "UTC", end: AT - DAY });
    expect(ask([bet()], { bars: few }).reason).toBe("Realised volatility needs 21 daily moves");
  });

  it("do not depend on the order of contracts, nor on later ones", () => {
    const some = [
      bet(),
      bet({ venue: "beta", id: "b", probability: 0.45 }),
      bet({ id: "c", level: 105, dollars: 7_000 }),
      bet({ id: "d", level: 105, kind: "touch" }),
    ];
    fc.assert(
      fc.property(
        fc.shuffledSubarray(some, { minLength: 4 }),
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        (bets, later) => {
          expect(ask([...bets, bet({ id: "z", at: AT + later, probability: 0.9, dollars: 1e9 })])).toEqual(
            ask(some),
          );
        },
      ),
    );
  });
});
