import type { Instrument } from "../../domain/market/market.ts";
import type { QueryHelp, Symbols } from "../../domain/ports.ts";
import type { QuestionIntent } from "../../domain/requests/interpretation.ts";
import { isCallError, ToolError } from "../../kernel/errors.ts";
import type { ParsedQuery } from "./language/read-query.ts";

/** Intents that need no names. */
const WITHOUT_NAMES: ReadonlySet<QuestionIntent> = new Set(["greeting", "definition", "scan", "portfolio"]);
const MAX_TEXTS = 20;

/**
 * Completes a parsed question with a language model, if one is connected and the question has no known intent or name.
 * From its response it uses only the intent and names that the directory knows. If the model fails, returns the
 * question as parsed. `isComplete` skips the model, as for questions on the whole market.
 */
export async function withQueryHelp(
  query: string,
  reading: ParsedQuery,
  { queryHelp, symbols, signal }: { queryHelp: QueryHelp; symbols: Symbols; signal: AbortSignal },
  isComplete = false,
) {
  const unhelped = { reading, note: null };
  const wanted =
    reading.intent === "unknown" || (reading.mentions.length === 0 && !WITHOUT_NAMES.has(reading.intent));
  if (queryHelp.read === null || isComplete || !wanted) return unhelped;
  try {
    const { intent, texts } = await queryHelp.read(query, signal);
    const instruments = texts.slice(0, MAX_TEXTS).flatMap((text) => known(text, symbols) ?? []);
    const named = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    for (const { instrument } of reading.excluded) named.delete(instrument.symbol);
    const found = reading.mentions.length === 0 && named.size > 0;
    const meant = reading.intent === "unknown" && intent !== null && intent !== "unknown";
    if (!found && !meant) return unhelped;
    return {
      reading: {
        ...reading,
        ...(meant && { intent }),
        // `text` is the symbol, because text of a model is never shown
        ...(found && { mentions: [...named].map(([text, instrument]) => ({ text, instrument })) }),
      },
      note: "Parsed with the help of a language model (INTERPRET_LLM): check that the interpretation is correct",
    };
  } catch (thrown) {
    if (signal.aborted && thrown instanceof ToolError && isCallError(thrown)) throw thrown;
    return {
      reading,
      note: "The language model that helps to parse questions (INTERPRET_LLM) did not respond",
    };
  }
}

/** Returns the instrument with this name or ticker; null if there is none or the name is ambiguous. */
function known(text: string, symbols: Symbols): Instrument | null {
  const [named, another] = symbols.named(text).filter((one) => symbols.familiar(one));
  if (named !== undefined) return another === undefined ? named : null;
  return symbols.find(text)?.instrument ?? null;
}
