import { describe, expect, it } from "vitest";
import { isPricePositive, priceLevelOf } from "../../../src/analytics/contracts/levels.ts";
import type { Contract } from "../../../src/domain/prediction-markets/contracts.ts";
import { contract } from "../../support/contracts.ts";

const AT = Date.parse("2026-01-15T15:00:00Z");
const level = (question: string, over: Partial<Contract> = {}) => {
  const found = priceLevelOf(contract({ question, event_title: "t", ...over }), AT);
  return found === null
    ? null
    : `${found.kind} ${found.side} ${found.level}${found.upper === null ? "" : ` ${found.upper}`}`;
};

describe("the price level of a contract", () => {
  it.each([
    ["Will AAPL be above $140 on February 27?", "at above 140"],
    ["Will AAPL close above $1,250.50 on February 27?", "at above 1250.5"],
    ["Will the price of Bitcoin be less than $84,000 on February 27?", "at below 84000"],
    ["Will Meta Platforms, Inc. (META) hit (HIGH) $660 Week of February 17 2026?", "touch above 660"],
    ["Will Meta Platforms, Inc. (META) hit (LOW) $480 in February?", "touch below 480"],
    ["Will Bitcoin reach $150k by December 31?", "touch above 150000"],
    ["Will Bitcoin dip to 70k in February?", "touch below 70000"],
    ["Will the price of Ethereum be between $2,900 and $3,000 on February 27?", "at between 2900 3000"],
    ["Bitcoin ↑ $200,000", "touch above 200000"],
  ])("is read from its words: %s", (question, expected) => {
    expect(level(question)).toBe(expected);
  });

  it.each([
    ["Will NVDA's market cap be above $5 trillion?"],
    ["Will Nvidia's revenue be above $60b?"],
    ["Will Tesla deliver above 500k cars?"],
    ["Will AAPL be above $140 by February 27?"], // on the day, or at any time?
    ["Will AAPL be above $140 or below $120 on February 27?"],
    ["Will AAPL be above 140 on February 27?"], // dollars, or something else
    ["Meta (META) Up or Down on February 19?"],
    ["Will Apple be worth it?"],
    ["Will AAPL hit $100, $120 or $140?"],
  ])("is null for %s", (question) => {
    expect(level(question)).toBeNull();
  });

  it("reads the venue's own fields before the text", () => {
    const strike = { side: "above", floor: 74_299.99, cap: null } as const;
    const question = "Bitcoin price on Feb 25, 2026?";
    expect(level(question, { outcome: "$74,300 or above", strike })).toBe("at above 74299.99");
    expect(level(question, { outcome: "$74,300 or above" })).toBe("at above 74300");
    const range = { side: "between", floor: 70_000, cap: 71_000 } as const;
    expect(level(question, { outcome: "range", strike: range })).toBe("at between 70000 71000");
    expect(level("Ketel Marte: 4+ hits?", { strike: { side: "above", floor: 3.5, cap: null } })).toBeNull();
  });

  it("has a date", () => {
    const dated = contract({ question: "Will AAPL be above $140 on February 27, 2026?" });
    expect(priceLevelOf(dated, AT)!.by).toBe(Date.parse("2026-02-27T21:00:00Z"));
    expect(
      priceLevelOf({ ...dated, question: "Will AAPL be above $140?", close_time: null }, AT)!.by,
    ).toBeNull();
  });

  it("is null for a negative outcome", () => {
    expect(level("Will AAPL be above $140 on February 27?", { outcome: "No" })).toBeNull();
  });

  it("is bullish only if a rising price makes the outcome likelier", () => {
    const sides = ["above", "below", "between"] as const;
    expect(
      sides.map((side) => isPricePositive({ kind: "at", side, level: 1, upper: null, by: null })),
    ).toEqual([true, false, false]);
  });
});
