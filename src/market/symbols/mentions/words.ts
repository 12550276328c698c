import { plainLetters } from "./plain-letters.ts";
import { WORDS } from "./vocabulary.ts";

const EVERYDAY = WORDS.everyday;

/** A word of a text without the marks around it. */
export interface Word {
  readonly text: string;
  readonly lower: string;
  /** Without a possessive's ending. */
  readonly base: string;
  /** What stands between the word before and this one. */
  readonly gap: string;
  readonly start: number;
  readonly end: number;
  /** Whether a sentence begins with it, where a capital says nothing. */
  readonly opens: boolean;
  readonly everyday: boolean;
  /** false for letters of another alphabet, and for a cashtag, which is a ticker. */
  readonly naming: boolean;
}

/** A text as its words; places in the words are places in `plain`. */
export interface Words {
  /** The text without hidden characters. */
  readonly plain: string;
  readonly words: readonly Word[];
}

const LONGEST = 80;
const NAMING = /^[\p{Script=Latin}\p{M}\p{N}&.'’/_-]+$/u;
const MARK = /[\p{L}\p{N}]/u;

/** Words as written, in linear time whatever the text is. */
export function wordsOf(text: string): Words {
  // a field of an address ends at its ampersand
  const plain = plainLetters(text)
    .replace(/\p{Cf}/gu, "")
    .replace(/&(?=\w{1,20}=)/g, " ");
  const words: Word[] = [];
  let end = 0;
  let opens = true;
  for (const { 0: raw, index } of plain.matchAll(/[\p{L}\p{M}\p{N}$&.'’/_-]+/gu)) {
    const between = plain.slice(end, index);
    opens ||= /[!?:\n]/.test(between);
    const [from, to] = raw === "&" ? [0, 1] : inner(raw);
    if (from === to) continue;
    const word = raw.slice(from, to);
    const base = word.replace(/['’]s$/iu, "");
    words.push({
      text: word,
      lower: word.toLowerCase().replaceAll("’", "'"),
      base,
      gap: plain.slice(words.at(-1)?.end ?? 0, index + from),
      start: index + from,
      end: index + to,
      opens,
      everyday: EVERYDAY.has(base.toLowerCase()),
      naming: word.length <= LONGEST && NAMING.test(word),
    });
    end = index + raw.length;
    opens = raw.endsWith(".");
  }
  return { plain, words };
}

/** Where a word's first and last mark of its own stand; a dollar sign before it is one. */
function inner(raw: string): readonly [from: number, to: number] {
  const marks = [...raw];
  let from = 0;
  let first = 0;
  while (first < marks.length && marks[first] !== "$" && !MARK.test(marks[first]!))
    from += marks[first++]!.length;
  let to = raw.length;
  let last = marks.length;
  while (last > first && !MARK.test(marks[last - 1]!)) to -= marks[--last]!.length;
  return [from, Math.max(from, to)];
}
