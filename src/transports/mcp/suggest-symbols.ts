import type { Symbols } from "../../domain/ports.ts";

/** Maximum length of the search text. */
const MAX_TYPED_LENGTH = 200;
const MAX_SUGGESTIONS = 20;

/** Returns symbols that match a partly typed one, best match first; for an empty text, members of the market. */
export const suggestSymbols = (symbols: Symbols | undefined, text: string): readonly string[] => {
  const typed = text.trim().slice(0, MAX_TYPED_LENGTH);
  const found =
    typed === "" ? symbols?.members().slice(0, MAX_SUGGESTIONS) : symbols?.search(typed, MAX_SUGGESTIONS);
  return found?.map(({ symbol }) => symbol) ?? [];
};
