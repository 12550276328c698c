import { describe, expect, it } from "vitest";
import { unservedIn } from "../../../../src/features/requests/details/criteria.ts";

const OTHER = "an unknown criterion";

describe("unserved criteria of a list", () => {
  it.each([
    ["oversold stocks", ["oversold"]],
    ["stocks under $10", ["price"]],
    ["stocks below 20 dollars", ["price"]],
    ["dividend stocks", ["dividends"]],
    ["stocks near 52 week low", ["52-week highs and lows"]],
    ["large cap growth stocks", ["size", "growth"]],
    ["overbought coins", ["overbought"]],
    ["safest stocks", ["risk"]],
    ["stocks with RSI below 30", ["an indicator"]],
    ["most shorted stocks", ["short interest"]],
    ["crypto stocks", ["a theme"]],
    ["Chinese stocks", ["a country"]],
    ["purple stocks", [OTHER]],
    ["railroads or banks", [OTHER]],
    ["energy or railroad stocks", [OTHER]],
    ["Short squeeze candidates", ["short interest"]],
    ["stocks that could squeeze", ["short interest"]],
    ["stocks about to squeeze", ["short interest"]],
    ["stocks in a Bollinger squeeze", ["an indicator", "a chart pattern"]],
    ["stocks in wave 3", ["Elliott waves"]],
    ["stocks in an uptrend", ["a trend"]],
    ["strongest sectors", ["a ranking of sectors"]],
    ["best stocks for a risk-off market", ["sentiment"]],
    ["stocks with female founders", [OTHER]],
  ])("are found: %s", (query, labels) => {
    expect(unservedIn(query)).toEqual(labels);
  });

  it.each([
    "best stocks",
    "top 3 stocks",
    "worst 5 ETFs",
    "stocks to avoid",
    "What are the strongest tech stocks right now?",
    "which stocks should I buy",
    "show me all the A+ rated stocks",
    "stocks with a score over 80",
    "stage 2 stocks in accumulation",
    "hottest coins",
    "best setups",
    "stocks or coins",
    "80+ score stocks",
    "energy or tech stocks",
    "semis or banks",
  ])("are none: %s", (query) => {
    expect(unservedIn(query)).toEqual([]);
  });
});
