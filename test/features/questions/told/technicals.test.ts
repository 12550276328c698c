import { describe, expect, it } from "vitest";
import { readerOf } from "../../../../src/features/questions/told/reader.ts";
import { toldTechnicals } from "../../../../src/features/questions/told/technicals.ts";

const technicals = {
  rsi: 46.8778,
  macd_cross: "bearish",
  atr: 12.508,
  atr_percent: 2.4112,
  stage: 1,
  distance_30w_percent: 18.0221,
  year_low: 359.72,
  year_high: 566.61,
  year_position: 76.857,
  volume_ratio: 0.9584,
};
const analysis = {
  technicals,
  wyckoff: { phase: "Distribution", sub_phase: "C" },
  elliott: { label: null, direction: null, reason: "Wave 3 of 5 up does not hold" },
  pattern_details: [
    { name: "Bearish engulfing", status: "standing" },
    { name: "Doji", status: "void" },
  ],
};
const tell = (over: object = {}) =>
  toldTechnicals(
    readerOf({
      analysis: { ...analysis, ...over },
      source: "fixture",
      data_as_of: "2026-01-15T15:00:00.000Z",
    }),
    "XYZ",
    false,
  );

describe("technicals in a sentence", () => {
  it("have the indicators, the year, the stage, Wyckoff, Elliott and what stands of patterns", () => {
    expect(tell().sentence).toBe(
      "Technicals of XYZ: RSI 46.9, MACD bearish, average true range $12.51 (2.4 percent); at 76.9 percent of its year's range of $359.72 to $566.61; stage 1, basing, 18 percent above its 30-week average; volume 0.96 times its mean; Wyckoff Distribution, phase C; no Elliott count (wave 3 of 5 up does not hold); of patterns Bearish engulfing stands (fixture, 2026-01-15T15:00Z).",
    );
  });

  it("say unknown for what is missing", () => {
    const { sentence, figures } = tell({
      technicals: {},
      wyckoff: { phase: "Markup", sub_phase: null },
      elliott: { label: "Wave 3 of 5" },
      pattern_details: [],
    });
    expect(sentence).toMatch(
      /RSI unknown, .*; stage unknown, .*; Wyckoff Markup; Elliott Wave 3 of 5; no pattern stands \(/,
    );
    expect(figures).toMatchObject({ rsi: null, stage: null, patterns: [] });
  });
});
