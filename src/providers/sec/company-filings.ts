import type { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { companyTicker } from "../shared/earnings.ts";
import { CompanyFacts, digitsOf, filingsPath, type SecClient } from "./client.ts";
import { orNull } from "./filing-lists.ts";
import { historyNotes, joinFacts, predecessorOf } from "./registrants.ts";

interface CompanyFilings<T> {
  readonly cik: number;
  readonly filings: T;
  /** Filings under the CIK that the company had before; null if none is known or they could not be read. */
  readonly before: T | null;
  /** Facts under both CIKs; null if there are none. */
  readonly facts: CompanyFacts | null;
  /** Sentences on figures that are missing because they were filed under another CIK. */
  readonly notes: readonly string[];
}

interface CompanyRequest<T> {
  readonly instrument: Instrument;
  /** Shape in which the newest filings are read. */
  readonly shape: z.ZodType<T>;
  readonly signal: AbortSignal;
}

/**
 * Reads a company's newest filings and its facts, also those under a known earlier CIK. Rejects with ProviderFailure
 * "unknown_symbol" if it files nothing.
 */
export async function readCompany<T extends { readonly cik: number }>(
  client: Pick<SecClient, "numberOf" | "read">,
  { instrument, shape, signal }: CompanyRequest<T>,
): Promise<CompanyFilings<T>> {
  companyTicker(instrument);
  const cik = await client.numberOf(instrument, signal);
  const earlier = predecessorOf(cik);
  const [current, before] = await Promise.all([
    readRegistrant(client, { cik, shape, signal }),
    earlier === null ? null : orNull(readRegistrant(client, { cik: earlier, shape, signal }), signal),
  ]);
  if (current === null) throw new ProviderFailure("unknown_symbol", "the company has no filings");
  const isMissing = earlier !== null && (before === null || before.facts === null);
  return {
    cik,
    filings: current.filings,
    before: before?.filings ?? null,
    facts: joinFacts(current.facts, before?.facts ?? null),
    notes: before !== null && !isMissing ? [] : historyNotes(cik, current.facts, isMissing ? earlier : null),
  };
}

/** Reads the newest filings and the facts under one CIK; null if it has no filings. */
async function readRegistrant<T extends { readonly cik: number }>(
  { read }: Pick<SecClient, "read">,
  { cik, shape, signal }: Pick<CompanyRequest<T>, "shape" | "signal"> & { readonly cik: number },
): Promise<{ readonly filings: T; readonly facts: CompanyFacts | null } | null> {
  const [filings, facts] = await Promise.all([
    read(filingsPath(cik), shape, signal),
    read(`/api/xbrl/companyfacts/CIK${digitsOf(cik)}.json`, CompanyFacts, signal),
  ]);
  if (filings === null) return null;
  if (filings.cik !== cik || (facts !== null && facts.cik !== cik))
    throw new ProviderFailure("malformed", "filings of another company");
  return { filings, facts };
}
