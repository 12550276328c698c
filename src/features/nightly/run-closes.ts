import { kindOf, type MarketKind } from "../../domain/market/market.ts";
import type { EngineRow, EngineRun, RecentMoves } from "../../domain/nightly/engine.ts";
import type { RunCoverage } from "../../domain/nightly/movers.ts";
import { ToolError } from "../../kernel/errors.ts";

/** A row with its moves, at the newest close of its kind. */
export type MovedRow = EngineRow & { readonly moves: RecentMoves };

/**
 * Returns the matching rows of runs that describe the newest close of their kind, and the coverage so far. Throws
 * NOT_ENOUGH_DATA for runs that were stored without moves.
 */
export function rowsAtClose(runs: readonly EngineRun[], matches: (row: EngineRow) => boolean) {
  const rows = runs.flatMap((run) => run.rows);
  if (rows.length > 0 && rows.every(({ moves }) => moves === null))
    throw new ToolError("NOT_ENOUGH_DATA", "The newest run was stored by a version without price changes", {
      hint: "The next nightly run has them.",
      command: "market-signal engine run",
    });
  const members = rows.filter(matches);
  const closes: RunCoverage["closes"] = {
    stocks: newestOf(rows, "stocks"),
    crypto: newestOf(rows, "crypto"),
  };
  const current = members.filter((row) => row.as_of === closes[kindOf(row)]);
  const moved = current.filter((row): row is MovedRow => row.moves !== null);
  return { moved, closes, members: members.length, older: members.length - current.length };
}

const newestOf = (rows: readonly EngineRow[], kind: MarketKind): string | null =>
  rows
    .filter((row) => kindOf(row) === kind)
    .map(({ as_of }) => as_of)
    .sort()
    .at(-1) ?? null;
