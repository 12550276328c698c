import type { Instrument } from "../../domain/market.ts";
import type { Told } from "../../domain/providers/provider.ts";
import type { ToolError } from "../../kernel/errors.ts";
import type { Told as Saying } from "../../ports/earnings.ts";
import type { VendorEarnings, VendorFilings } from "./earnings-told.ts";

/** What an answer of earnings says of itself, by whoever told the most of it; nothing where nobody did. */
export function sayingOf(first: Told<object> | null, cached: boolean): Omit<Saying, "coverage"> {
  const at = first === null ? null : new Date(first.fetchedAt).toISOString();
  return { source: first?.source ?? null, fetchedAt: at, asOf: at, stale: first?.stale ?? false, cached };
}

const FILINGS = "SEC_CONTACT connects what companies file with the SEC";
const ESTIMATES = "FINNHUB_TOKEN connects what was expected of revenue";

/** Which settings connect what vendors and regulators other than these tell. */
export const connectsOf = (vendors: readonly string[], regulators: readonly string[]) => ({
  ...(regulators.length === 0 && { filings: FILINGS }),
  ...(!vendors.includes("finnhub") && { estimates: ESTIMATES }),
});

interface Asked {
  /** Names of the vendors and of the regulators that are connected. */
  readonly vendors: readonly string[];
  readonly regulators: readonly string[];
  readonly told: Told<VendorEarnings> | null | ToolError;
  readonly official: Told<VendorFilings> | null | ToolError;
  /** What keeps vendors from answering that their operator can mend. */
  readonly troubles: readonly string[];
}

/** What of a company's reports is missing and why, what vendors leave out first. */
export function coverageOf(
  { symbol }: Instrument,
  { vendors, regulators, told, official, troubles }: Asked,
): readonly string[] {
  return [
    // a failure names them itself
    ...(told instanceof Error ? [told.message] : troubles),
    ...(told === null ? [uncoveredBy(vendors, symbol)] : []),
    ...(official instanceof Error ? [official.message] : []),
    ...(official === null ? [regulators.length === 0 ? FILINGS : `The SEC has no filings of ${symbol}`] : []),
  ];
}

/** Why no vendor tells anything of a company. */
export const uncoveredBy = (vendors: readonly string[], symbol: string): string =>
  vendors.length === 0
    ? "Every source of earnings is switched off"
    : `No source covers ${symbol}: ${vendors.join(", ")}`;
