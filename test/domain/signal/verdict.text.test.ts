import { expect, it } from "vitest";
import { formatVerdict } from "../../../src/domain/signal/verdict.text.ts";

const plain = (_: string, text: string) => text;

it.each([
  [
    { symbol: "AAPL", timeframe: "1d", direction: "LONG", grade: "A+", score: 86.4, tier: "HOT" },
    "AAPL is LONG: grade A+, score 86.4 of 100, tier HOT.",
  ],
  [
    { symbol: "BTC-USD", timeframe: "4h", direction: "SHORT", grade: "F", score: 11, tier: "NEUTRAL" },
    "BTC-USD is SHORT on 4h bars: long-side grade F, score 11.0 of 100.",
  ],
  [{ symbol: "SPY", direction: "WAIT", grade: null, score: null }, "SPY is WAIT: no score."],
] as const)("states a verdict as one sentence: %j", (verdict, sentence) => {
  expect(formatVerdict(verdict, plain)).toBe(sentence);
});
