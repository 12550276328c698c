import { stemOf } from "../../../src/analytics/news/tokens.ts";

const WORD = /[A-Za-z]+(?:[-&'][A-Za-z]+)*/g;
/** Matches `Xyz`, also as part of a word; all capitals are an abbreviation. */
const LIKE_A_NAME = /(?:^|[-&'])[A-Z][a-z]/;

/**
 * Removes names from the headlines a model learns from. A word that is never written in lower case and at least once as
 * `Xyz` is a name (of a person, company, place or month); terms that contain one are dropped. The rule needs no list of
 * names.
 */
export function nameless(titles: Iterable<string>): (terms: readonly string[]) => readonly string[] {
  const small = new Set<string>();
  const named = new Set<string>();
  for (const title of titles)
    for (const [word] of plainCase(title).matchAll(WORD)) {
      const whole = word.replace(/'s$/i, "");
      if (/^[a-z]/.test(whole)) small.add(whole.toLowerCase());
      else if (LIKE_A_NAME.test(whole)) named.add(whole.toLowerCase());
    }
  const names = new Set([...named].filter((word) => !small.has(word)));
  const free = new Set([...small].map(stemOf));
  const stems = new Set([...names].map(stemOf).filter((stem) => !free.has(stem)));
  const isFree = (term: string) =>
    term.startsWith("=")
      ? !stems.has(term.slice(1))
      : !term
          .replace(/^~/, "")
          .split("_")
          .some((word) => names.has(word));
  return (terms) => terms.filter(isFree);
}

/** Normalises a title as the tokeniser does, except for capitals. */
const plainCase = (title: string): string =>
  title.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[‘’]/g, "'");
