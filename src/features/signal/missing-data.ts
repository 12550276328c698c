import { named } from "../../domain/answers.ts";
import type { Instrument, Resolution } from "../../domain/market/market.ts";
import type { Symbols } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";

const DATA_MISSING: ReadonlySet<string> = new Set(["NO_PRICE", "NOT_ENOUGH_DATA"]);

/**
 * Runs `work`. If the market has no data for the resolved symbol, the error's hint lists the alternatives that have
 * data.
 */
export async function withAlternativesHint<T>(
  { alternatives }: Resolution,
  symbols: Symbols,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof ToolError && DATA_MISSING.has(cause.code)) || alternatives.length === 0)
      throw cause;
    const held = new Set(symbols.members().map(({ symbol }) => symbol));
    const here = alternatives.filter(({ symbol }) => held.has(symbol));
    const names = here.map(({ symbol, name }) => `${symbol} (${name})`).join(", ");
    throw new ToolError(cause.code, cause.message, {
      hint:
        here.length === 0 ? (cause.hint ?? "") : `The name may also mean ${names}, which this market has.`,
      ...(cause.command !== undefined && { command: cause.command }),
      data: { ...cause.data, alternatives: alternatives.map(named) },
      cause,
    });
  }
}

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
