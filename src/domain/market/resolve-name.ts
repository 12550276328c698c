import type { Symbols } from "../ports.ts";
import type { Resolution } from "./market.ts";

/**
 * Resolves a ticker in any accepted spelling, a former ticker, or an unambiguous name, such as `BRKB`,
 * `XBT`, `FB` or `apple`; null if it is unknown, an index, or a stock that no longer trades.
 */
export function findByName(
  text: string,
  symbols: Pick<Symbols, "find" | "named" | "notListed">,
): Resolution | null {
  const found = symbols.find(text);
  if (found !== null) return found;
  const other = symbols.notListed?.(text) ?? null;
  const now = other?.kind === "renamed" && other.instrument !== null ? [other.instrument] : [];
  const [instrument, another] = other === null ? symbols.named(text) : now;
  return instrument === undefined || another !== undefined ? null : { instrument, alternatives: [] };
}
