import { QuestionIntent } from "../../../domain/questions/interpretation.ts";
import type { Words } from "../../../market/symbols/mentions/words.ts";
import model from "../data/intent-model.json" with { type: "json" };
import intents from "../data/intents.json" with { type: "json" };
import { phrasesOf, wordsOf } from "../phrases.ts";
import { isTerm } from "./glossary.ts";
import { intentFeatures, intentWords, type NamedSpans } from "./intent-features.ts";
import { POLITICIAN_WORDS, plainWords } from "./plain-words.ts";

const GREETING_WORDS = wordsOf(intents.greetingWords);

/**
 * Weights of the linear model: for each feature one weight per intent, in tenths. Trained by `npm run bench --
 * train-intent`.
 */
const WEIGHTS = weightsByFeature();
/** Feature that every question has. */
const BIAS = "";

/** Returns the intent of a question: by a few rules, else the intent with the highest score of the linear model. */
export function intentOf(text: Words, instruments: NamedSpans): QuestionIntent {
  const words = intentWords(text, instruments);
  if (words.length === 0) return "unknown";
  if (asksWhatItIs(text, instruments)) return "definition";
  if (instruments.named === 0 && asksTerm(plainWords(text).trim())) return "definition";
  if (plainWords(text).search(POLITICIAN_WORDS) >= 0) return "flow";
  if (words.every((word) => GREETING_WORDS.has(word))) return "greeting";
  const features = intentFeatures(text, instruments, words);
  const scale = 1 / Math.sqrt(features.length + 1);
  const scores = [...WEIGHTS.get(BIAS)!];
  for (const feature of features)
    for (const [i, weight] of (WEIGHTS.get(feature) ?? []).entries()) scores[i]! += weight * scale;
  return QuestionIntent.options[scores.indexOf(Math.max(...scores))]!;
}

/** Matches a question for only a term: `what is ICS`, `explain reward to risk to me`. */
const DEFINES =
  /^(?:what is|what are|explain|describe|define)(?: me| to me)?(?: an?| the)? (.+?)(?: (?:to me|please|exactly|mean|in trading))?$/;

/** Returns true if the question asks only for the meaning of a glossary term. */
const asksTerm = (words: string): boolean => isTerm(DEFINES.exec(words)?.[1]?.replaceAll("’", "'") ?? "");

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

function weightsByFeature(): ReadonlyMap<string, readonly number[]> {
  const weights = new Map<string, number[]>();
  for (const [i, intent] of QuestionIntent.options.entries())
    for (const entry of phrasesOf(model[intent])) {
      const at = entry.lastIndexOf("=");
      const row = weights.get(entry.slice(0, at)) ?? QuestionIntent.options.map(() => 0);
      row[i] = Number(entry.slice(at + 1));
      weights.set(entry.slice(0, at), row);
    }
  return weights;
}
