import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import { formatGrade } from "../../domain/signal/grade.text.ts";
import type { PublishedRecord } from "../../domain/track-record/track.ts";
import { formatR } from "../../lib/format-r.ts";

/** The fields of a row of a list that its record is looked up by. */
interface GradedRow {
  readonly asset_class: string;
  readonly bias: string;
  readonly grade: string | null;
}

const KINDS: Readonly<Record<string, string>> = { equity: "stocks", etf: "funds", crypto: "coins" };

/**
 * Returns a note that names the grades of a list whose past trades earned less than the usual plan at any close of
 * their symbols, and says where that is within the error; empty for none, without a record, and for the record of another model.
 */
export function recordNotes(rows: readonly GradedRow[], record: PublishedRecord | null): string[] {
  if (record?.model_version !== MODEL_VERSION) return [];
  const below = (record.r_over_base ?? []).filter(
    ({ grade, direction, asset_class, over_base }) =>
      grade !== null &&
      over_base !== null &&
      over_base < 0 &&
      rows.some((row) => row.grade === grade && row.bias === direction && row.asset_class === asset_class),
  );
  if (below.length === 0) return [];
  const texts = below.map(({ grade, direction, asset_class, n, mean_r, base_r, interval }) => {
    const error =
      interval === null
        ? ""
        : `, 95% interval of the difference ${formatR(interval.low)} to ${formatR(interval.high)}${interval.high >= 0 ? ", within its error" : ""}`;
    return `${direction} with ${formatGrade({ direction, grade })} of ${KINDS[asset_class ?? ""]} ${formatR(mean_r ?? 0)} against ${formatR(base_r ?? 0)} in ${n} trades${error}`;
  });
  return [
    `Past trades of these grades earned less than the usual plan at any close of their symbols: ${texts.join("; ")}`,
  ];
}
