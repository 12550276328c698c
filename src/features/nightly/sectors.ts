import { mean } from "../../analytics/statistics.ts";
import { SPANS, type Span } from "../../domain/nightly/engine.ts";
import type { SectorFigures, SectorRow } from "../../domain/nightly/movers.ts";
import { groupBy } from "../../lib/group-by.ts";
import { rounded } from "../../lib/rounded.ts";
import { withStaleNotes } from "../signal/notes.ts";
import { type MovedRow, rowsAtClose } from "./run-closes.ts";
import { runNote, runNotes, staleRunNotes } from "./run-notes.ts";
import { type NewestRunPorts, wholeRuns } from "./screen.ts";

/**
 * Returns the performance of each sector over the stocks of the newest run, the best sector over `period` first. Rejects
 * with NOT_ENOUGH_DATA before the first run.
 */
export async function readSectors(period: Span, ports: NewestRunPorts) {
  const runs = await wholeRuns(ports, ["equity"]);
  const { moved, ...coverage } = rowsAtClose(
    runs,
    ({ asset_class, sector }) => asset_class === "equity" && sector !== null,
  );
  const sectors = [...groupBy(moved, ({ sector }) => sector!)]
    .map(([sector, rows]) => sectorRow(sector, rows, period))
    .sort((a, b) => orderOf(b, period) - orderOf(a, period) || (a.sector < b.sector ? -1 : 1));
  const now = ports.clock.now();
  return {
    period,
    sectors,
    all: figuresOf(moved, period),
    coverage: {
      ...coverage,
      compared: moved.length,
      incomplete: coverage.members - coverage.older - moved.length,
    },
    runs: runs.map((run) => runNote(run, now)),
    ...withStaleNotes(staleRunNotes(runs, now), [
      ...runNotes(runs, now),
      ...(coverage.members === 0 ? ["No stock of the run has a sector"] : []),
      ...SPANS.flatMap((span) => partialNote(moved, span)),
    ]),
  };
}

function sectorRow(sector: string, rows: readonly MovedRow[], period: Span): SectorRow {
  const ranked = rows
    .flatMap(({ symbol, moves }) => {
      const change = moves.returns[period];
      return change === null ? [] : [{ symbol, change_percent: change }];
    })
    .sort((a, b) => b.change_percent - a.change_percent || (a.symbol < b.symbol ? -1 : 1));
  return { sector, ...figuresOf(rows, period), leader: ranked[0] ?? null, laggard: ranked.at(-1) ?? null };
}

function figuresOf(rows: readonly MovedRow[], period: Span): SectorFigures {
  const changes = (span: Span) => rows.flatMap(({ moves }) => moves.returns[span] ?? []);
  const above = rows.flatMap(({ moves }) => moves.above_sma_50 ?? []);
  const returns = SPANS.map((span) => [span, meanOrNull(changes(span))]);
  return {
    members: rows.length,
    returns: Object.fromEntries(returns) as SectorFigures["returns"],
    above_sma_50_percent: meanOrNull(above.map((isAbove) => (isAbove ? 100 : 0))),
    up: changes(period).filter((change) => change > 0).length,
    down: changes(period).filter((change) => change < 0).length,
  };
}

const meanOrNull = (values: readonly number[]): number | null =>
  values.length === 0 ? null : rounded(mean(values), 2);

/** Returns the rank of a sector; one without a return comes last. */
const orderOf = ({ returns }: SectorRow, period: Span): number => returns[period] ?? Number.NEGATIVE_INFINITY;

/** Returns a note if only some members have a return over a span. */
function partialNote(rows: readonly MovedRow[], span: Span): readonly string[] {
  const known = rows.filter(({ moves }) => moves.returns[span] !== null).length;
  return known === rows.length ? [] : [`Returns over ${span} cover ${known} of the ${rows.length} members`];
}
