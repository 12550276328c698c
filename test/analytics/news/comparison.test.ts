import { describe, expect, it } from "vitest";
import { comparisonOf } from "../../../src/analytics/news/comparison.ts";

describe("comparisonOf", () => {
  it.each([
    ["Net sales rose to EUR 13.1 mn from EUR 8.7 mn", 1],
    ["Net sales were EUR 8.7 mn, compared with EUR 13.1 mn a year earlier", -1],
    ["Operating profit for the quarter was EUR 2 mn, against EUR 3 mn", -1],
    ["Earnings per share of $0.40 versus $0.35", 1],
    ["Dividend of EUR 1.10 per share, up from EUR 0.90", 1],
    ["Revenue grew from USD 5 mn to USD 6 mn", 1],
    ["Profit rose to EUR 1.1 bn from EUR 900 mn", 1],
    ["Orders fell to 1,200 from 11,000", -1],
    ["Operating margin was 3.1 % in the first quarter, down from 4.6 %", -1],
  ])("compares amounts of which more is good: %j is %s", (title, expected) => {
    expect(comparisonOf(title)).toBe(expected);
  });

  it.each([
    ["Net loss narrowed to EUR 0.9 mn from EUR 2.6 mn", 1],
    ["Loss before taxes widened to EUR 8 mn from EUR 2 mn", -1],
    ["Costs were EUR 5 mn, compared with EUR 4 mn", -1],
    ["Operating profit was EUR 2 mn, compared with a loss of EUR 4 mn", 1],
    ["The unit turned to a loss of EUR 2 mn from a profit of EUR 1 mn", -1],
    ["A loss of EUR 2 mn, compared with a loss of EUR 3 mn", 1],
  ])("counts a loss or a cost as negative: %j is %s", (title, expected) => {
    expect(comparisonOf(title)).toBe(expected);
  });

  it.each([
    "The number of employees was 1,046, against 1,031 a year earlier",
    "The fund raised its stake to 12 % from 9 %",
    "The temperature rose to 31 from 24",
    "Net sales were EUR 13.1 mn, compared with EUR 13.1 mn",
    "Net sales were EUR 13.1 mn",
    "Profit was better in 2009 compared with 2008",
    "The shop is open from 8 to 20",
    "",
  ])("gives 0 without amounts of a known figure, or with equal ones: %j", (title) => {
    expect(comparisonOf(title)).toBe(0);
  });
});
