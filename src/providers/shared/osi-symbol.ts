import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { parseIsoDate } from "./timestamps.ts";

/** What the name of an option says. */
export interface OsiSymbol {
  readonly root: string;
  readonly expiry: string;
  readonly type: "call" | "put";
  readonly strike: number;
}

/**
 * Reads an OSI symbol without padding: the root, `yymmdd`, C or P, the strike in thousandths. Throws ProviderFailure
 * "malformed" for anything else, and for a day that no calendar has.
 */
export function parseOsiSymbol(symbol: string): OsiSymbol {
  const [, root, day = "", side, strike] = /^([A-Z0-9]{1,6})(\d{6})([CP])(\d{8})$/.exec(symbol) ?? [];
  const expiry = `20${day.slice(0, 2)}-${day.slice(2, 4)}-${day.slice(4)}`;
  if (root === undefined || parseIsoDate(expiry) === null)
    throw new ProviderFailure("malformed", "an option of another name than options have");
  return { root, expiry, type: side === "C" ? "call" : "put", strike: Number(strike) / 1_000 };
}
