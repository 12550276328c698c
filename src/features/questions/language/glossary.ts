import glossary from "../data/glossary.json" with { type: "json" };

/** One term of the field as this product uses it. */
export interface Term {
  readonly term: string;
  /** Other names of it, in lower case. */
  readonly also: readonly string[];
  readonly meaning: string;
}

/** The terms of the field. */
export const GLOSSARY: readonly Term[] = glossary.terms;

/** Splits a name into words in lower case: `put/call ratio`, `a+`. */
export const termWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:[/:'’-][\p{L}\p{N}]+)*\+?/gu) ?? [];

/** The term that each name stands for, its words joined by spaces. */
export const TERM_NAMES: ReadonlyMap<string, Term> = new Map(
  GLOSSARY.flatMap((term) =>
    [term.term, ...term.also].map((name) => [termWords(name).join(" "), term] as const),
  ),
);

/** Names so usual in questions that any other term in the question is preferred. */
export const USUAL_NAMES: ReadonlySet<string> = new Set(glossary.usualNames.split(" "));
