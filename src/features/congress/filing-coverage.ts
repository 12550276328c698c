import type {
  Chamber,
  CountedLean,
  Coverage,
  DataCompleteness,
  DisclosureOrigin,
  Lean,
} from "../../domain/congress/congress.ts";
import type { Disclosures } from "../../domain/congress/congress-port.ts";

const NAMES = { house: "the House", senate: "the Senate" } as const satisfies Record<Chamber, string>;

/** Days and chambers that were asked about; both chambers where none is said. */
export interface FilingRange {
  readonly from: string;
  readonly to: string;
  readonly chamber?: Chamber | undefined;
}

/** The chambers that were asked about. */
export const chambersOf = ({ chamber }: Pick<FilingRange, "chamber">): readonly Chamber[] =>
  chamber === undefined ? ["house", "senate"] : [chamber];

/**
 * How much of the filings of the days asked about is held: a chamber whose source does not say from when on its filings are whole
 * has a part of them where it has any.
 */
export function filingCoverage(
  { source, coverage, trades, reason }: Pick<Disclosures, "source" | "coverage" | "trades" | "reason">,
  asked: FilingRange,
): DataCompleteness {
  if (source === null) return { held: "none", held_reason: reason };
  const chambers = chambersOf(asked);
  const reach = chambers.map((chamber) => chamberCoverage(chamber, { coverage, trades }, asked));
  const missing = chambers
    .filter((_, i) => reach[i] !== "whole")
    .map((chamber) => formatCoverage(chamber, coverage));
  if (missing.length === 0) return { held: "whole", held_reason: null };
  return reach.every((one) => one === "none")
    ? { held: "none", held_reason: `No filings of these days are held: ${missing.join("; ")}` }
    : { held: "part", held_reason: `Not all filings of these days are held: ${missing.join("; ")}` };
}

/** The chamber that alone is held where both were asked about; null where both are, or none. */
export function onlyCoveredChamber(
  found: Pick<Disclosures, "coverage" | "trades">,
  asked: FilingRange,
): Chamber | null {
  const chambers = chambersOf(asked);
  const held = chambers.filter((chamber) => chamberCoverage(chamber, found, asked) !== "none");
  return held.length === 1 && chambers.length === 2 ? held[0]! : null;
}

function chamberCoverage(
  chamber: Chamber,
  { coverage, trades }: Pick<Disclosures, "coverage" | "trades">,
  asked: FilingRange,
): DataCompleteness["held"] {
  const { covered, since } = coverage[chamber];
  if (!covered) return "none";
  if (since === null) return trades.some((trade) => trade.chamber === chamber) ? "part" : "none";
  return since <= asked.from ? "whole" : since <= asked.to ? "part" : "none";
}

function formatCoverage(chamber: Chamber, coverage: Coverage): string {
  const { covered, since, source } = coverage[chamber];
  if (!covered) return `none of ${NAMES[chamber]}`;
  return since === null
    ? `${source} does not say from when on it has all of ${NAMES[chamber]}`
    : `those of ${NAMES[chamber]} are held from ${since} on`;
}

/** What stands behind an answer: of filings, those until the last day asked about alone. */
export function originUntil(
  { source, fetched_at, as_of, stale, coverage }: DisclosureOrigin,
  to: string,
): DisclosureOrigin {
  return { source, fetched_at, as_of: as_of !== null && as_of > to ? to : as_of, stale, coverage };
}

/**
 * A lean as far as it can be told: no word where nothing is held, nor where nothing that counts is among a part; where one chamber
 * alone is held its reason begins with that.
 */
export function qualifyLean(
  lean: CountedLean,
  { held, held_reason }: DataCompleteness,
  alone: Chamber | null = null,
): Lean {
  if (held === "none") {
    const none = { members: null, trades: null, usd: null, left_out: null };
    return { ...lean, ...none, signal: null, score: null, reason: held_reason };
  }
  const nothing = held === "part" && lean.score === null;
  const only = alone === null ? null : `This is of ${NAMES[alone]} alone`;
  const why = nothing ? "No trade that counts is held of these days" : lean.reason;
  const reason = [only, why, held_reason].filter((part) => part !== null).join(". ");
  return { ...lean, ...(nothing && { signal: null }), reason: reason === "" ? null : reason };
}
