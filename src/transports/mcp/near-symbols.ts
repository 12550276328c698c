import type { Symbols } from "../../domain/ports.ts";

/** Characters of a half-typed symbol that are looked at. */
const LONGEST = 200;
const MOST = 20;

/** Symbols near a half-typed one, best first; without anything typed, those this market holds. */
export const nearSymbols = (symbols: Symbols | undefined, text: string): readonly string[] => {
  const typed = text.trim().slice(0, LONGEST);
  const found = typed === "" ? symbols?.members().slice(0, MOST) : symbols?.search(typed, MOST);
  return found?.map(({ symbol }) => symbol) ?? [];
};
