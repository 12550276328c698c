import { escapeRegExp } from "../../lib/escape-regexp.ts";

/** Names of the subject and of other companies, as written in the headline. */
export interface Subjects {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

/** Placeholders for the subject and for any other company named in a headline. */
export const OWN = "@own";
export const OTHER = "@other";

const WORD = /@own|@other|[$₹€£]?\d[\d,.]*(?:%|\s?pc\b)?|[a-z]+(?:[-&'][a-z]+)*|[?!:;,]/g;
/** Number of words on each side that count as near the subject, up to another named company. */
const NEAR = 5;

/** Returns the text in lower case without diacritics, with straight quotes. */
export const plainLetters = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[‘’]/g, "'").toLowerCase();

/**
 * Returns the words and punctuation of a headline in order: numbers as `0`, percentages as `0%`, the subject as `@own`
 * and others as `@other`, so that the model learns statements rather than names.
 */
export function tokensOf(title: string, { own, others }: Subjects): readonly string[] {
  const masked = mask(mask(plainLetters(title), own, OWN), others, OTHER);
  return (masked.match(WORD) ?? []).map((word) =>
    /\d/.test(word) ? (/%|pc/.test(word) ? "0%" : "0") : word.replace(/'s$/, ""),
  );
}

function mask(text: string, names: readonly string[], by: string): string {
  let masked = text;
  for (const name of names.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))) {
    const plain = escapeRegExp(plainLetters(name.trim()));
    if (plain !== "")
      masked = masked.replace(new RegExp(`(?<![a-z0-9@])${plain}(?:'s)?(?![a-z0-9])`, "g"), ` ${by} `);
  }
  return masked;
}

const isWord = (token: string): boolean => !/^[?!:;,]$/.test(token);

/** Returns a word without its ending, so that `gains` and `gained` are equal; short words are unchanged. */
export function stemOf(word: string): string {
  const stem = /^[a-z]{5}/.test(word) ? word.replace(/(?:ies|ing|ed|es|s|e)$/, "") : word;
  return stem.length > 2 ? stem : word;
}

/**
 * Returns the distinct terms of a headline for the model: words, stems (`=gain`), pairs of neighbours (`net_up`, `<`
 * and `>` at the ends), and words near the subject (`~falls`).
 */
export function termsOf(tokens: readonly string[]): readonly string[] {
  const words = tokens.filter(isWord);
  const terms = new Set<string>();
  for (const word of words) {
    terms.add(word);
    if (stemOf(word) !== word) terms.add(`=${stemOf(word)}`);
  }
  const ended = ["<", ...words, ">"];
  for (let i = 0; i + 1 < ended.length; i++) terms.add(`${ended[i]}_${ended[i + 1]}`);
  for (const near of nearSubject(tokens)) terms.add(`~${near}`);
  return [...terms];
}

/** Returns the tokens around the first mention of the subject, up to another named company or the end of the clause. */
function nearSubject(tokens: readonly string[]): readonly string[] {
  const at = tokens.indexOf(OWN);
  if (at === -1) return [];
  const isEnd = (token: string | undefined) => token === undefined || token === OTHER || token === ";";
  let [from, to] = [at, at];
  while (at - from < NEAR && !isEnd(tokens[from - 1])) from--;
  while (to - at < NEAR && !isEnd(tokens[to + 1])) to++;
  return [...tokens.slice(from, at), ...tokens.slice(at + 1, to + 1)];
}
