import { type RatioValue, ratiosOf } from "../../analytics/company/ratios.ts";
import { filedBy, type Period, type PeriodKind, periodsOf } from "../../analytics/company/statements.ts";
import type { CompanyAnswer } from "../../domain/company/company-port.ts";
import {
  type CompanyProfile,
  type Filing,
  LINES,
  RATIO_DEFINITIONS,
  RATIO_NAMES,
  type RatioName,
  type RatioPrice,
  type RatioRow,
  STATEMENT_LINES,
  type Statement,
  type StatementLine,
  type StatementName,
} from "../../domain/company/facts.ts";
import type { Resolution } from "../../domain/market/market.ts";
import type { DataUnavailable, Ports } from "../../domain/ports.ts";
import { rounded } from "../../lib/rounded.ts";
import { closedBars } from "../signal/closed-bars.ts";
import { optionalAnswer } from "../signal/optional-answer.ts";
import { parsePastTime } from "../signal/past-time.ts";

export const NOT_A_COMPANY: DataUnavailable = {
  unavailable: "not_covered",
  reason: "Only US companies file statements, not funds and coins",
};
const ADJUSTED =
  "Prices of the past are adjusted for later splits, so that they do not belong to the shares of that time";
/** Decimals of ratios. */
const DIGITS = 4;

interface FactsRequest {
  readonly period: PeriodKind;
  /** Maximum number of periods. */
  readonly limit: number;
  readonly as_of?: string | undefined;
  readonly signal: AbortSignal;
}
type FactsPorts = Pick<Ports, "company" | "symbols" | "bars" | "clock" | "market">;

export interface CompanyView {
  readonly coverage: {
    readonly status: "covered" | DataUnavailable["unavailable"];
    readonly reason: string | null;
  };
  readonly profile: CompanyProfile | null;
  readonly as_of: string;
  readonly statements: readonly Statement[];
  readonly filings: readonly Filing[];
  readonly ratios: readonly RatioRow[];
  readonly ratios_of: string | null;
  readonly price: RatioPrice | null;
  readonly price_reason: string | null;
  readonly provenance: {
    readonly provider: string;
    readonly fetched_at: string;
    readonly stale: boolean;
  } | null;
  readonly notes: readonly string[];
}

/**
 * Reads the statements of a company as filed by `as_of`, and ratios from them with the close of that time. Without a
 * provider, everything is empty and `coverage` gives the reason. Rejects if the provider fails.
 */
export async function readCompanyFacts(
  resolution: Resolution,
  { period, limit, as_of, signal }: FactsRequest,
  ports: FactsPorts,
): Promise<CompanyView> {
  const { instrument } = resolution;
  const now = ports.clock.now();
  const asOf = as_of === undefined ? null : parsePastTime(as_of, now);
  const at = new Date(asOf ?? now.getTime()).toISOString();
  const found =
    instrument.asset_class === "equity" ? await ports.company.facts(instrument, { signal }) : NOT_A_COMPANY;
  if ("unavailable" in found) return emptyView(found, at);
  const { record, source, fetchedAt, stale } = found;
  const facts = asOf === null ? record.facts : filedBy(record.facts, asOf);
  const periods = periodsOf(facts, period).slice(0, limit);
  const quarters = period === "quarterly" ? periodsOf(facts, period) : periodsOf(facts, "quarterly");
  const price = await priceOf(resolution, { as_of, signal }, ports);
  const close = price.price?.close ?? null;
  const ratios = ratiosOf(quarters, { close, noPrice: price.price_reason ?? "" });
  return {
    coverage: { status: "covered", reason: null },
    profile: record.profile,
    as_of: at,
    statements: periods.map(statementOf),
    filings: filingsOf(periods),
    ratios: RATIO_NAMES.map((name) => ratioRow(name, ratios[name])),
    ratios_of: quarters[0]?.end ?? null,
    ...price,
    provenance: { provider: source, fetched_at: fetchedAt, stale },
    notes: notesOn(found, periods, { as_of, hasPrice: close !== null }),
  };
}

const emptyView = ({ unavailable, reason }: DataUnavailable, at: string): CompanyView => ({
  coverage: { status: unavailable, reason },
  profile: null,
  as_of: at,
  statements: [],
  filings: [],
  ratios: [],
  ratios_of: null,
  price: null,
  price_reason: reason,
  provenance: null,
  notes: [],
});

/** Returns the last close by `as_of`, or why there is none that belongs to the filed share counts. */
async function priceOf(
  resolution: Resolution,
  { as_of, signal }: Pick<FactsRequest, "as_of" | "signal">,
  ports: FactsPorts,
): Promise<Pick<CompanyView, "price" | "price_reason">> {
  const { answer, unavailableReason } = await optionalAnswer(() =>
    closedBars(resolution, { timeframe: "1d", limit: 1, as_of, signal }, ports),
  );
  if (answer === null) return { price: null, price_reason: unavailableReason };
  const hasSplits = ports.market.mode !== "sample" && answer.adjustment !== "raw";
  if (as_of !== undefined && hasSplits) return { price: null, price_reason: ADJUSTED };
  const { bars, as_of: closed_at, source } = answer;
  return { price: { close: bars.close.at(-1)!, closed_at, source }, price_reason: null };
}

function statementOf({ start, end, facts }: Period): Statement {
  const rows = (name: StatementName): StatementLine[] =>
    STATEMENT_LINES[name].flatMap((line) => {
      const fact = facts.get(line);
      if (fact === undefined) return [];
      const { value, tag, accession, derived } = fact;
      return [{ line, value, tag, accession, derived }];
    });
  return {
    start,
    end,
    income: rows("income"),
    balance_sheet: rows("balance_sheet"),
    cash_flow: rows("cash_flow"),
    missing: LINES.filter((line) => !facts.has(line)),
  };
}

/** Returns the filings that the periods come from, newest first. */
function filingsOf(periods: readonly Period[]): readonly Filing[] {
  const filings = new Map<string, Filing>();
  for (const { facts } of periods)
    for (const { accession, form, filed } of facts.values())
      filings.set(accession, { accession, form, filed });
  return [...filings.values()].sort((a, b) =>
    a.filed === b.filed ? (a.accession < b.accession ? 1 : -1) : a.filed < b.filed ? 1 : -1,
  );
}

const ratioRow = (name: RatioName, { value, reason }: RatioValue): RatioRow => ({
  name,
  value: value === null ? null : rounded(value, DIGITS),
  definition: RATIO_DEFINITIONS[name],
  reason,
});

function notesOn(
  { record, stale }: CompanyAnswer,
  periods: readonly Period[],
  { as_of, hasPrice }: { readonly as_of: string | undefined; readonly hasPrice: boolean },
): readonly string[] {
  const when = as_of === undefined ? "" : ` by ${as_of}`;
  return [
    ...(stale ? ["No provider responds; these are the last known filings"] : []),
    ...(record.facts.length === 0
      ? ["The company has filed no figures in US GAAP, as many foreign companies do"]
      : periods.length === 0
        ? [`The company had filed no such period${when}`]
        : []),
    ...(record.notes ?? []),
    ...(hasPrice
      ? ["After a stock split, ratios with a price are wrong until the next filing has the new share count"]
      : []),
  ];
}
