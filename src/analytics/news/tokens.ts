/** Names of the subject of a headline and of the others in it, as written in headlines. */
export interface Subjects {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

/** Placeholders for the subject and for anybody else named in a headline. */
export const OWN = "@own";
export const OTHER = "@other";

const WORD = /@own|@other|[$₹€£]?\d[\d,.]*(?:%|\s?pc\b)?|[a-z]+(?:[-&'][a-z]+)*|[?!:;,]/g;
/** Words on each side that are read as about the subject, up to another named company. */
const NEAR = 5;

/** Letters without marks, in lower case; quotes as they are typed. */
export const plainLetters = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[‘’]/g, "'").toLowerCase();

/**
 * The words and marks of a headline in order: figures as `0`, shares as `0%`, the subject as `@own` and others as
 * `@other`, so that the model learns statements and not names.
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
    const plain = plainLetters(name.trim()).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    if (plain !== "")
      masked = masked.replace(new RegExp(`(?<![a-z0-9@])${plain}(?:'s)?(?![a-z0-9])`, "g"), ` ${by} `);
  }
  return masked;
}

const isWord = (token: string): boolean => !/^[?!:;,]$/.test(token);

/** A word without its ending, so that `gains` and `gained` are one; short words stay as they are. */
export function stemOf(word: string): string {
  const stem = /^[a-z]{5}/.test(word) ? word.replace(/(?:ies|ing|ed|es|s|e)$/, "") : word;
  return stem.length > 2 ? stem : word;
}

/**
 * What a headline is judged by, each term once: words, stems (`=gain`), pairs of neighbours (`net_up`, `<` and `>` at the
 * ends), and words near the subject (`~falls`).
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

/** Tokens around the first mention of the subject, up to the next one named or the end of the clause. */
function nearSubject(tokens: readonly string[]): readonly string[] {
  const at = tokens.indexOf(OWN);
  if (at === -1) return [];
  const isEnd = (token: string | undefined) => token === undefined || token === OTHER || token === ";";
  let [from, to] = [at, at];
  while (at - from < NEAR && !isEnd(tokens[from - 1])) from--;
  while (to - at < NEAR && !isEnd(tokens[to + 1])) to++;
  return [...tokens.slice(from, at), ...tokens.slice(at + 1, to + 1)];
}
