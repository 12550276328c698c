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
  const counts = new Map<string, LabelCounts>();
  const totals = new Float64Array(labelled.length);
  for (const [label, { requests }] of labelled.entries()) {
    for (const request of requests)
      for (const feature of requestFeatures(request)) {
        const row = counts.get(feature) ?? [];
        // labels are counted in turn, so a label that was counted before is the last one
        if (row.at(-2) === label) row[row.length - 1]! += 1;
        else row.push(label, 1);
        counts.set(feature, row);
        totals[label]! += 1;
      }
    await pause();
  }
  const smoothed = totals.map((total) => total + SMOOTHING * counts.size);
  const words = [...counts.keys()].filter((feature) => !feature.includes(" "));
  return (request) => {
    const known = [...requestFeatures(request)].flatMap((feature) => {
      const row = counts.get(feature) ?? counts.get(misspelt(feature, words) ?? "");
      const weight = feature.includes(" ") ? PAIR_WEIGHT : 1;
      return row === undefined ? [] : [{ row: countsByLabel(row, labelled.length), weight }];
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

/**
 * Requests of each label that have a feature: label and count in turn, without the labels that have none. Most features
 * occur in few labels, so a column of all labels would take ten times the memory.
 */
type LabelCounts = number[];

function countsByLabel(counts: LabelCounts, labels: number): Float64Array {
  const row = new Float64Array(labels);
  for (let at = 0; at < counts.length; at += 2) row[counts[at]!] = counts[at + 1]!;
  return row;
}

/** Length from which a word with one mistake is recognized. */
const MIN_MISSPELT_LENGTH = 5;

/** Returns the known word that differs from a word by one letter; undefined for a short word, and if there is none. */
function misspelt(word: string, known: readonly string[]): string | undefined {
  if (word.length < MIN_MISSPELT_LENGTH || word.includes(" ")) return undefined;
  return known.find((other) => other.length >= MIN_MISSPELT_LENGTH && editDistance(other, word, 1) === 1);
}
