import { unpackModel } from "../../../src/analytics/news/classify.ts";

/** A hand-made model of six terms with a step of .5 and no bias. */
export const TINY = unpackModel({
  step: 0.5,
  bias: [0, 0],
  terms: "@own 0 0|falls -4 8|profit 4 -2|rises 8 -4|to 0 0|~rises 2 0",
});
