import type { Instrument } from "../../domain/market/market.ts";
import type { Symbols } from "../../domain/ports.ts";

/** Returns the error text for a symbol that has no data in the market; null if it has data. */
export function missingDataError(
  symbols: Symbols,
  { symbol }: Instrument,
): { readonly message: string; readonly hint: string } | null {
  const members = symbols.members();
  if (members.some((member) => member.symbol === symbol)) return null;
  const examples = members.slice(0, 5).map((member) => member.symbol);
  return {
    message: `This market has no bars of ${symbol}`,
    hint: `Request one of its ${members.length} symbols, such as ${examples.join(", ")}.`,
  };
}
