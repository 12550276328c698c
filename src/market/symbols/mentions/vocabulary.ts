import vocabulary from "./vocabulary.json" with { type: "json" };

const wordsIn = (lines: readonly string[]): ReadonlySet<string> =>
  // an underscore represents the empty word
  new Set(lines.flatMap((line) => line.split(" ")).map((word) => (word === "_" ? "" : word)));

/** Word lists of `vocabulary.json`, by name. */
export const WORDS = Object.fromEntries(
  Object.entries(vocabulary.words).map(([name, lines]) => [name, wordsIn(lines)]),
) as Readonly<Record<keyof typeof vocabulary.words, ReadonlySet<string>>>;

/** Words after a company name that make it a common noun: `apple pie`, `ripple effect`. */
export const COMMON_NOUN_CONTEXTS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(vocabulary.commonNounContexts).map(([name, words]) => [name, wordsIn([words])]),
);
