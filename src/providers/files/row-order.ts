import type { RawRows } from "./rows.ts";

/** Minimum share of rows behind an earlier one, and of steps back, from which a file is in no order. */
const MIN_BEHIND = 0.1;
const MIN_STEPS_BACK = 3;
/** Maximum share of repeated times in rows that are sorted; more are those of several instruments. */
const MAX_REPEATED = 0.05;
const COLUMNS = ["open", "high", "low", "close", "volume", "wall", "offset", "line"] as const;

/** Reverses rows in place. */
export function reversed(rows: RawRows): RawRows {
  for (const column of COLUMNS) rows[column].subarray(0, rows.length).reverse();
  return rows;
}

/** Returns true if most rows are followed by an earlier one. */
export function runsBackwards({ wall, length }: Pick<RawRows, "wall" | "length">): boolean {
  let backwards = 0;
  for (let at = 1; at < length; at++) backwards += Math.sign(wall[at - 1]! - wall[at]!);
  return backwards > 0;
}

/** Returns rows that are in no order sorted by their written times; other rows, also few that are out of order, unchanged. */
export function sortedRows(rows: RawRows): RawRows {
  const { wall, length } = rows;
  const sign = runsBackwards(rows) ? -1 : 1;
  let [furthest, behind, back] = [-Infinity, 0, 0];
  for (let at = 0; at < length; at++) {
    const time = sign * wall[at]!;
    if (time < furthest) behind++;
    if (at > 0 && time < sign * wall[at - 1]!) back++;
    furthest = Math.max(furthest, time);
  }
  if (back < MIN_STEPS_BACK || behind < MIN_BEHIND * length) return rows;
  const times = new Set(wall.subarray(0, length));
  if (length - times.size > MAX_REPEATED * length) return rows;
  const order = Uint32Array.from({ length }, (_, at) => at).sort((a, b) => wall[a]! - wall[b]! || a - b);
  const pick = <Column extends Float64Array | Int32Array>(column: Column) =>
    column.map((_, at) => (at < length ? column[order[at]!]! : 0)) as Column;
  const { open, high, low, close, volume, offset, line } = rows;
  return {
    ...rows,
    wall: pick(wall),
    offset: pick(offset),
    open: pick(open),
    high: pick(high),
    low: pick(low),
    close: pick(close),
    volume: pick(volume),
    line: pick(line),
    isSorted: true,
  };
}
