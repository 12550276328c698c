import { z } from "zod";

/** Split of an answer. */
export const SplitRow = z.object({
  date: z.iso.date().describe("First day of trading with the new share count"),
  ratio: z.number().describe("New shares per old share; below 1 for a reverse split"),
});

/** Dividend of an answer. */
export const DividendRow = z.object({
  date: z.iso.date().describe("First day of trading without the dividend (ex-date)"),
  amount: z.number().describe("USD per share, adjusted for later splits"),
});
