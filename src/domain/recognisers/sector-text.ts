import { z } from "zod";
import { ofKind } from "./field-kinds.ts";
import sectors from "./sectors.json" with { type: "json" };

/** GICS sectors by the names that they have at Yahoo, S&P and Nasdaq, and by their Select Sector SPDR fund. */
const SECTOR_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(sectors).flatMap(([sector, { fund, names }]) =>
    [sector, fund, ...names].map((name) => [plainName(name), sector] as const),
  ),
);

/** Returns the name in lower case without punctuation and without words such as `sector` and `ETF`. */
function plainName(text: string): string {
  return text
    .toLowerCase()
    .replace(/&|\band\b/g, " ")
    .replace(/[^a-z]+/g, " ")
    .replace(/\b(?:the|select|sector|spdr|gics|fund|etf)\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Returns the GICS sector that a text names: `Financial Services`, `XLF` and `Financial Select Sector SPDR` are
 * Financials. Returns any other value unchanged.
 */
export function readSector(value: unknown): unknown {
  if (typeof value !== "string" || value.length > 60) return value;
  return SECTOR_OF.get(plainName(value)) ?? value;
}

/** GICS sector, fund or provider name, read as the GICS sector. */
export const SectorText = ofKind(z.preprocess(readSector, z.string().trim().min(2).max(60)), "sector");
