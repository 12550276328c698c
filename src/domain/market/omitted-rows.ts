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
}

/** Describes left-out rows in one sentence; null if there are none. */
export function describeOmittedRows(rows: readonly OmittedRow[], timeframe: BarTimeframe): string | null {
  if (rows.length === 0) return null;
  const parts = OMISSION_REASONS.flatMap((reason) => {
    const times = rows.filter((row) => row.reason === reason).map(({ time }) => time);
    if (times.length === 0) return [];
    const first = barLabel(Math.min(...times), timeframe);
    return [`${times.length} ${REASONS[reason]} (${times.length === 1 ? "" : "first "}${first})`];
  });
  return `${rows.length} ${rows.length === 1 ? "row of bars was" : "rows of bars were"} left out: ${parts.join(", ")}.`;
}
