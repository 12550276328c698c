import { barsOf, declining, patternCases, rowsThrough } from "../../support/pattern-cases.ts";

patternCases([
  {
    id: "hammer",
    has: declining([110, 110, 109, 109.75]),
    found: [40, 40, null, 109],
    misses: {
      "a lower shadow under twice the body": declining([110, 110, 109, 109.625]),
      "an upper shadow of an eighth": declining([110, 110.125, 109, 109.75]),
      "a bar of half the usual range": declining([110, 110, 109.5, 109.875]),
      "no body": declining([110, 110, 109, 110]),
      "no decline before": barsOf([...rowsThrough(Array<number>(40).fill(110)), [110, 110, 109, 109.75]]),
    },
  },
  {
    id: "bullish_engulfing",
    has: declining([110, 110.25, 109.25, 109.5], [109.5, 110.25, 109.25, 110.125]),
    found: [40, 41, null, 109.25],
    misses: {
      "an open above the close before": declining(
        [110, 110.25, 109.25, 109.5],
        [109.625, 110.5, 109.25, 110.25],
      ),
      "a close at the open before": declining([110, 110.25, 109.25, 109.375], [109.375, 110.25, 109.25, 110]),
      "a body of half the usual range": declining(
        [109.75, 110, 109.25, 109.5],
        [109.375, 110, 109.25, 109.875],
      ),
    },
  },
  {
    id: "piercing_line",
    has: declining([110, 110.125, 109, 109.125], [109, 109.875, 108.875, 109.75]),
    found: [40, 41, null, 108.875],
    misses: {
      "a close under the middle": declining([110, 110.125, 109, 109.125], [109, 109.875, 108.875, 109.5]),
      "a close over the open before": declining(
        [110, 110.125, 109, 109.125],
        [109, 110.25, 108.875, 110.125],
      ),
      "an open at the close before": declining(
        [110, 110.125, 109, 109.125],
        [109.125, 109.875, 108.875, 109.75],
      ),
    },
  },
  {
    id: "morning_star",
    has: declining([110, 110.125, 109, 109.125], [109, 109.25, 108.5, 108.875], [109, 110, 108.875, 109.75]),
    found: [40, 42, null, 108.5],
    misses: {
      "a star above the first close": declining(
        [110, 110.125, 109, 109.125],
        [109.25, 109.375, 108.5, 109.125],
        [109, 110, 108.875, 109.75],
      ),
      "a star with a long body": declining(
        [110, 110.125, 109, 109.125],
        [109, 109.25, 108.5, 108.625],
        [109, 110, 108.875, 109.75],
      ),
      "a last close under the middle": declining(
        [110, 110.125, 109, 109.125],
        [109, 109.25, 108.5, 108.875],
        [109, 110, 108.875, 109.5],
      ),
    },
  },
  {
    id: "three_white_soldiers",
    has: declining(
      [110, 110.75, 109.875, 110.625],
      [110.5, 111.25, 110.375, 111.125],
      [111, 111.875, 110.875, 111.75],
    ),
    found: [40, 42, null, 109.875],
    misses: {
      "an open over the close before": declining(
        [110, 110.75, 109.875, 110.625],
        [110.5, 111.25, 110.375, 111.125],
        [111.25, 112, 110.875, 111.875],
      ),
      "an upper shadow": declining(
        [110, 110.75, 109.875, 110.625],
        [110.5, 112, 110.375, 111.125],
        [111, 111.875, 110.875, 111.75],
      ),
      "a short body": declining(
        [110.25, 110.75, 109.875, 110.625],
        [110.5, 111.25, 110.375, 111.125],
        [111, 111.875, 110.875, 111.75],
      ),
    },
  },
  {
    id: "narrow_inside_bar",
    has: declining([110, 110.25, 109.75, 110]),
    found: [39, 40, null, null],
    misses: {
      "the same high": declining([110, 110.5, 109.75, 110]),
      "a narrower bar two before": declining(
        [109.5, 109.75, 109.375, 109.5],
        [109.5, 111, 109, 110],
        [110, 110.25, 109.75, 110],
      ),
    },
  },
]);
