import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consensusOf, dollarsOf, exclusionReason } from "../../../src/analytics/contracts/aggregate.ts";
import { priceLevelOf } from "../../../src/analytics/contracts/levels.ts";
import type { Contract } from "../../../src/domain/prediction-markets/contracts.ts";
import { contract } from "../../support/contracts.ts";

const AT = Date.parse("2026-01-15T15:00:00Z");
const aggregated = (contracts: readonly Contract[]) =>
  consensusOf(contracts, { levelOf: (one) => priceLevelOf(one, AT), at: AT });
const at = (venue: string, probability: number, volume_total: number, over: Partial<Contract> = {}) =>
  contract({ venue, id: `${venue}-${volume_total}`, probability, volume_total, ...over });

describe("venue consensus on a question", () => {
  it("is weighted by the logarithm of the traded dollars", () => {
    // log10 of 10,000 and 1,000,000 are 4 and 6: (4 x .4 + 6 x .6) / 10
    const [consensus] = aggregated([at("a", 0.4, 10_000), at("b", 0.6, 1_000_000)]);
    expect(consensus).toMatchObject({ strength: "firm", reason: null });
    expect(consensus!.probability).toBeCloseTo(0.52, 12);
    expect(consensus!.disagreement).toBeCloseTo(0.2, 12);
    expect(consensus!.contracts.map(({ venue, weight }) => [venue, weight])).toEqual([
      ["b", 0.6],
      ["a", 0.4],
    ]);
  });

  it("rounds weights to a millionth", () => {
    // log10 of 10,000 is 4, of 20,000 it is 4.30103: 4.30103 / 8.30103.
    const [consensus] = aggregated([at("a", 0.4, 10_000), at("b", 0.6, 20_000)]);
    expect(consensus!.contracts.map(({ weight }) => weight)).toEqual([0.518132, 0.481868]);
  });

  it("is weak below 50,000 dollars, and null below 5,000", () => {
    expect(aggregated([at("a", 0.4, 49_999)])[0]).toMatchObject({
      strength: "weak",
      probability: 0.4,
      disagreement: null,
    });
    expect(aggregated([at("a", 0.4, 4_999)])[0]).toMatchObject({
      strength: "none",
      probability: null,
      reason: "No venue counts: under 5000 dollars traded",
    });
  });

  it("uses the more traded of two contracts of one venue", () => {
    const [consensus] = aggregated([at("a", 0.4, 10_000), at("a", 0.9, 20_000)]);
    expect(consensus!.probability).toBe(0.9);
    expect(consensus!.contracts[1]!.left_out).toBe("another contract of the venue has more volume");
  });

  it("lists play-money venues without counting them", () => {
    const play = { real_money: false, volume_unit: "MANA", probability_basis: "amm" } as const;
    const [consensus] = aggregated([at("a", 0.4, 10_000), at("p", 0.9, 1e6, play)]);
    expect(consensus!.probability).toBe(0.4);
    expect(consensus!.contracts.find(({ venue }) => venue === "p")).toMatchObject({
      weight: 0,
      left_out: "play money",
    });
  });

  it("values a contract at half a dollar", () => {
    expect(dollarsOf(contract({ volume_unit: "contracts", volume_total: 20_000 }))).toBe(10_000);
    expect(dollarsOf(contract({ volume_unit: "MANA" }))).toBeNull();
    expect(dollarsOf(contract({ volume_total: null }))).toBeNull();
  });

  it.each([
    [{ probability: null, probability_basis: null }, "no price"],
    [{ spread: 0.11 }, "bid and ask are more than 0.1 apart"],
    [{ spread: null, probability_basis: "last" as const }, "no bid and ask, only a last price"],
    [{ status: "paused" as const }, "not open for orders"],
    [{ volume_total: null }, "volume unknown"],
  ])("leaves out %j", (over, why) => {
    expect(exclusionReason(contract(over))).toBe(why);
  });

  it("includes a contract with a spread of exactly 0.1", () => {
    expect(exclusionReason(contract({ spread: 0.1 }))).toBeNull();
  });

  it("groups contracts of the same level and day, whatever their wording", () => {
    const words = "Bitcoin price on Feb 27, 2026?";
    const answers = aggregated([
      at("a", 0.4, 10_000, { question: "Will Bitcoin be above $140 on February 27, 2026?" }),
      at("b", 0.5, 10_000, { question: words, outcome: "$140 or above" }),
    ]);
    expect(answers.map(({ contracts }) => contracts.length)).toEqual([2]);
  });

  it.each([
    ["another level", { question: "Will AAPL be above $141 on February 27, 2026?" }],
    ["another day", { question: "Will AAPL be above $140 on March 27, 2026?", close_time: null }],
    ["the other side", { question: "Will AAPL be below $140 on February 27, 2026?" }],
    ["at any time", { question: "Will AAPL hit $140 by February 27, 2026?" }],
    ["the other answer", { outcome: "No" }],
    ["other words", { question: "Will AAPL split on February 27, 2026?" }],
  ])("never averages different questions: %s", (_, over) => {
    expect(aggregated([at("a", 0.4, 10_000), at("b", 0.5, 10_000, over)])).toHaveLength(2);
  });

  it("matches the same words in another order and with another date format", () => {
    const [one, ...others] = aggregated([
      at("a", 0.2, 10_000, {
        question: "Will the Fed cut rates at the Oct. 28, 2026 meeting?",
        close_time: null,
      }),
      at("b", 0.3, 10_000, {
        question: "Will the FED cut its rate at the 2026-10-28 meeting?",
        close_time: null,
      }),
    ]);
    expect(others).toEqual([]);
    expect(one!.contracts).toHaveLength(2);
  });

  it("lies between the counted probabilities, with weights that sum to 1, in any input order", () => {
    const voice = fc.record({
      p: fc.integer({ min: 0, max: 1_000 }).map((mills) => mills / 1_000),
      dollars: fc.double({ min: 5_000, max: 1e9, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(voice, { minLength: 1, maxLength: 5 }), (all) => {
        const contracts = all.map(({ p, dollars }, i) => at(`v${i}`, p, dollars));
        const [consensus] = aggregated(contracts);
        const shares = all.map(({ p }) => p);
        expect(consensus!.probability).toBeGreaterThanOrEqual(Math.min(...shares) - 1e-9);
        expect(consensus!.probability).toBeLessThanOrEqual(Math.max(...shares) + 1e-9);
        expect(consensus!.contracts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 5);
        const [turned] = aggregated(contracts.toReversed());
        expect(turned!.probability).toBeCloseTo(consensus!.probability!, 9);
      }),
    );
  });
});
