import { editDistance } from "../../../lib/edit-distance.ts";
import type { Word, Words } from "../../../market/symbols/mentions/words.ts";
import politicians from "../data/politicians.json" with { type: "json" };
import spellings from "../data/spellings.json" with { type: "json" };
import { pattern, phrasesOf, wordsOf } from "../phrases.ts";

const CORRECT = wordsOf(spellings.correct);
const CANDIDATES = [...CORRECT];
const NEVER_CORRECTED = wordsOf(spellings.neverCorrected);
const ABBREVIATIONS: Readonly<Record<string, string>> = spellings.abbreviations;
/** Returns true for an abbreviation of chats, such as `tmrw`, in lower case. */
export const isAbbreviation = (word: string): boolean => word in ABBREVIATIONS || NEVER_CORRECTED.has(word);

const MIN_LENGTH = 5;
const MAX_LENGTH = 14;

/** Returns the words of a text in lower case with corrected spelling, surrounded by single spaces. */
export function plainWords({ words }: Words): string {
  const cache = new Map<string, string>();
  return ` ${words.map((word) => plainWord(word, cache)).join(" ")} `;
}

/** Returns one word in lower case, corrected if misspelt; parts joined by underscores become words. */
export function plainWord({ lower, everyday }: Word, cache: Map<string, string> = new Map()): string {
  return lower
    .split("_")
    .map((part) => {
      const plain = cache.get(part) ?? ABBREVIATIONS[part] ?? (everyday ? part : corrected(part));
      cache.set(part, plain);
      return plain;
    })
    .join(" ");
}

const corrected = (word: string): string => {
  const near = CORRECT.has(word) || NEVER_CORRECTED.has(word) ? [] : similarTo(word, CANDIDATES);
  return near.length === 1 ? near[0]! : word;
};

/** Returns the candidates that a word in lower case may misspell; they begin with the same letter. */
export function similarTo(word: string, candidates: readonly string[]): readonly string[] {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !/^[a-z]+$/.test(word)) return [];
  const maxEdits = word.length > 8 ? 2 : 1;
  return candidates.filter(
    (candidate) =>
      candidate[0] === word[0] &&
      candidate !== `${word}s` &&
      `${candidate}s` !== word &&
      editDistance(word, candidate, maxEdits) <= maxEdits,
  );
}

const EXCLUDED_TOPIC =
  /(?<![\p{L}])(?:(?:but|and) )?(?:not|no|without|except(?: for)?|excluding|minus|ignore|ignoring|skip) (?:the |any |its |their )?(?:news|headlines|earnings|flow|dark pools?)(?![\p{L}])/giu;

/** Removes excluded topics from a text: `Apple but not the news`. */
export const withoutExcludedTopics = (text: string): string => text.replace(EXCLUDED_TOPIC, " ");

const MEMBERS = phrasesOf(politicians);

/** Lower-case names of members of Congress, as the source of a regular expression. */
export const POLITICIANS: string = MEMBERS.join("|").replaceAll("-", "[- ]");

/** Matches names of members of Congress among lower-case words. */
export const POLITICIAN_WORDS = pattern(
  MEMBERS.map((name) => `${name}('s?)?`),
  "gu",
  "\\S",
);
