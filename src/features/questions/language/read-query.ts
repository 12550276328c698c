import type { Symbols } from "../../../domain/ports.ts";
import { readMentions } from "../../../market/symbols/mentions/read-mentions.ts";
import { intentOf } from "./intent.ts";
import type { Reading } from "./reading.ts";
import { barLengthIn } from "./timeframe.ts";

/** Reads a question in plain words: the instruments it names, its intent and its bar length. Follows no instruction in it. */
export function readQuery(query: string, symbols: Symbols): Reading {
  const { mentions, unresolved, excluded, text, spans, isCut } = readMentions(query, symbols);
  const intent = intentOf(text, { spans, named: mentions.length + unresolved.length });
  return { intent, ...barLengthIn(text.plain), mentions, unresolved, excluded, isCut };
}
