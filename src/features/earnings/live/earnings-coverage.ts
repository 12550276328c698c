import type { EarningsOrigin as Saying } from "../../../domain/earnings/earnings-port.ts";
import type { ProviderEarnings, ProviderFilings } from "../../../domain/earnings/provider.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { ProviderAnswer } from "../../../domain/providers/provider.ts";
import type { ToolError } from "../../../kernel/errors.ts";

/** What an answer of earnings says of itself, by whoever told the most of it; nothing where nobody did. */
export function originOf(first: ProviderAnswer<object> | null, cached: boolean): Omit<Saying, "coverage"> {
  const at = first === null ? null : new Date(first.fetchedAt).toISOString();
  return { source: first?.source ?? null, fetchedAt: at, asOf: at, stale: first?.stale ?? false, cached };
}

/** A sentence for each kind of data that no provider is connected for: the setting that would connect one. */
export interface ConnectHints {
  readonly filings?: string;
  readonly estimates?: string;
}

interface CoverageInput {
  /** Names of the connected providers. */
  readonly vendors: readonly string[];
  readonly earnings: ProviderAnswer<ProviderEarnings> | null | ToolError;
  readonly filings: ProviderAnswer<ProviderFilings> | null | ToolError;
  /** What keeps vendors from answering that their operator can mend. */
  readonly troubles: readonly string[];
  readonly connects: ConnectHints;
}

/** What of a company's reports is missing and why, what vendors leave out first. */
export function coverageOf(
  { symbol }: Instrument,
  { vendors, earnings: told, filings: official, troubles, connects }: CoverageInput,
): readonly string[] {
  return [
    // a failure names them itself
    ...(told instanceof Error ? [told.message] : troubles),
    ...(told === null ? [uncoveredBy(vendors, symbol)] : []),
    ...(official instanceof Error ? [official.message] : []),
    ...(official === null ? [connects.filings ?? `The SEC has no filings of ${symbol}`] : []),
  ];
}

/** Why no vendor tells anything of a company. */
export const uncoveredBy = (vendors: readonly string[], symbol: string): string =>
  vendors.length === 0
    ? "Every source of earnings is switched off"
    : `No source covers ${symbol}: ${vendors.join(", ")}`;
