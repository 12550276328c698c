import { editDistance } from "../../lib/edit-distance.ts";
import { glossary, type Term } from "./glossary.ts";
import { LONGEST_READ } from "../language/longest-read.ts";

/** What a question about words found in the glossary. */
export interface Definitions {
  /** In the order asked, 3 at most; where none is named, the one whose name is nearest, or nothing. */
  readonly terms: readonly Term[];
  /** Whether they are named as the glossary has them. */
  readonly exact: boolean;
}

const MOST = 3;
const LONGEST_TERM = 5;
/** Too usual to be what is asked about while anything else is. */
const USUAL: ReadonlySet<string> = new Set(
  "signal score bar stock share shares stocks trend call calls put puts long short wait bull bear bid ask stop limit target rank vol entry hot block blocks premium tide edge gap split miss beat symbol fund coin token equity industry breadth stage factor factors option options strike sector surprise outlook support".split(
    " ",
  ),
);

/** The terms a text names by their name or another, longest first read, a slip of a letter forgiven in longer ones. */
export function definitionsIn(text: string): Definitions {
  const words = wordsOf(text.slice(0, LONGEST_READ));
  const names = namesOf(glossary());
  const found: { readonly term: Term; readonly name: string }[] = [];
  for (let at = 0; at < words.length; ) {
    const [term, length, name] = longest(words, at, names) ?? [null, 1, ""];
    if (term !== null && !found.some((one) => one.term.term === term.term)) found.push({ term, name });
    at += length;
  }
  const special = found.filter(({ name }) => !USUAL.has(name));
  const meant = special.length > 0 ? special : found;
  if (meant.length > 0) return { terms: meant.slice(0, MOST).map(({ term }) => term), exact: true };
  const near = nearestTo(words, names);
  return { terms: near === null ? [] : [near], exact: false };
}

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:[/:'’-][\p{L}\p{N}]+)*\+?/gu) ?? [];

const spelled = (name: string): string => wordsOf(name).join(" ");

function namesOf(terms: readonly Term[]): ReadonlyMap<string, Term> {
  const names = new Map<string, Term>();
  for (const term of terms)
    for (const name of [term.term, ...term.also].map(spelled)) if (!names.has(name)) names.set(name, term);
  return names;
}

function longest(
  words: readonly string[],
  at: number,
  names: ReadonlyMap<string, Term>,
): readonly [Term, number, string] | null {
  for (let length = Math.min(LONGEST_TERM, words.length - at); length > 0; length--) {
    const said = words.slice(at, at + length).join(" ");
    for (const name of new Set([
      said,
      said.replace(/['’]s$/, ""),
      said.replace(/s$/, ""),
      said.replace(/-/g, " "),
    ])) {
      const term = names.get(name);
      if (term !== undefined) return [term, length, name];
    }
  }
  return null;
}

const LEAST_LETTERS = 5;

/** Slips forgiven in a name: one letter, two in a long one. */
const slipsIn = (name: string): number => (name.length >= 8 ? 2 : 1);

/** The term whose name is the fewest slips away from a longer word or two. */
function nearestTo(words: readonly string[], names: ReadonlyMap<string, Term>): Term | null {
  const said = words.flatMap((word, at) => [word, `${word} ${words[at + 1] ?? ""}`.trim()]);
  let best: { readonly term: Term; readonly slips: number } | null = null;
  for (const text of said.filter((one) => one.length >= LEAST_LETTERS))
    for (const [name, term] of names) {
      const most = slipsIn(name);
      const slips = name.length < LEAST_LETTERS ? most + 1 : editDistance(text, name, most);
      if (slips <= most && (best === null || slips < best.slips)) best = { term, slips };
    }
  return best?.term ?? null;
}
