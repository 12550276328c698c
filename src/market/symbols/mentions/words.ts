import { plainLetters } from "./plain-letters.ts";
import { WORDS } from "./vocabulary.ts";

/** A word of a text without surrounding punctuation. */
export interface Word {
  readonly text: string;
  readonly lower: string;
  /** The word without a possessive ending. */
  readonly base: string;
  /** The text between the previous word and this one. */
  readonly gap: string;
  readonly start: number;
  readonly end: number;
  /** true for the first word of a sentence, which is capitalised anyway. */
  readonly opens: boolean;
  readonly everyday: boolean;
  /** true if the word can be part of a name: Latin letters only, and not a cashtag. */
  readonly naming: boolean;
}

/** The words of a text; their positions refer to `plain`. */
export interface Words {
  /** The text without hidden characters. */
  readonly plain: string;
  readonly words: readonly Word[];
}

const MAX_NAME_LENGTH = 80;
const NAMING = /^[\p{Script=Latin}\p{M}\p{N}&.'’/_-]+$/u;
const MARK = /[\p{L}\p{N}]/u;

/** Splits a text into words, in linear time. */
export function wordsOf(text: string): Words {
  // a URL parameter ends at its ampersand
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
      everyday: WORDS.everyday.has(base.toLowerCase()),
      naming: word.length <= MAX_NAME_LENGTH && NAMING.test(word),
    });
    end = index + raw.length;
    opens = raw.endsWith(".");
  }
  return { plain, words };
}

/** Returns the range of a word without surrounding punctuation; a leading dollar sign is part of the word. */
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
