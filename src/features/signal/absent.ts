import type { Instrument } from "../../domain/market/market.ts";
import type { Symbols } from "../../domain/ports.ts";

/** How to refuse a symbol that the market holds no data of at all; null where it holds some. */
export function absentFrom(
  symbols: Symbols,
  { symbol }: Instrument,
): { readonly message: string; readonly hint: string } | null {
  const members = symbols.members();
  if (members.some((member) => member.symbol === symbol)) return null;
  const some = members.slice(0, 5).map((member) => member.symbol);
  return {
    message: `This market holds no bars of ${symbol}`,
    hint: `Ask for one of the ${members.length} symbols it holds, such as ${some.join(", ")}.`,
  };
}
