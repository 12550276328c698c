import type { Instrument, Resolution } from "../../domain/market/market.ts";
import type { Symbols } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { missingDataError } from "../signal/missing-data.ts";

/** Resolved instruments without duplicates. */
export interface ResolvedSymbols {
  readonly instruments: readonly Instrument[];
  readonly alternatives: Resolution["alternatives"];
}

/**
 * Resolves symbol names. @throws ToolError UNKNOWN_SYMBOL, or NOT_ENOUGH_DATA when this market has no data for a symbol
 */
export function resolveSymbols(names: readonly string[], symbols: Symbols): ResolvedSymbols {
  const found = new Map<string, Resolution>();
  for (const name of names) {
    const resolution = symbols.resolve(name);
    const { instrument } = resolution;
    const absent = missingDataError(symbols, instrument);
    if (absent !== null)
      throw new ToolError("NOT_ENOUGH_DATA", absent.message, {
        hint: absent.hint,
        data: { symbol: instrument.symbol, available: 0 },
      });
    if (!found.has(instrument.symbol)) found.set(instrument.symbol, resolution);
  }
  const all = [...found.values()];
  return {
    instruments: all.map(({ instrument }) => instrument),
    alternatives: all.flatMap(({ alternatives }) => alternatives),
  };
}

/** Returns the instrument of a canonical symbol, or the reason why it cannot be watched. */
export function findListed(
  symbol: string,
  symbols: Symbols,
): { readonly instrument: Instrument } | { readonly gone: string } {
  const found = symbols.find(symbol);
  if (found === null || found.instrument.symbol !== symbol)
    return { gone: `${symbol} is no longer listed in this market` };
  const absent = missingDataError(symbols, found.instrument);
  return absent === null ? { instrument: found.instrument } : { gone: absent.message };
}
