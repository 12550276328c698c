import { editDistance } from "../../lib/edit-distance.ts";
import { EVERYDAY_NAMES, TERM_NAMES, type Term, termWords } from "./language/glossary.ts";

/** Terms of the glossary that a question asks for. */
export interface Definitions {
  /** In the order of the question, at most 3; only the most similar term if none is named exactly. */
  readonly terms: readonly Term[];
  /** true: the text contains names of the terms; false: only the most similar term was found. */
  readonly exact: boolean;
}

const MAX_TERMS = 3;
const MAX_TERM_WORDS = 5;
/**
 * Returns the terms that a text names; of overlapping names the longest counts. If there is none, returns the term
 * with the most similar name.
 */
export function definitionsIn(text: string): Definitions {
  const words = termWords(text);
  const found = new Map<Term, string>();
  for (let at = 0; at < words.length; ) {
    const { term, length, name } = longest(words, at) ?? { term: null, length: 1, name: "" };
    if (term !== null && !found.has(term)) found.set(term, name);
    at += length;
  }
  const all = [...found.keys()];
  const special = all.filter((term) => !EVERYDAY_NAMES.has(found.get(term)!));
  const meant = special.length > 0 ? special : all;
  if (meant.length > 0) return { terms: meant.slice(0, MAX_TERMS), exact: true };
  const near = nearestTo(words);
  return { terms: near === null ? [] : [near], exact: false };
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

const MIN_NAME_LENGTH = 5;

/** Maximum number of words searched for a misspelt name. */
const MAX_MISSPELT_WORDS = 40;

/** Returns the term whose name is most similar to one or two consecutive words; null if none is similar enough. */
function nearestTo(words: readonly string[]): Term | null {
  const read = words.slice(0, MAX_MISSPELT_WORDS);
  const said = new Set(read.flatMap((word, at) => [word, `${word} ${read[at + 1] ?? ""}`.trim()]));
  const near = [...said]
    .filter((text) => text.length >= MIN_NAME_LENGTH)
    .flatMap((text) =>
      LONGER_NAMES.flatMap(([name, term]) => {
        const most = name.length >= 8 ? 2 : 1;
        // the first letter must match: it is rarely misspelt
        const slips = name[0] === text[0] ? editDistance(text, name, most) : most + 1;
        return slips <= most ? [{ term, slips }] : [];
      }),
    );
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.term ?? null;
}

const LONGER_NAMES = [...TERM_NAMES].filter(([name]) => name.length >= MIN_NAME_LENGTH);
