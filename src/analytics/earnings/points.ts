import type { EarningsResult, LineDelta, Surprise } from "../../domain/earnings/earnings.ts";

interface ReportContent {
  readonly eps: Surprise;
  readonly revenue: Surprise;
  readonly guidance: Surprise;
  readonly kpis: readonly LineDelta[];
  readonly segments: readonly LineDelta[];
  /** EPS results, newest quarter first. */
  readonly results: readonly (EarningsResult | null)[];
}

/** Minimum number of consecutive beats or misses worth mentioning. */
const STREAK = 3;

/** Returns the bullish and bearish points of a report, each a sentence with its numbers. */
export function pointsOf({ eps, revenue, guidance, kpis, segments, results }: ReportContent): {
  readonly bullish: readonly string[];
  readonly bearish: readonly string[];
} {
  const bullish: string[] = [];
  const bearish: string[] = [];
  const say = (good: boolean, text: string) => (good ? bullish : bearish).push(text);
  for (const [what, surprise] of [
    ["EPS", eps],
    ["Revenue", revenue],
    ["Guidance for next quarter's revenue", guidance],
  ] as const) {
    const { actual, estimate, surprisePct: percent, result, surprise_of } = surprise;
    if (result === null || result === "IN_LINE" || percent === null) continue;
    const against = `${shown(actual!, what)} against ${shown(estimate!, what)} expected`;
    say(percent > 0, `${what} of ${against}, ${signed(percent)}% of the ${surprise_of}`);
  }
  for (const { name, unit, changePct, isMateriallyPositive, isMateriallyNegative, ...delta } of [
    ...kpis,
    ...segments,
  ])
    if ((isMateriallyPositive || isMateriallyNegative) && changePct !== null)
      say(
        isMateriallyPositive,
        `${name} ${signed(changePct)}% year over year, to ${amount(delta.current)} ${unit}`,
      );
  for (const good of [true, false]) {
    const run = streakOf(results, good);
    if (run >= STREAK) say(good, `${good ? "Beat" : "Missed"} EPS estimates ${run} quarters in a row`);
  }
  return { bullish, bearish };
}

function streakOf(results: readonly (EarningsResult | null)[], good: boolean): number {
  const wanted: readonly (EarningsResult | null)[] = good ? ["STRONG_BEAT", "BEAT"] : ["STRONG_MISS", "MISS"];
  const end = results.findIndex((result) => !wanted.includes(result));
  return end === -1 ? results.length : end;
}

const signed = (value: number): string => `${value > 0 ? "+" : ""}${value.toFixed(2)}`;
const shown = (value: number, what: string): string =>
  what === "EPS" ? `${value.toFixed(2)} USD` : `${amount(value)} USD`;

/** Formats a number for reading: 94.90 bn, 1.25 m, 12.50. */
export function amount(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${(value / 1e9).toFixed(2)} bn`;
  if (size >= 1e6) return `${(value / 1e6).toFixed(2)} m`;
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
