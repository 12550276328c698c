import type { Instrument } from "../../domain/market/market.ts";
import type { QueryHelp, Symbols } from "../../domain/ports.ts";
import type { Intent } from "../../domain/questions/interpretation.ts";
import { isCallError, ToolError } from "../../kernel/errors.ts";
import type { Reading } from "./language/reading.ts";

/** A reading, and what to know of how it came about. */
export interface Helped {
  readonly reading: Reading;
  readonly note: string | null;
}

/** Intents that need no names, so that none are looked for. */
const NAMELESS: ReadonlySet<Intent> = new Set(["greeting", "definition", "scan", "portfolio"]);
const MOST_TEXTS = 20;

/**
 * The reading with the help of a language model, where one is connected and the rules understood nothing or found no name;
 * `isWhole` where they read all that is asked, as of the whole market, and no model is shown it.
 * Of what it says only an intent and names that the directory knows are kept; where it fails, the reading stays as it was.
 */
export async function withHelp(
  query: string,
  reading: Reading,
  { queryHelp, symbols, signal }: { queryHelp: QueryHelp; symbols: Symbols; signal: AbortSignal },
  isWhole = false,
): Promise<Helped> {
  const wanted =
    reading.intent === "unknown" || (reading.mentions.length === 0 && !NAMELESS.has(reading.intent));
  if (queryHelp.read === null || isWhole || !wanted) return { reading, note: null };
  try {
    const { intent, texts } = await queryHelp.read(query, signal);
    const named = new Map<string, Instrument>();
    for (const text of texts.slice(0, MOST_TEXTS)) {
      const instrument = known(text, symbols);
      const isAside = reading.excluded.some((one) => one.instrument.symbol === instrument?.symbol);
      if (instrument !== null && !isAside) named.set(instrument.symbol, instrument);
    }
    const found = reading.mentions.length === 0 && named.size > 0;
    const meant = reading.intent === "unknown" && intent !== null && intent !== "unknown";
    if (!found && !meant) return { reading, note: null };
    return {
      reading: {
        ...reading,
        ...(meant && { intent }),
        // in its own name: the words of a model are shown to nobody
        ...(found && {
          mentions: [...named.values()].map((instrument) => ({ text: instrument.symbol, instrument })),
        }),
      },
      note: "Read with the help of a language model (INTERPRET_LLM): check that it is what was meant",
    };
  } catch (thrown) {
    if (signal.aborted && thrown instanceof ToolError && isCallError(thrown)) throw thrown;
    return {
      reading,
      note: "The language model that helps to read questions (INTERPRET_LLM) did not answer",
    };
  }
}

/** The one instrument that a text is the name or ticker of. */
function known(text: string, symbols: Symbols): Instrument | null {
  const [bearer, another] = symbols.named(text).filter((one) => symbols.familiar(one));
  if (bearer !== undefined) return another === undefined ? bearer : null;
  return symbols.find(text)?.instrument ?? null;
}
