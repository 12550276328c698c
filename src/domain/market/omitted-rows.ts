import { type BarTimeframe, barLabel } from "./bars.ts";

/** Reasons why a row from a provider or a file is left out, each with the phrase that describes it. */
const REASONS = {
  invalid: "without a valid price",
  repeated: "with a repeated or out-of-order time",
  no_session: "on a day without trading",
  longer: "of a longer bar length before the others",
  spike: "with a price far from those before and after it",
} as const;
export const OMISSION_REASONS = Object.keys(REASONS) as readonly OmissionReason[];
export type OmissionReason = keyof typeof REASONS;

/** A row that is left out; `time` is the start of its bar, or of a neighbour if the row has none, epoch ms. */
export interface OmittedRow {
  readonly time: number;
  readonly reason: OmissionReason;
  /** Number of rows of this time and reason. Default: 1. */
  readonly count?: number;
}

/** Maximum number of entries that describe the rows left out of a file. */
const MAX_ENTRIES = 4_000;
/** Number of rows from which neighbours share an entry at once. */
const MANY_ROWS = 100_000;

/**
 * Returns rows with one entry for each time and reason. Of very many, neighbours share the entry of the earliest one, so
 * that a file with millions of faulty rows takes no more memory than others.
 */
export function mergeOmittedRows(rows: readonly OmittedRow[]): readonly OmittedRow[] {
  let merged = rows.length > MANY_ROWS ? rows : mergedWithin(rows, 1);
  let [first, last] = [Infinity, -Infinity];
  for (const { time } of merged) [first, last] = [Math.min(first, time), Math.max(last, time)];
  for (let parts = MAX_ENTRIES; merged.length > MAX_ENTRIES && parts >= 1; parts /= 2)
    merged = mergedWithin(merged, Math.max(1, (last - first) / parts));
  return merged;
}

function mergedWithin(rows: readonly OmittedRow[], ms: number): readonly OmittedRow[] {
  const found = new Map<string, { time: number; readonly reason: OmissionReason; count: number }>();
  for (const { time, reason, count = 1 } of rows) {
    const key = `${reason} ${Math.floor(time / ms)}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { time, reason, count });
    else {
      known.time = Math.min(known.time, time);
      known.count += count;
    }
  }
  return [...found.values()].map(({ count, ...row }) => (count === 1 ? row : { ...row, count }));
}

const countOf = (rows: readonly OmittedRow[]): number => rows.reduce((sum, { count = 1 }) => sum + count, 0);

/** Describes left-out rows in one sentence; null if there are none. */
export function describeOmittedRows(rows: readonly OmittedRow[], timeframe: BarTimeframe): string | null {
  if (rows.length === 0) return null;
  const parts = OMISSION_REASONS.flatMap((reason) => {
    const found = rows.filter((row) => row.reason === reason);
    if (found.length === 0) return [];
    const count = countOf(found);
    const first = barLabel(
      found.reduce((earliest, { time }) => Math.min(earliest, time), Infinity),
      timeframe,
    );
    return [`${count} ${REASONS[reason]} (${count === 1 ? "" : "first "}${first})`];
  });
  const all = countOf(rows);
  return `${all} ${all === 1 ? "row of bars was" : "rows of bars were"} left out: ${parts.join(", ")}.`;
}
