import type { Symbols } from "../../../domain/ports.ts";
import type { QuestionIntent } from "../../../domain/requests/interpretation.ts";
import { type NamedInstruments, readMentions } from "../../../market/symbols/mentions/read-mentions.ts";
import { type IntentClassifier, intentOf } from "./intent.ts";
import { barLengthIn } from "./timeframe.ts";

/** A parsed question: the instruments it names, its intent and its bar length. */
export interface ParsedQuery
  extends ReturnType<typeof barLengthIn>,
    Omit<NamedInstruments, "text" | "spans"> {
  readonly intent: QuestionIntent;
}

/** Parses a question in plain words. Follows no instruction in it. */
export function readQuery(query: string, symbols: Symbols, classify: IntentClassifier): ParsedQuery {
  const { text, spans, ...named } = readMentions(query, symbols);
  const instruments = { spans, named: named.mentions.length + named.unresolved.length };
  const intent = intentOf(text, instruments, classify);
  return { intent, ...barLengthIn(text.plain), ...named };
}

/**
 * Maximum length of the text in which patterns are searched, and of the end of a longer question in it, in characters.
 */
const MAX_LENGTH = 2_000;
const END_LENGTH = 600;

/** Returns the beginning and the end of a long question, which usually contain the request. */
export const withoutMiddle = (text: string): string =>
  text.length <= MAX_LENGTH
    ? text
    : `${text.slice(0, MAX_LENGTH - END_LENGTH - 1)}\n${text.slice(-END_LENGTH)}`;
