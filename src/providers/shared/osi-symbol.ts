import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { parseOccSymbol } from "../../domain/trading/option-contract.ts";

/** Parts of an option symbol. */
export interface OsiSymbol {
  readonly root: string;
  readonly expiry: string;
  readonly type: "call" | "put";
  readonly strike: number;
}

/**
 * Parses an OSI symbol without padding: root, `yymmdd`, C or P, and the strike in thousandths of a dollar.
 * @throws ProviderFailure "malformed" for other text, a date that does not exist and a strike of 0
 */
export function parseOsiSymbol(symbol: string): OsiSymbol {
  const parts = readOsiSymbol(symbol);
  if (parts === null) throw new ProviderFailure("malformed", "an invalid option symbol");
  return parts;
}

/** A valid OSI symbol without padding. */
export const OsiText = z.string().refine((text) => readOsiSymbol(text) !== null);

function readOsiSymbol(symbol: string): OsiSymbol | null {
  const contract = parseOccSymbol(symbol);
  if (contract === null) return null;
  const { underlying: root, expiry, right: type, strike } = contract;
  return { root, expiry, type, strike };
}
