import { unpackModel } from "../../../src/analytics/news/classify.ts";

/** A model of six terms, made by hand: a step is .5, and the bias leans to neutral by nothing. */
export const TINY = unpackModel({
  step: 0.5,
  bias: [0, 0],
  terms: "@own 0 0|falls -4 8|profit 4 -2|rises 8 -4|to 0 0|~rises 2 0",
});
