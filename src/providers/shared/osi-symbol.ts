import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { parseIsoDate } from "./timestamps.ts";

/** Parts of an option symbol. */
export interface OsiSymbol {
  readonly root: string;
  readonly expiry: string;
  readonly type: "call" | "put";
  readonly strike: number;
}

/**
 * Parses an OSI symbol without padding: root, `yymmdd`, C or P, and the strike in thousandths of a dollar.
 * @throws ProviderFailure "malformed" for other text and for a date that does not exist
 */
export function parseOsiSymbol(symbol: string): OsiSymbol {
  const parts = readOsiSymbol(symbol);
  if (parts === null) throw new ProviderFailure("malformed", "an invalid option symbol");
  return parts;
}

/** A valid OSI symbol without padding. */
export const OsiText = z.string().refine((text) => readOsiSymbol(text) !== null);

function readOsiSymbol(symbol: string): OsiSymbol | null {
  const [, root, day = "", side, strike] = /^([A-Z0-9]{1,6})(\d{6})([CP])(\d{8})$/.exec(symbol) ?? [];
  const expiry = `20${day.slice(0, 2)}-${day.slice(2, 4)}-${day.slice(4)}`;
  if (root === undefined || parseIsoDate(expiry) === null) return null;
  return { root, expiry, type: side === "C" ? "call" : "put", strike: Number(strike) / 1_000 };
}
