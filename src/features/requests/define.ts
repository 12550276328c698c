import { EVERYDAY_NAMES, TERM_NAMES, type Term, termWords } from "./language/glossary.ts";
import { similarTo } from "./language/plain-words.ts";

/** Terms of the glossary that a question asks for. */
export interface Definitions {
  /** In the order of the question, at most 3; only the most similar term if none is named exactly. */
  readonly terms: readonly Term[];
  /** true: the text contains names of the terms; false: only the most similar term was found. */
  readonly exact: boolean;
}

const MAX_TERMS = 3;
const MAX_TERM_WORDS = 5;
/** Maximum number of words searched for a misspelt name. */
const MAX_MISSPELT_WORDS = 40;
const WORDS_OF_TERMS = [...new Set([...TERM_NAMES.keys()].flatMap((name) => name.split(" ")))];

/**
 * Returns the terms that a text names; of overlapping names the longest counts. If there is none, returns the first
 * term whose name is misspelt.
 */
export function definitionsIn(text: string): Definitions {
  const words = termWords(text);
  const terms = termsIn(words);
  if (terms.length > 0) return { terms, exact: true };
  const corrected = words
    .slice(0, MAX_MISSPELT_WORDS)
    .map((word) => similarTo(word, WORDS_OF_TERMS)[0] ?? word);
  return { terms: termsIn(corrected).slice(0, 1), exact: false };
}

function termsIn(words: readonly string[]): readonly Term[] {
  const found = new Map<Term, string>();
  for (let at = 0; at < words.length; ) {
    const { term, length, name } = longest(words, at) ?? { term: null, length: 1, name: "" };
    if (term !== null && !found.has(term)) found.set(term, name);
    at += length;
  }
  const all = [...found.keys()];
  const special = all.filter((term) => !EVERYDAY_NAMES.has(found.get(term)!));
  return (special.length > 0 ? special : all).slice(0, MAX_TERMS);
}

function longest(words: readonly string[], at: number) {
  for (let length = Math.min(MAX_TERM_WORDS, words.length - at); length > 0; length--) {
    const said = words.slice(at, at + length).join(" ");
    const forms = [said, said.replace(/['’]s$/, ""), said.replace(/s$/, ""), said.replace(/-/g, " ")];
    const name = forms.find((form) => TERM_NAMES.has(form));
    if (name !== undefined) return { term: TERM_NAMES.get(name)!, length, name };
  }
  return null;
}
