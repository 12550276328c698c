import type { Symbols } from "../../domain/ports.ts";

/** Characters of a half-typed symbol that are looked at. */
const MAX_TYPED_LENGTH = 200;
const MAX_SUGGESTIONS = 20;

/** Symbols near a half-typed one, best first; without anything typed, those this market holds. */
export const suggestSymbols = (symbols: Symbols | undefined, text: string): readonly string[] => {
  const typed = text.trim().slice(0, MAX_TYPED_LENGTH);
  const found =
    typed === "" ? symbols?.members().slice(0, MAX_SUGGESTIONS) : symbols?.search(typed, MAX_SUGGESTIONS);
  return found?.map(({ symbol }) => symbol) ?? [];
};
