import { legs, patternCases } from "../../support/pattern-cases.ts";

patternCases([
  {
    id: "double_bottom",
    has: legs(120, 110, 115, 110.5, 117),
    found: [20, 50, 115.5, 109.5],
    misses: {
      "lows a dollar apart": legs(120, 110, 115, 111, 117),
      "no close over the high between": legs(120, 110, 115, 110.5, 115.5),
      "a close under both lows": legs(120, 110, 115, 109, 117),
      "lows nine bars apart": legs(120, 110, 112.5, 110.5, 117),
    },
  },
  {
    id: "inverse_head_and_shoulders",
    has: legs(120, 112, 116, 110, 116.5, 112.5, 120),
    // Highs of 116.5 at bar 24 and 117 at bar 49: the line is at 117.34 on bar 66, which closes at 117, then at 117.36.
    found: [16, 67, 116.5 + (0.5 * (67 - 24)) / 25, 112],
    misses: {
      "a head half a dollar below": legs(120, 112, 116, 111.5, 116.5, 112.5, 120),
      "shoulders two dollars apart": legs(120, 112, 116, 110, 116.5, 114, 120),
      "a neckline two dollars apart": legs(120, 112, 116, 110, 118, 112.5, 121),
      "no close over the neckline": legs(120, 112, 116, 110, 116.5, 112.5, 117),
    },
  },
  {
    id: "ascending_triangle",
    has: legs(105, 115, 110, 115, 112, 117),
    found: [20, 54, 115.5, 111.5],
    misses: {
      "lows half a dollar apart": legs(105, 115, 110, 115, 110.5, 117),
      "highs a dollar apart": legs(105, 115, 110, 116, 112, 118),
      "no close over the highs": legs(105, 115, 110, 115, 112, 115.5),
    },
  },
]);
