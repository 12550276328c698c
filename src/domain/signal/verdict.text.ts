import type { Paint } from "../terminal.ts";
import { formatGrade } from "./grade.text.ts";
import { formatScore } from "./score.text.ts";

interface Verdict {
  readonly symbol: string;
  readonly timeframe?: string;
  readonly direction: "LONG" | "SHORT" | "WAIT";
  readonly grade: string | null;
  readonly score: number | null;
  readonly tier?: string;
}

const COLOUR = { LONG: "green", SHORT: "red", WAIT: "yellow" } as const;

/** Formats a verdict as one sentence: direction, timeframe other than a day, grade, score and tier other than NEUTRAL. */
export function formatVerdict(verdict: Verdict, paint: Paint): string {
  const { symbol, timeframe, direction, score, tier } = verdict;
  const bars = timeframe === undefined || timeframe === "1d" ? "" : ` on ${timeframe} bars`;
  const rating = score === null ? "no score" : `${formatGrade(verdict)}, score ${formatScore(score)} of 100`;
  return `${paint("bold", symbol)} is ${paint(COLOUR[direction], paint("bold", direction))}${bars}: ${rating}${tier === undefined || tier === "NEUTRAL" ? "" : `, tier ${tier}`}.`;
}
