import type { EarningsAnswer, EarningsOrigin } from "../../../domain/earnings/earnings-port.ts";
import type { ProviderEarnings, ProviderFilings } from "../../../domain/earnings/provider.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { ProviderAnswer } from "../../../domain/providers/provider.ts";
import type { ToolError } from "../../../kernel/errors.ts";

/** Returns the origin of an earnings answer: the provider of most of its figures, or nulls if there was none. */
export function originOf(
  first: ProviderAnswer<object> | null,
  cached: boolean,
): Omit<EarningsOrigin, "coverage"> {
  const at = first === null ? null : new Date(first.fetchedAt).toISOString();
  return { source: first?.source ?? null, fetchedAt: at, asOf: at, stale: first?.stale ?? false, cached };
}

/** One sentence for each kind of data without a provider: the setting that connects one. */
export type ConnectHints = NonNullable<EarningsAnswer["connects"]>;

interface CoverageInput {
  /** Names of the connected providers. */
  readonly providers: readonly string[];
  readonly earnings: ProviderAnswer<ProviderEarnings> | null | ToolError;
  readonly filings: ProviderAnswer<ProviderFilings> | null | ToolError;
  /** Provider problems that the operator can fix. */
  readonly troubles: readonly string[];
  readonly connects: ConnectHints;
}

/** Returns sentences on the parts of a company's reports that are missing, those of the earnings providers first. */
export function coverageOf(
  { symbol }: Instrument,
  { providers, earnings: answer, filings: official, troubles, connects }: CoverageInput,
): readonly string[] {
  return [
    // the error's message already names these problems
    ...(answer instanceof Error ? [answer.message] : troubles),
    ...(answer === null ? [uncoveredBy(providers, symbol)] : []),
    ...(official instanceof Error ? [official.message] : []),
    ...(official === null || official instanceof Error ? [] : (official.answer.notes ?? [])),
    ...(official === null ? [connects.filings ?? `The SEC has no filings of ${symbol}`] : []),
  ];
}

/** Returns the reason why no provider covers a company. */
export const uncoveredBy = (providers: readonly string[], symbol: string): string =>
  providers.length === 0
    ? "Every provider of earnings is switched off"
    : `No provider covers ${symbol}: ${providers.join(", ")}`;
