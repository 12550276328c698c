import type { Output } from "../../api/tools.ts";

export type ScreenRow = Output<"screen_universe">["results"][number];
export type ScanRow = Output<"scan_symbols">["results"][number];

/** What tables show of a row, whichever tool it comes from. Fields that the answer does not have are undefined. */
export interface TableRow
  extends Pick<
    ScreenRow & ScanRow,
    "symbol" | "name" | "bias" | "grade" | "score" | "phase" | "conflicts" | "source"
  > {
  readonly close: number;
  readonly change_percent: number | null;
  readonly volume: number | null | undefined;
  readonly closes: readonly number[] | null | undefined;
  /** Why change, volume or closes is null. */
  readonly moves_reason: string | null | undefined;
  readonly plan: Pick<ScanRow, "entry" | "stop" | "target" | "rr" | "levels_basis" | "side" | "odds">;
  readonly stage: ScreenRow["stage"] | undefined;
  readonly wave: ScreenRow["wave"] | undefined;
  readonly sector: ScreenRow["sector"] | undefined;
  readonly as_of: string;
}

/** Returns what tables show of a row of screen_universe or scan_symbols. */
export function tableRow(row: ScreenRow | ScanRow): TableRow {
  const { symbol, name, bias, grade, phase, conflicts, source, close, as_of } = row;
  const { change_percent, volume, closes, moves_reason } = row;
  const shared = { symbol, name, bias, grade, phase, conflicts, source, close, as_of };
  const moves = { change_percent, volume, closes, moves_reason };
  if ("actionCard" in row)
    return {
      ...shared,
      ...moves,
      score: row.overallScore,
      plan: row.actionCard,
      stage: row.stage,
      wave: row.wave,
      sector: row.sector,
    };
  return {
    ...shared,
    ...moves,
    score: row.score,
    plan: row,
    stage: undefined,
    wave: undefined,
    sector: undefined,
  };
}
