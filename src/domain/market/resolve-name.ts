import type { Symbols } from "../ports.ts";
import type { Resolution } from "./market.ts";

/**
 * Resolves a ticker in any accepted spelling, or a name that only one instrument has, such as `BRKB`, `XBT` or `apple`;
 * null if it is unknown.
 */
export function findByName(text: string, symbols: Pick<Symbols, "find" | "named">): Resolution | null {
  const found = symbols.find(text);
  if (found !== null) return found;
  const [instrument, another] = symbols.named(text);
  return instrument === undefined || another !== undefined ? null : { instrument, alternatives: [] };
}
