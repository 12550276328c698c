import { describe, expect, it } from "vitest";
import { screenRuleIn } from "../../../../src/features/requests/details/screen-rules.ts";

describe("the screener rule of a request", () => {
  it.each([
    ["oversold stocks", "rsi(14) < 30"],
    ["stocks under $1,500", "close < 1500"],
    ["coins above $1.5k", "close > 1500"],
    ["names of grade b or better with rsi below 35", "rsi(14) < 35 and grade >= B"],
    ["stocks with a score under 30", "score < 30"],
    ["tech stocks above their 200-day average", "close > sma(200)"],
    ["tech stocks not oversold", null],
    ["stocks not under $10", null],
    ["best stocks", null],
  ])("of '%s' is %s", (text, rule) => {
    expect(screenRuleIn(text).rule).toBe(rule);
  });

  it("leaves the words that it does not describe", () => {
    expect(screenRuleIn("oversold tech stocks").rest).toBe("         tech stocks");
    expect(screenRuleIn("tech stocks not oversold").rest).toBe("tech stocks not oversold");
  });
});
