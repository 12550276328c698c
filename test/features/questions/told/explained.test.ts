import { describe, expect, it } from "vitest";
import { toldEdge, toldExplanation } from "../../../../src/features/questions/told/explained.ts";
import { readerOf } from "../../../../src/features/questions/told/reader.ts";

const driver = (id: string, contribution: number | null, in_words: string | null = `${id} in words`) => ({
  id,
  contribution,
  in_words,
});
const explained = {
  direction: "WAIT",
  grade: "C",
  score: 54.268,
  reason: "The drivers do not agree: 0.09 is within 0.25 of 0",
  drivers: [
    driver("a", 0.01),
    driver("b", -0.02),
    driver("c", 0.0442),
    driver("d", null, null),
    driver("e", 0.03),
    driver("f", -0.0401),
    driver("g", 0),
  ],
  flip: { price: 151.126, direction: "LONG", change_percent: 1.8662, reason: "the score" },
  source: "fixture",
  data_as_of: "2026-01-15T21:00:00.000Z",
};
const tell = (over: object = {}) => toldExplanation(readerOf({ ...explained, ...over }), "XYZ", false);

describe("why a verdict is what it is", () => {
  it("is told by the heaviest drivers of either side and the price that turns it", () => {
    expect(tell().sentence).toBe(
      "The verdict on XYZ is WAIT: the drivers do not agree: 0.09 is within 0.25 of 0. What speaks most for a rise: c in words and e in words. What speaks most for a fall: f in words and b in words. A close at $151.13, 1.9 percent higher, would make it LONG (fixture, 2026-01-15T21:00Z).",
    );
    expect(tell().figures).toMatchObject({
      score: 54.3,
      up: [
        { id: "c", contribution: 0.044 },
        { id: "e", contribution: 0.03 },
      ],
      flip: { price: 151.13, direction: "LONG" },
    });
  });

  it("is told without a reason, drivers or a price that turns it", () => {
    const flip = { price: null, direction: null, change_percent: null, reason: "No close near turns it." };
    expect(tell({ reason: null, drivers: [], flip }).sentence).toBe(
      "The verdict on XYZ is WAIT. What speaks most for a rise: nothing. What speaks most for a fall: nothing. No close near turns it (fixture, 2026-01-15T21:00Z).",
    );
  });
});

describe("an edge in a sentence", () => {
  const edge = {
    type: "UNDERPRICED",
    score: 17.32,
    actionability: "LOW",
    marketProbability: 62.77,
    newsSentiment: 70.11,
    divergence: 7.34,
    markets: { source: "fixture" },
    as_of: "2026-01-15T15:00:00.000Z",
    null_reason: null,
  };
  it("has both sides and the gap", () => {
    expect(toldEdge(readerOf(edge), "XYZ", false).sentence).toBe(
      "The edge on XYZ is UNDERPRICED, score 17.3, actionability LOW: markets say 62.8 percent and news 70.1, a gap of 7.3 points; which of the two is right nobody has shown (fixture, 2026-01-15T15:00Z).",
    );
  });

  it("says why there is none", () => {
    const none = { ...edge, type: null, score: null, null_reason: "markets: No contract on it is open" };
    expect(toldEdge(readerOf(none), "XYZ", false).sentence).toBe(
      "The edge on XYZ has no verdict: markets: No contract on it is open (fixture, 2026-01-15T15:00Z).",
    );
  });
});
