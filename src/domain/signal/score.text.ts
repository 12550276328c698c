import { shownScore } from "../figures.ts";

/** Formats a score to one decimal, from the two decimals of answers, so that texts and fields show one figure. */
export const formatScore = (score: number): string => shownScore(score).toFixed(1);
