import { EXPLAINED, PRICE_CHANGE, REASONS, TURN } from "./asked/besides.ts";
import comparisons from "./data/comparisons.json" with { type: "json" };
import { matcher } from "./phrases.ts";
import { listed } from "./told/told.ts";

interface Compared {
  readonly symbol: string;
  readonly score: number | null;
  readonly direction: string | null;
}
interface Placed extends Compared {
  readonly score: number;
}

const SHOWN = 5;
const ASCENDING =
  /\b(shorts?|shorting|sell|selling|avoid|worst|worse|weak(er|est)?|bearish|lowest|dump|get rid of|drop|puts?|trim)\b/i;
const DESCENDING = /\b(buys?|buying|best|better|strong(er|est)?|bullish|highest|longs?|own)\b/i;
/** What may be asked of a comparison that the score says nothing about. */
const UNTOLD = comparisons.map((topic) => ({ label: topic.label, words: matcher(topic) }));

/** Whether the weakest is asked for first. */
export const asksWeakest = (query: string): boolean => ASCENDING.test(query) && !DESCENDING.test(query);

/** What is asked of one verdict while several are compared. */
const OF_VERDICTS: ReadonlySet<string> = new Set([REASONS, TURN, EXPLAINED]);

/** Whether the score is no answer: what is asked is neither it nor among what it is said not to tell. */
export const isOfElse = (labels: readonly string[]): boolean =>
  labels.some(
    (label) =>
      label === PRICE_CHANGE || (!OF_VERDICTS.has(label) && !UNTOLD.some((untold) => untold.label === label)),
  );

/** Of what is asked the score does not tell. */
export const untoldIn = (query: string): readonly string[] =>
  UNTOLD.filter(({ words }) => words.test(query)).map(({ label }) => label);

/** Signals side by side, the strongest or the weakest first, with how far each is behind. */
export function toldRanking(
  signals: readonly Compared[],
  { weakest = false, untold = [] }: { readonly weakest?: boolean; readonly untold?: readonly string[] } = {},
) {
  const ranked = signals
    .filter((one): one is Placed => one.score !== null)
    .toSorted((a, b) => (weakest ? a.score - b.score : b.score - a.score));
  const [first] = ranked;
  if (first === undefined || ranked.length < 2) return null;
  const ranking = ranked.map(({ symbol, score }) => ({
    symbol,
    score,
    behind: Number(Math.abs(first.score - score).toFixed(1)),
  }));
  const called = ({ symbol, direction }: Compared) =>
    direction === null ? symbol : `${symbol} (${direction})`;
  const others = ranking.slice(1, SHOWN).map(({ behind }, i) => `${called(ranked[i + 1]!)} by ${behind}`);
  const [place, beside] = weakest
    ? ["lowest (most bearish)", "below"]
    : ["highest (most bullish)", "ahead of"];
  return {
    figures: { ranking },
    sentence: [
      ...(untold.length === 0 ? [] : [`The score does not tell ${listed(untold)}.`]),
      `${called(first)} has the ${place} score, ${first.score}, ${beside} ${listed(others)}.`,
    ].join(" "),
  };
}
