import { describe, expect, it } from "vitest";
import { compositeOf, partDirection } from "../../../src/analytics/enhanced/composite.ts";
import { formatReasons } from "../../../src/features/signal/enhanced.text.ts";
import type { Enhanced } from "../../../src/features/signal/enhanced-parts.ts";

/** The last reason, for parts from -1 to 1. */
const agreed = (technical: number, markets: number, news: number): string | undefined => {
  const values = { technical, markets, news };
  const part = (value: number) => ({
    score: 50 + 50 * value,
    way: partDirection(value),
    weight: 0.3,
    reason: null,
  });
  return formatReasons({
    composite: compositeOf(values),
    technical: { ...part(technical), signal: { direction: "WAIT", grade: null } },
    markets: { ...part(markets), venues: [] },
    news: part(news),
  } as unknown as Enhanced).at(-1);
};

describe("agreement of the parts with the composite", () => {
  it.each([
    [0.6, 0.6, 0.6, "All 3 parts are bullish, as the composite is"],
    [-0.6, -0.6, 0, "2 of 3 parts are bearish, as the composite is"],
    // .5 x .2 + .3 x .2 + .2 x .2 = .2: up, but below the .25 at which LONG starts
    [
      0.2,
      0.2,
      0.2,
      "All 3 parts are bullish; the composite leans that way, but not enough for LONG, which starts at 62.5",
    ],
    [
      -0.2,
      -0.2,
      -0.2,
      "All 3 parts are bearish; the composite leans that way, but not enough for SHORT, which starts at 37.5",
    ],
    // .5 x .3 - .3 x .5 = 0
    [0.3, -0.5, 0, "1 of 3 parts is neutral, as the composite is"],
    [0.3, -0.6, 0.15, "None of the 3 parts is neutral; the composite is"],
  ])("parts of %d, %d and %d: %s", (technical, markets, news, words) => {
    expect(agreed(technical, markets, news)).toBe(words);
  });
});
