import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marketFact } from "../../../src/analytics/contracts/market-fact.ts";
import {
  aboveProbability,
  realisedVolatility,
  touchProbability,
} from "../../../src/analytics/contracts/probability.ts";
import { factDrivers } from "../../../src/analytics/drivers/facts.ts";
import type { Contract } from "../../../src/domain/prediction-markets/contracts.ts";
import { contract } from "../../support/contracts.ts";
import { climbingBars } from "../../support/market.ts";

const AT = Date.parse("2026-01-15T15:00:00Z");
const DAYS = (Date.parse("2026-02-27T21:00:00Z") - AT) / 86_400_000;
const bars = (() => {
  const even = climbingBars({ count: 100 });
  return { ...even, close: Float64Array.from(even.close, (close, i) => close * (i % 2 === 0 ? 1 : 1.01)) };
})();
const price = 139;
const factOf = (contracts: readonly Contract[], over: Partial<Parameters<typeof marketFact>[1]> = {}) =>
  marketFact(contracts, { bars, price, at: AT, ...over });
const spread = realisedVolatility(bars)! * Math.sqrt(DAYS);

describe("the k_mkt fact", () => {
  it("is the market probability less the model probability, divided by .15", () => {
    const q = aboveProbability({ price, level: 140, spread });
    const { fact } = factOf([contract({ probability: q + 0.06 })]);
    expect(fact!.value).toBeCloseTo(0.4, 9);
    expect(fact!.time).toBe(AT);
    expect(fact!.inputs).toMatchObject({
      venue: "acme",
      contract: "c1",
      kind: "at",
      level: 140,
      price: 139,
      dollars: 100_000,
    });
    expect([fact!.inputs.q, fact!.inputs.days]).toEqual([q, DAYS]);
  });

  it("uses the touch probability for a level that may be reached at any time", () => {
    const q = touchProbability({ price, level: 145, spread }, "above");
    const touch = contract({ question: "Will AAPL hit $145 by February 27, 2026?", probability: q - 0.03 });
    expect(factOf([touch]).fact!.value).toBeCloseTo(-0.2, 9);
  });

  it("is limited to [-1, 1]", () => {
    expect(factOf([contract({ probability: 0.99 })]).fact!.value).toBe(1);
    expect(factOf([contract({ probability: 0.01 })]).fact!.value).toBe(-1);
  });

  it("uses the contract with the highest uncertainty weighted by traded dollars", () => {
    const far = contract({ id: "far", question: "Will AAPL be above $150 on February 27, 2026?" });
    expect(factOf([far, contract()]).fact!.inputs.contract).toBe("c1");
    const busy = contract({ id: "busy", volume_total: 1e6 });
    expect(factOf([contract(), busy]).fact!.inputs.contract).toBe("busy");
  });

  it.each<[string, Partial<Contract>]>([
    [
      "No linked market is on a price level that a rising price makes more likely",
      { question: "Will AAPL split?" },
    ],
    [
      "No linked market is on a price level that a rising price makes more likely",
      { question: "Will AAPL be below $140 on February 27, 2026?" },
    ],
    ["No linked market on a price level is liquid", { real_money: false }],
    ["No linked market on a price level is liquid", { volume_total: 4_000 }],
    ["No linked market on a price level is liquid", { spread: 0.2 }],
    [
      "No liquid market on a price level ends within a day to a year",
      { question: "Will AAPL be above $140 on January 15, 2026?", close_time: "2026-01-15T21:00:00Z" },
    ],
    [
      "Price and volatility leave no level of a liquid market undecided",
      { question: "Will AAPL be above $300 on February 27, 2026?" },
    ],
    ["No linked prediction market is known", { as_of: "2026-01-15T15:00:01.000Z" }],
  ])("is null with its reason: %s", (reason, over) => {
    expect(factOf([contract(over)])).toEqual({ fact: null, reason });
  });

  it("is null without a volatility", () => {
    expect(factOf([contract()], { bars: climbingBars({ count: 10 }) })).toEqual({
      fact: null,
      reason: "Realised volatility needs 21 daily moves",
    });
  });

  it("defaults to the last close as price", () => {
    const near = contract({ question: "Will AAPL be above $115 on February 27, 2026?" });
    const { fact } = marketFact([near], { bars, at: AT });
    expect(fact!.inputs.price).toBe(bars.close.at(-1));
  });

  it("does not depend on later data, nor on the order of contracts", () => {
    const row = fc.record({
      later: fc.boolean(),
      probability: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      level: fc.integer({ min: 130, max: 150 }),
      volume: fc.integer({ min: 1_000, max: 1_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
        const all = rows.map(({ later, probability, level, volume }, i) =>
          contract({
            id: `c${i}`,
            question: `Will AAPL be above $${level} on February 27, 2026?`,
            probability,
            volume_total: volume,
            as_of: new Date(AT + (later ? 1_000 : -1_000)).toISOString(),
          }),
        );
        const known = factOf(all.filter(({ as_of }) => Date.parse(as_of) <= AT));
        expect(factOf(all)).toEqual(known);
        expect(factOf(all.toReversed())).toEqual(known);
      }),
    );
  });

  it("is the value that the driver returns", () => {
    const { fact } = factOf([contract({ probability: 0.9 })]);
    expect(factDrivers({ k_mkt: fact! }).find(({ id }) => id === "k_mkt")).toMatchObject({
      value: fact!.value,
      reason: null,
    });
  });
});
