import type { QuestionIntent } from "../../../domain/requests/interpretation.ts";
import type { Mention } from "../../../market/symbols/mentions/span.ts";
import { WORDS } from "../../../market/symbols/mentions/vocabulary.ts";
import { wordsOf as read } from "../../../market/symbols/mentions/words.ts";
import subjects from "../data/subjects.json" with { type: "json" };
import vocabulary from "../data/vocabulary.json" with { type: "json" };
import { TERM_NAMES } from "../language/glossary.ts";
import { plainWords } from "../language/plain-words.ts";
import { wordsOf as wordSet } from "../phrases.ts";
import { shortList } from "../sentences.ts";

const { functionWords, joiners, tickerLeads, marketWords, stockNouns, talk, tradedNouns } = WORDS;
const MARKET_WORDS = [functionWords, joiners, tickerLeads, marketWords, stockNouns, talk, tradedNouns];
const TERM_WORDS = [...TERM_NAMES.keys()].flatMap((name) => name.split(/[^a-z]+/));
const KNOWN = new Set([
  ...wordSet(vocabulary.question),
  ...TERM_WORDS,
  ...MARKET_WORDS.flatMap((set) => [...set]),
]);
const OF_LISTS = wordSet(vocabulary.list);

/** Maximum number of words of a text that is checked for unknown words. */
const MAX_WORDS = 20;
const MIN_WORD_LENGTH = 3;
/** Subject of an answer, by intent. */
const ANSWERS: Partial<Readonly<Record<QuestionIntent, string>>> = subjects.answered;

interface Read {
  readonly intent: QuestionIntent;
  readonly mentions: readonly Mention[];
  /** Returns true for a word of what the tools answer. */
  readonly knows: (word: string) => boolean;
  /** Other words that count as names. */
  readonly names: readonly string[];
}

/** Returns the content words of a question that were not understood, in lower case. */
export function unknownWords(query: string, { intent, mentions, names, knows }: Read): readonly string[] {
  if (read(query).words.length > MAX_WORDS) return [];
  const mentioned = mentions.flatMap(({ text, instrument: { symbol, name } }) => [text, symbol, name]);
  const named = new Set([...mentioned, ...names].flatMap(wordsOf));
  const isNamed = (word: string) => named.has(word) || named.has(word.replace(/['’]?s$/, ""));
  return wordsOf(query).filter(
    (word) =>
      word.length >= MIN_WORD_LENGTH &&
      !/\d/.test(word) &&
      !isNamed(word) &&
      !knows(word) &&
      !isKnown(word, intent === "scan"),
  );
}

/**
 * Returns a note that some words were not understood, with the subject of the answer; null if all words were
 * understood. Does not repeat words of the question.
 */
export function unknownWordsNote(query: string, read: Read): string | null {
  // a question that was not understood is still answered with the signals of the names in it
  const intent = read.intent === "unknown" && read.mentions.length > 0 ? "signal" : read.intent;
  const answers = ANSWERS[intent];
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

/** Returns true for a lower-case word of the vocabulary of questions. */
export const isQuestionWord = (word: string): boolean => isKnown(word, true);

/** Returns true if a lower-case word, or its base form, belongs to the vocabulary of questions. */
const isKnown = (word: string, ofList: boolean): boolean =>
  formsOf(word.replace(/['’]s?$/, "")).some((form) => KNOWN.has(form) || (ofList && OF_LISTS.has(form)));

/** Returns a word and its possible base forms: `falling` of `fall`, `dropped` of `drop`, `biggest` of `big`. */
function formsOf(word: string): readonly string[] {
  const shortest = /^(.{2,}?)(?:s|es|ed|d|ing|in|ly|er|r|est|st)$/.exec(word);
  const longest = /^(.{2,})(?:ed|ing|in|er|est)$/.exec(word);
  const stems = [shortest?.[1], longest?.[1]].filter((stem) => stem !== undefined);
  return [
    word,
    ...stems.flatMap((stem) => [stem, `${stem}e`, stem.replace(/(.)\1$/, "$1")]),
    word.replace(/ies$/, "y"),
  ];
}
