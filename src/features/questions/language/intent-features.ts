import type { Span } from "../../../market/symbols/mentions/span.ts";
import type { Words } from "../../../market/symbols/mentions/words.ts";
import intents from "../data/intents.json" with { type: "json" };
import { pattern, phrasesOf } from "../phrases.ts";
import { isTerm } from "./glossary.ts";
import { POLITICIAN_WORDS, plainWord, withoutExcludedTopics } from "./plain-words.ts";

/** The instruments of a question, read before its intent. */
export interface NamedSpans {
  readonly spans: readonly Span[];
  /** Number of instruments named, known or not. */
  readonly named: number;
}

/** Placeholder for the words that name one or several consecutive instruments. */
const NAME = "NAME";
const NUMBER = /^\$?\d[\d.,]*(k|m|%|st|th|nd|rd)?$/;
/** Placeholder for a number; `#` in a phrase matches it. */
const NUMERAL = "0";
/** Placeholder for the name of a member of Congress. */
const POLITICIAN = "POLITICIAN";
const MAX_TERM_WORDS = 3;
/** Number of first letters by which longer words count as related: `report`, `reports`, `reporting`. */
const STEM_LENGTH = 5;

/** Groups of phrases that hint at an intent, and classes of related words. Words are separated by single spaces. */
const GROUPS = Object.entries({ ...intents.phrases, ...intents.classes }).map(
  ([group, phrases]) => [group, pattern(phrasesOf(phrases), "gu", "\\S")] as const,
);

/** The class of each word that has one; the first class wins. */
const CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries(intents.classes)
    .reverse()
    .flatMap(([name, phrases]) => phrasesOf(phrases).map((phrase) => [phrase, `<${name}>`])),
);

/** Returns the words of a question in lower case, with instruments, politicians and numbers replaced by placeholders. */
export function intentWords({ words }: Words, { spans }: NamedSpans): readonly string[] {
  const plain: string[] = [];
  const cache = new Map<string, string>();
  for (let at = 0; at < words.length; ) {
    const span = spans.find((one) => one.at === at);
    if (span === undefined) plain.push(...plainWord(words[at]!, cache).split(" "));
    else if (plain.at(-1) !== NAME) plain.push(NAME);
    at += span?.length ?? 1;
  }
  return withoutExcludedTopics(plain.join(" "))
    .replace(POLITICIAN_WORDS, POLITICIAN)
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => (NUMBER.test(word) ? NUMERAL : word));
}

/**
 * Returns the features of a question for the intent model: words, pairs of words and of their classes, groups of phrases
 * and structure.
 */
export function intentFeatures(
  text: Words,
  instruments: NamedSpans,
  words = intentWords(text, instruments),
): readonly string[] {
  const count = Math.min(instruments.named, 2);
  const features = new Set(["length<2", "length<4"].filter((_, i) => words.length <= [1, 3][i]!));
  features.add(`names=${Math.min(instruments.named, 3)}`);
  for (const [i, word] of [...words, "$"].entries()) {
    if (word !== "$") features.add(word);
    if (word.length > STEM_LENGTH) features.add(`${word.slice(0, STEM_LENGTH)}~`);
    const before = words[i - 1] ?? "^";
    features.add(`${before} ${word}`);
    features.add(`${CLASSES.get(before) ?? before} ${CLASSES.get(word) ?? word}`);
  }
  for (const end of termEnds(words)) {
    features.add("term").add(`term/${count}`);
    if (end === words.length) features.add("term$");
  }
  const joined = words.join(" ");
  const found = GROUPS.map(([group, phrases]) => ({
    group: `${group}()`,
    matches: joined.match(phrases)?.length ?? 0,
  })).filter(({ matches }) => matches > 0);
  for (const [i, { group, matches }] of found.entries()) {
    features.add(group).add(`${group}/${count}`);
    if (matches > 1) features.add(`${group}x2`);
    for (const other of found.slice(i + 1)) features.add(`${group}+${other.group}`);
  }
  if (isOwn(text, instruments)) features.add("own");
  return [...features];
}

/** Returns the position after each glossary term. */
function termEnds(words: readonly string[]): readonly number[] {
  return words.flatMap((_, at) =>
    Array.from({ length: MAX_TERM_WORDS }, (_, i) => at + i + 1).filter((end) => {
      const name = words.slice(at, end).join(" ");
      return end <= words.length && isTerm(name);
    }),
  );
}

/** Returns true if the user calls an instrument their own: `my tesla`. */
const isOwn = ({ words }: Words, { spans }: NamedSpans): boolean =>
  spans.some(({ at }) => /^(my|our)$/.test(words[at - 1]?.lower ?? ""));
