import type { QuestionIntent } from "../../../domain/requests/interpretation.ts";
import { type Words, wordsOf as wordsIn } from "../../../market/symbols/mentions/words.ts";
import words from "../data/words.json" with { type: "json" };
import { wordsOf } from "../phrases.ts";
import { isTerm } from "./glossary.ts";
import { POLITICIAN_WORDS, plainWords } from "./plain-words.ts";
import { type NamedSpans, questionWords } from "./question-words.ts";

const GREETING_WORDS = wordsOf(words.greetingWords);

/** Returns the likeliest intent of a question's words; null if all of them are unknown. */
export type IntentClassifier = (words: string) => QuestionIntent | null;

/** Returns the intent of a question: by a few rules, else the likeliest. */
export function intentOf(text: Words, instruments: NamedSpans, classify: IntentClassifier): QuestionIntent {
  const words = questionWords(text, instruments);
  if (words === "") return "unknown";
  if (asksWhatItIs(text, instruments)) return "definition";
  if (instruments.named === 0 && asksTerm(plainWords(text).trim())) return "definition";
  if (plainWords(text).search(POLITICIAN_WORDS) >= 0) return "flow";
  if (words.split(" ").every((word) => GREETING_WORDS.has(word))) return "greeting";
  return classify(words) ?? "unknown";
}

/** Matches a question for only a term: `what is ICS`, `explain reward to risk to me`. */
const DEFINES =
  /^(?:what is|what are|explain|describe|define)(?: me| to me)?(?: an?| the)? (.+?)(?: (?:to me|please|exactly|mean|in trading))?$/;

/** Returns true if the question asks only for the meaning of a glossary term. */
const asksTerm = (words: string): boolean => isTerm(DEFINES.exec(words)?.[1]?.replaceAll("’", "'") ?? "");

/** Returns true if a text asks only for the meaning of a glossary term. */
export const asksTermOnly = (text: string): boolean => asksTerm(plainWords(wordsIn(text)).trim());

/** Returns true if the question asks only what an instrument is: `what is bitcoin`, but not `what is AAPL`. */
function asksWhatItIs(text: Words, { spans }: NamedSpans): boolean {
  const [only, another] = spans;
  return (
    only !== undefined &&
    another === undefined &&
    only.instrument !== null &&
    /^what is (?:a |an |the )?\S+(?: \S+)?$/.test(plainWords(text).trim()) &&
    only.at <= 2 &&
    only.at + only.length === text.words.length &&
    /[a-z].{4}/.test(only.text)
  );
}
