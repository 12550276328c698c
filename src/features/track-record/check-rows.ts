import type { AssetClass } from "../../domain/market/market.ts";
import type { Signal } from "../../domain/signal/signal.ts";
import type { CheckRecord, CheckRecordRow } from "../../domain/track-record/check-record.ts";

interface CheckFilter {
  /** null: all symbols. */
  readonly symbol: string | null;
  readonly asset_class?: AssetClass | undefined;
  readonly direction?: Signal["direction"] | undefined;
  readonly concise: boolean;
}

/** Rows of the record of checked orders that match, or why there are none. */
export interface CheckSelection extends Pick<CheckRecord, "orders"> {
  readonly from: string | null;
  readonly until: string | null;
  readonly rows: CheckRecordRow[];
  readonly reason: string | null;
}

/** Returns the matching rows. A concise answer has those of all classes and both sides unless it asks for others. */
export function selectChecks(
  record: CheckRecord | null,
  { symbol, asset_class, direction, concise }: CheckFilter,
): CheckSelection {
  const isWanted = (row: CheckRecordRow) =>
    (asset_class === undefined ? !concise || row.asset_class === null : row.asset_class === asset_class) &&
    (direction === undefined ? !concise || row.side === null : row.side === direction);
  const rows = (record?.rows ?? []).filter(isWanted).map(({ reliability, ...row }) => ({
    ...row,
    ...(!concise && reliability !== undefined && { reliability }),
  }));
  return {
    orders: record?.orders ?? 0,
    from: record?.from ?? null,
    until: record?.until ?? null,
    rows,
    reason: rows.length > 0 ? null : reasonOf(record, symbol),
  };
}

const reasonOf = (record: CheckRecord | null, symbol: string | null): string =>
  symbol !== null
    ? "Checked orders are not counted by symbol"
    : record === null
      ? "No checked order has an outcome yet: its bars must close first"
      : "No matching checked order has an outcome";
