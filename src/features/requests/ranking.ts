import comparisons from "./data/comparisons.json" with { type: "json" };
import words from "./data/words.json" with { type: "json" };
import { matchers, patterns } from "./phrases.ts";
import { joinWords, when } from "./sentences.ts";

const ASKS = patterns(words.ranking);

interface Compared {
  readonly symbol: string;
  readonly score: number | null;
  readonly direction: string | null;
}
const SHOWN = 5;
/** Topics that a question may compare and that the score does not cover. */
const OUTSIDE_SCORE = matchers(comparisons);

/** Returns true if the question asks for the weakest first. */
export const asksWeakest = (query: string): boolean =>
  ASKS.ascending.test(query) && !ASKS.descending.test(query);

/** Returns the labels of compared topics that the score does not cover. */
export const notInScore = (query: string): readonly string[] =>
  OUTSIDE_SCORE.filter(({ words }) => words.test(query)).map(({ label }) => label);

/**
 * Ranks signals by score, strongest first or with `weakest` weakest first, each with its distance to the first. Returns
 * null for fewer than two.
 */
export function rankingOf(
  signals: readonly Compared[],
  { weakest, outsideScore }: { readonly weakest: boolean; readonly outsideScore: readonly string[] },
) {
  const ranked = signals
    .flatMap(({ score, ...rest }) => (score === null ? [] : { ...rest, score }))
    .toSorted((a, b) => (weakest ? a.score - b.score : b.score - a.score));
  const [first, ...next] = ranked;
  if (first === undefined || next.length === 0) return null;
  const behindOf = (score: number) => Number(Math.abs(first.score - score).toFixed(1));
  const nameOf = ({ symbol, direction }: Compared) =>
    direction === null ? symbol : `${symbol} (${direction})`;
  const others = next.slice(0, SHOWN - 1).map((row) => `${nameOf(row)} by ${behindOf(row.score)}`);
  const [place, relation] = weakest
    ? ["lowest (most bearish)", "below"]
    : ["highest (most bullish)", "ahead of"];
  return {
    figures: { ranking: ranked.map(({ symbol, score }) => ({ symbol, score, behind: behindOf(score) })) },
    sentence: [
      ...when(outsideScore.length > 0, `The score does not cover ${joinWords(outsideScore)}.`),
      `${nameOf(first)} has the ${place} score, ${first.score}, ${relation} ${joinWords(others)}.`,
    ].join(" "),
  };
}
