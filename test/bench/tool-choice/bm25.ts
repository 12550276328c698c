import { stemmer } from "stemmer";

/** Term saturation (k1) and length normalisation (b) of BM25: the usual values, not tuned. */
const K1 = 1.2;
const B = 0.75;

export interface Found {
  readonly name: string;
  readonly score: number;
}

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those and or but nor if than then so as of to in on at by for from with into over under up down out off about
  is are was were be been am do does did has have had will would can could should may might not no
  i me my we us our you your it its they them their he his she her
  what which who whom whose when where why how there here all any some each every more most other such only own same too very just please`.split(
    /\s+/,
  ),
);

/**
 * The stems of words in lower case, without stop words and possessives. An identifier such as get_quote is one word.
 * @see Porter (1980), "An algorithm for suffix stripping"
 */
export const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]+(?:['’]\p{L}+)?/gu) ?? [])
    .map((word) => word.replace(/['’]\p{L}+$/u, ""))
    .filter((word) => !FUNCTION_WORDS.has(word))
    .map(stemmer);

/**
 * Ranks texts by the words they share with a query, best first; ties retain the given order. @see Robertson and
 * Zaragoza (2009), "The probabilistic relevance framework: BM25 and beyond"
 */
export function bm25(
  texts: readonly { readonly name: string; readonly text: string }[],
): (query: string) => readonly Found[] {
  const pages = texts.map(({ name, text }) => {
    const words = wordsOf(text);
    return { name, length: words.length, counts: countsOf(words) };
  });
  const mean = pages.reduce((sum, { length }) => sum + length, 0) / pages.length;
  const rarity = (word: string): number => {
    const having = pages.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (pages.length - having + 0.5) / (having + 0.5));
  };
  return (query) => {
    const weighted = [...countsOf(wordsOf(query))].map(([word, times]) => ({
      word,
      weight: times * rarity(word),
    }));
    return pages
      .map(({ name, length, counts }) => ({
        name,
        score: weighted.reduce((sum, { word, weight }) => {
          const count = counts.get(word) ?? 0;
          return sum + (weight * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / mean));
        }, 0),
      }))
      .sort((a, b) => b.score - a.score);
  };
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
