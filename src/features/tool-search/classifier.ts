import { editDistance } from "../../lib/edit-distance.ts";
import { requestFeatures } from "./words.ts";

/** Requests of one kind. */
export interface LabelledRequests {
  readonly label: string;
  readonly requests: readonly string[];
}

/** Count added to every feature of every label, so that one unknown word excludes no label. */
const SMOOTHING = 0.1;
/** Weight of a pair of words, which depends on its two words. */
const PAIR_WEIGHT = 0.5;

/**
 * Resolves to a function that ranks the labels for a request, likeliest first: a naive Bayes classifier over the words
 * of labelled requests. A request that shares no word with them has no labels. Waits for `pause` after each label.
 * @see Manning, Raghavan, Schütze (2008), "Introduction to Information Retrieval", chapter 13
 */
export async function rankerOf(
  labelled: readonly LabelledRequests[],
  pause: () => Promise<void>,
): Promise<(request: string) => readonly string[]> {
  const counts = new Map<string, Float64Array>();
  const totals = new Float64Array(labelled.length);
  for (const [label, { requests }] of labelled.entries()) {
    for (const request of requests)
      for (const feature of requestFeatures(request)) {
        const row = counts.get(feature) ?? new Float64Array(labelled.length);
        counts.set(feature, row);
        row[label]! += 1;
        totals[label]! += 1;
      }
    await pause();
  }
  const smoothed = totals.map((total) => total + SMOOTHING * counts.size);
  const words = [...counts.keys()].filter((feature) => !feature.includes(" "));
  return (request) => {
    const known = [...requestFeatures(request)].flatMap((feature) => {
      const row = counts.get(feature) ?? counts.get(misspelt(feature, words) ?? "");
      return row === undefined ? [] : [{ row, weight: feature.includes(" ") ? PAIR_WEIGHT : 1 }];
    });
    const isFamiliar = known.length > 1; // every request has the feature of its number of tickers
    if (!isFamiliar) return [];
    const scores = labelled.map(({ label }, i) => ({
      label,
      score: known.reduce(
        (sum, { row, weight }) => sum + weight * Math.log((row[i]! + SMOOTHING) / smoothed[i]!),
        0,
      ),
    }));
    return scores.sort((a, b) => b.score - a.score).map(({ label }) => label);
  };
}

/** Length from which a word with one mistake is recognized. */
const MIN_MISSPELT_LENGTH = 5;

/** Returns the known word that differs from a word by one letter; undefined for a short word, and if there is none. */
function misspelt(word: string, known: readonly string[]): string | undefined {
  if (word.length < MIN_MISSPELT_LENGTH || word.includes(" ")) return undefined;
  return known.find((other) => other.length >= MIN_MISSPELT_LENGTH && editDistance(other, word, 1) === 1);
}
