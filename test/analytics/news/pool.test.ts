import { describe, expect, it } from "vitest";
import { probabilitiesOf } from "../../../src/analytics/news/classify.ts";
import { lexiconLogOdds, netStatements, poolLogOdds } from "../../../src/analytics/news/pool.ts";

describe("netStatements", () => {
  it.each([
    [0, 0, "none"],
    [1, 1, "0"],
    [1, 0, "1"],
    [5, 1, "2"],
    [0, 1, "-1"],
    [1, 4, "-2"],
  ])("puts %d good and %d bad statements in %j", (good, bad, net) => {
    expect(netStatements({ good, bad })).toBe(net);
  });
});

describe("lexiconLogOdds", () => {
  it("is ln((n + 1) / (neutral + 1)) of the class counts", () => {
    const counts = { none: [0, 4, 1], "-2": [], "-1": [], "0": [], "1": [9, 1, 0], "2": [] };
    expect(lexiconLogOdds("1", counts)).toEqual({ positive: Math.log(5), negative: Math.log(0.5) });
    expect(lexiconLogOdds("none", counts)).toEqual({ positive: Math.log(0.2), negative: Math.log(0.4) });
  });
});

describe("poolLogOdds", () => {
  const model = { positive: Math.log(16), negative: 0 };
  const lexicon = { positive: 0, negative: Math.log(81) };

  it.each([
    [1, 16, 1],
    [0, 1, 81],
    // 16^(1/2) and 81^(1/2)
    [0.5, 4, 9],
    // 16^(1/4) and 81^(3/4)
    [0.25, 2, 27],
  ])("with weight %d gives odds of %d and %d to 1", (weight, positive, negative) => {
    const pooled = poolLogOdds(model, lexicon, weight);
    expect(pooled.positive).toBeCloseTo(Math.log(positive), 12);
    expect(pooled.negative).toBeCloseTo(Math.log(negative), 12);
    expect(probabilitiesOf(pooled).neutral).toBeCloseTo(1 / (1 + positive + negative), 12);
  });
});
