import { expect, it } from "vitest";
import { splitConditions } from "../../src/lib/split-conditions.ts";

it.each([
  ["rsi(14) < 30", { all: ["rsi(14) < 30"] }],
  ["close > 5 and close<9 AND  score > 2", { all: ["close > 5", "close<9", "score > 2"] }],
  ["close > 5 or close < 2", { any: ["close > 5", "close < 2"] }],
  ["range_position(5) < 0 or > 100", { any: ["range_position(5) < 0", "range_position(5) > 100"] }],
  [
    "grade = A or = B or phase = Markup or != Markdown",
    {
      any: ["grade = A", "grade = B", "phase = Markup", "phase != Markdown"],
    },
  ],
  ["rsi > 30 and < 70", { all: ["rsi > 30", "rsi < 70"] }],
  [
    "close crosses_above sma(5) or crosses_below sma(9)",
    {
      any: ["close crosses_above sma(5)", "close crosses_below sma(9)"],
    },
  ],
  // nothing to repeat, or two ways to read it
  ["< 5 or > 9", { any: ["< 5", "> 9"] }],
  ["close and > 9", { all: ["close", "> 9"] }],
  ["close > 5 and rsi < 30 or rsi > 70", { all: ["close > 5", "rsi < 30 or rsi > 70"] }],
  ["", { all: [""] }],
])("of '%s' makes %j", (text, conditions) => {
  expect(splitConditions(text)).toEqual(conditions);
});
