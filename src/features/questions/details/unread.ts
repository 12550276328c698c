import type { QuestionIntent } from "../../../domain/questions/interpretation.ts";
import type { Mention } from "../../../market/symbols/mentions/span.ts";
import { wordsOf as read } from "../../../market/symbols/mentions/words.ts";
import { plainWords } from "../language/plain-words.ts";
import { shortList } from "../sentences.ts";
import { TOPICS, type TopicLabel } from "../unserved.ts";
import { isVocabulary } from "./vocabulary.ts";

/** Maximum number of words of a text that is checked for unknown words. */
const MAX_WORDS = 20;
const MIN_WORD_LENGTH = 3;
/** Subject of an answer, by intent. */
const ANSWERS: Partial<Readonly<Record<QuestionIntent, string>>> = {
  signal: "the signal of",
  compare: "the signals of",
  portfolio: "the signals of",
  scan: "the signals of",
  news: "the news on",
  earnings: "the earnings of",
  flow: "the trades in",
};

interface Read {
  readonly intent: QuestionIntent;
  /** Labels of topics whose phrases count as understood. */
  readonly labels: readonly TopicLabel[];
  readonly mentions: readonly Mention[];
  /** Other words that count as names. */
  readonly names: readonly string[];
}

/** Returns the content words of a question that were not understood, in lower case. */
export function unknownWords(query: string, { intent, labels, mentions, names }: Read): readonly string[] {
  if (read(query).words.length > MAX_WORDS) return [];
  const left = TOPICS.filter(({ label }) => labels.includes(label)).reduce(
    (left, { words }) => words.blank(query, left),
    query,
  );
  const named = new Set(
    [...mentions.flatMap(({ text, instrument: { symbol, name } }) => [text, symbol, name]), ...names].flatMap(
      wordsOf,
    ),
  );
  const words = wordsOf(left);
  const isNamed = (word: string) => [word, word.replace(/['’]?s$/, "")].some((form) => named.has(form));
  return words.filter(
    (word) =>
      word.length >= MIN_WORD_LENGTH &&
      !/\d/.test(word) &&
      !isNamed(word) &&
      !isVocabulary(word, intent === "scan"),
  );
}

/**
 * Returns a note that some words were not understood, with the subject of the answer; null if all words were
 * understood. Does not repeat words of the question.
 */
export function unknownWordsNote(query: string, read: Read): string | null {
  const answers = ANSWERS[read.intent];
  if (answers === undefined || unknownWords(query, read).length === 0) return null;
  const symbols = read.mentions.map(({ instrument }) => instrument.symbol);
  const what =
    symbols.length > 0
      ? `${answers} ${shortList(symbols)}`
      : read.intent === "scan"
        ? "a request for a list"
        : "a question about the whole market";
  return `Some words of the question were not understood; this answers ${what}`;
}

const wordsOf = (text: string): readonly string[] =>
  plainWords(read(text)).match(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
