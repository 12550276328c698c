import type {
  Chamber,
  CountedLean,
  Coverage,
  DataCompleteness,
  DisclosureOrigin,
  Lean,
  UnreadFiling,
} from "../../domain/congress/congress.ts";
import type { Disclosures } from "../../domain/congress/congress-port.ts";
import { groupBy } from "../../lib/group-by.ts";

export const CHAMBERS = ["house", "senate"] as const satisfies readonly Chamber[];

const NAMES = { house: "the House", senate: "the Senate" } as const satisfies Record<Chamber, string>;

/** Requested days and chambers. Default: both chambers. */
export interface FilingRange {
  readonly from: string;
  readonly to: string;
  readonly chamber?: Chamber | undefined;
}

export const chambersOf = ({ chamber }: Pick<FilingRange, "chamber">): readonly Chamber[] =>
  chamber === undefined ? CHAMBERS : [chamber];

/**
 * Returns how completely the stored filings cover the requested days. A chamber whose provider does not state since
 * when its filings are complete counts as partial if it has any.
 */
export function filingCoverage(
  { source, coverage, trades, reason }: Pick<Disclosures, "source" | "coverage" | "trades" | "reason">,
  range: FilingRange,
): DataCompleteness {
  if (source === null) return { held: "none", held_reason: reason };
  const chambers = chambersOf(range);
  const coverages = chambers.map((chamber) => chamberCoverage(chamber, { coverage, trades }, range));
  const missing = chambers
    .filter((_, i) => coverages[i] !== "complete")
    .map((chamber) => formatCoverage(chamber, coverage));
  if (missing.length === 0) return { held: "complete", held_reason: null };
  return coverages.every((one) => one === "none")
    ? { held: "none", held_reason: `No filings of these days are stored: ${missing.join("; ")}` }
    : { held: "part", held_reason: `Not all filings of these days are stored: ${missing.join("; ")}` };
}

/** Returns the only covered chamber if both were requested; null if both or neither are covered. */
export function onlyCoveredChamber(
  found: Pick<Disclosures, "coverage" | "trades">,
  range: FilingRange,
): Chamber | null {
  const chambers = chambersOf(range);
  const held = chambers.filter((chamber) => chamberCoverage(chamber, found, range) !== "none");
  return held.length === 1 && chambers.length === 2 ? held[0]! : null;
}

function chamberCoverage(
  chamber: Chamber,
  { coverage, trades }: Pick<Disclosures, "coverage" | "trades">,
  range: FilingRange,
): DataCompleteness["held"] {
  const { covered, since } = coverage[chamber];
  if (!covered) return "none";
  if (since === null) return trades.some((trade) => trade.chamber === chamber) ? "part" : "none";
  return since <= range.from ? "complete" : since <= range.to ? "part" : "none";
}

function formatCoverage(chamber: Chamber, coverage: Coverage): string {
  const { covered, since, source } = coverage[chamber];
  if (!covered) return `none of ${NAMES[chamber]}`;
  return since === null
    ? `${source} does not state since when its filings of ${NAMES[chamber]} are complete`
    : `those of ${NAMES[chamber]} are stored from ${since} on`;
}

/** Returns the origin with `as_of` limited to the last requested day. */
export function originUntil(
  { source, fetched_at, as_of, stale, coverage }: DisclosureOrigin,
  to: string,
): DisclosureOrigin {
  return { source, fetched_at, as_of: as_of !== null && as_of > to ? to : as_of, stale, coverage };
}

/**
 * Adds coverage to a lean. Without filings, its figures are null; if the filings are partial and contain no eligible
 * trade, its signal is null. If only one chamber is covered, the reason states this first.
 */
export function qualifyLean(
  lean: CountedLean,
  { held, held_reason }: DataCompleteness,
  alone: Chamber | null = null,
): Lean {
  if (held === "none") {
    const none = { members: null, trades: null, usd: null, left_out: null };
    return { ...lean, ...none, signal: null, lean: null, reason: held_reason };
  }
  const nothing = held === "part" && lean.lean === null;
  const only = alone === null ? null : `This covers only ${NAMES[alone]}`;
  const why = nothing ? "No stored trade of these days is eligible" : lean.reason;
  const reason = [only, why, held_reason].filter((part) => part !== null).join(". ");
  return { ...lean, ...(nothing && { signal: null }), reason: reason === "" ? null : reason };
}

/** Returns notes on missing chambers, unreadable filings and stale data. */
export function notesOf(
  { coverage, stale, fetched_at, source }: DisclosureOrigin,
  unread: readonly UnreadFiling[],
  chambers: readonly Chamber[] = CHAMBERS,
): readonly string[] {
  if (source === null) return [];
  return [
    ...chambers.flatMap((chamber) => {
      const { covered, reason } = coverage[chamber];
      return covered && reason === null ? [] : [`${chamber}: ${reason ?? "not covered"}`];
    }),
    ...(unread.length === 0 ? [] : [formatUnread(unread)]),
    ...(stale
      ? [`STALE: no provider responds now; this is the data of ${fetched_at ?? "an unknown time"}`]
      : []),
    "Trades become known when filed, up to 45 days after the trade and often later; amounts are ranges.",
  ];
}

function formatUnread(unread: readonly UnreadFiling[]): string {
  const groups = groupBy(unread, ({ why }) => why);
  const filings = unread.length === 1 ? "One filing" : `${unread.length} filings`;
  const reasons = [...groups].map(([why, filed]) => `${why} (${filed.length})`).join("; ");
  return `${filings} of these days (all tickers) could not be read: ${reasons}`;
}
