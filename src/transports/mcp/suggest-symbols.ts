import type { Symbols } from "../../domain/ports.ts";

/** Maximum number of typed characters that are searched. */
const MAX_TYPED_LENGTH = 200;
const MAX_SUGGESTIONS = 20;

/** Suggests symbols for a partly typed one, best first; members of the market for an empty text. */
export const suggestSymbols = (symbols: Symbols | undefined, text: string): readonly string[] => {
  const typed = text.trim().slice(0, MAX_TYPED_LENGTH);
  const found =
    typed === "" ? symbols?.members().slice(0, MAX_SUGGESTIONS) : symbols?.search(typed, MAX_SUGGESTIONS);
  return found?.map(({ symbol }) => symbol) ?? [];
};
