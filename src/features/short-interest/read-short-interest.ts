import { filedBy, periodsOf } from "../../analytics/company/statements.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { ShortInterestReport, ShortInterestRow } from "../../domain/short-interest/short-interest.ts";
import { isoDate } from "../../lib/iso-date.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { rounded } from "../../lib/rounded.ts";
import { optionalAnswer } from "../signal/optional-answer.ts";
import { parsePastTime } from "../signal/past-time.ts";

const NO_TOKENS = "Short interest is reported only for US stocks and funds";
const NO_FUNDS = "Funds file no number of shares";

interface ShortInterestRequest {
  readonly as_of?: string | undefined;
  /** Maximum number of reports. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Reads the reports of an instrument's short interest that were published by `as_of`, newest first. Without a provider
 * the list is empty and `coverage` gives the reason. Rejects if the provider fails.
 */
export async function readShortInterest(
  instrument: Instrument,
  { as_of, limit, signal }: ShortInterestRequest,
  ports: Pick<Ports, "shortInterest" | "company" | "clock">,
) {
  const now = ports.clock.now();
  const asOf = as_of === undefined ? null : parsePastTime(as_of, now);
  const at = new Date(asOf ?? now.getTime()).toISOString();
  const found =
    instrument.asset_class === "crypto"
      ? ({ unavailable: "not_covered", reason: NO_TOKENS } as const)
      : await ports.shortInterest.reports(instrument, { signal });
  if ("unavailable" in found)
    return {
      coverage: { status: found.unavailable, reason: found.reason },
      as_of: at,
      reports: [],
      percent_of_company: null,
      percent_basis: found.reason,
      provenance: null,
      notes: [],
    } as const;
  // a report that a provider lists today is published, whatever the schedule says, but none is about the future
  const published = found.reports.filter(({ knownAt, settlement }) =>
    asOf === null ? settlement <= now.getTime() : knownAt <= asOf,
  );
  const reports = published.slice(-limit).reverse();
  const newest = reports[0];
  return {
    coverage: { status: "covered", reason: null },
    as_of: at,
    reports: reports.map(rowOf),
    ...(await shareOfCompany(
      instrument,
      { reports: published, until: asOf ?? now.getTime(), signal },
      ports,
    )),
    provenance: { provider: found.source, fetched_at: found.fetchedAt, stale: found.stale },
    notes: [
      ...(newest === undefined
        ? ["No report was published by then"]
        : [`Positions settled by ${isoDate(newest.settlement)}: later trades are not in them`]),
      ...(found.stale ? ["No provider responds; these are the last known reports"] : []),
      ...correctedNotes(reports),
    ],
  } as const;
}

/** Returns a sentence on the reports that were corrected, whose first figures are not available. */
function correctedNotes(reports: readonly ShortInterestReport[]): readonly string[] {
  const dates = reports.filter(({ revised }) => revised).map(({ settlement }) => isoDate(settlement));
  return dates.length === 0 ? [] : [`Corrected after publication, at an unknown time: ${dates.join(", ")}`];
}

function rowOf(report: ShortInterestReport): ShortInterestRow {
  const { shares, previous, split, averageVolume } = report;
  const change = previous === null || split ? null : shares - previous;
  return {
    settled: isoDate(report.settlement),
    published: newYorkDate(report.knownAt),
    shares_short: shares,
    change_percent:
      change === null || previous === null || previous === 0 ? null : rounded((100 * change) / previous, 2),
    average_volume: averageVolume === null ? null : Math.round(averageVolume),
    days_to_cover: averageVolume === null ? null : rounded(shares / averageVolume, 2),
  };
}

interface ShareRequest {
  /** Published reports, oldest first. */
  readonly reports: readonly ShortInterestReport[];
  /** Only filings known by this time are used, epoch ms. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the newest report as a percentage of the shares of the company, with these shares or the reason why it is
 * unknown.
 */
async function shareOfCompany(
  instrument: Instrument,
  { reports, until, signal }: ShareRequest,
  { company }: Pick<Ports, "company">,
): Promise<{ readonly percent_of_company: number | null; readonly percent_basis: string }> {
  const unknown = (reason: string) => ({ percent_of_company: null, percent_basis: reason });
  const newest = reports.at(-1);
  if (newest === undefined) return unknown("No report was published by then");
  if (instrument.asset_class !== "equity") return unknown(NO_FUNDS);
  const { answer, unavailableReason } = await optionalAnswer(() => company.facts(instrument, { signal }));
  if (answer === null) return unknown(unavailableReason ?? "No filings are available");
  if ("unavailable" in answer) return unknown(answer.reason);
  const quarters = periodsOf(filedBy(answer.record.facts, until), "quarterly");
  const quarter = quarters.find(({ facts }) => facts.has("shares_diluted"));
  const shares = quarter?.facts.get("shares_diluted")?.value ?? 0;
  if (quarter === undefined || shares <= 0) return unknown("No quarter filed by then has a number of shares");
  if (reports.some(({ split, settlement }) => split && settlement > Date.parse(quarter.end)))
    return unknown("The shares were split after the newest quarter that was filed");
  const count = Math.round(shares).toLocaleString("en-US");
  return {
    percent_of_company: rounded((100 * newest.shares) / shares, 2),
    percent_basis: `${count} diluted shares of the quarter to ${quarter.end}, those of insiders included; no provider has the float`,
  };
}
