import glossary from "../data/glossary.json" with { type: "json" };

export interface Term {
  readonly term: string;
  /** Other names, in lower case. */
  readonly also: readonly string[];
  readonly meaning: string;
}

export const GLOSSARY: readonly Term[] = Object.entries(glossary.terms).map(([names, meaning]) => {
  const [term = "", ...also] = names.split("; ");
  return { term, also, meaning };
});

/** Splits a name into words in lower case: `put/call ratio`, `a+`. */
export const termWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:[/:'’-][\p{L}\p{N}]+)*\+?/gu) ?? [];

/** Terms by each of their names, in lower case with single spaces. */
export const TERM_NAMES: ReadonlyMap<string, Term> = new Map(
  GLOSSARY.flatMap((term) =>
    [term.term, ...term.also].map((name) => [termWords(name).join(" "), term] as const),
  ),
);

/** Returns true for the name of a term in lower case, or its plural. */
export const isTerm = (name: string): boolean =>
  TERM_NAMES.has(name) || TERM_NAMES.has(name.replace(/s$/, ""));

/** Names of terms that are also everyday words: any other term in a question takes precedence. */
export const EVERYDAY_NAMES: ReadonlySet<string> = new Set(glossary.usualNames.split(" "));
