import { kindOf } from "../../domain/market/market.ts";
import type { EngineRow, EngineRun } from "../../domain/nightly/engine.ts";
import type { RunNote, ScreenRow } from "../../domain/nightly/scan.ts";
import type { EngineResult } from "../../domain/ports.ts";
import { isStale } from "../../market/calendar/stale-bars.ts";
import { staleRowNotes } from "../signal/notes.ts";

/** Maximum share of failed members that is not noted. */
const MAX_UNNOTED_LOSS = 0.1;
const FRESH_MINUTES = 1440;

/** Returns a nightly result that is at most 1,440 minutes old at `now` and not in the future; null otherwise. */
export const freshResult = (result: EngineResult | null, now: Date): EngineResult | null =>
  result !== null && isFresh(result, now) ? result : null;

type RunRows = Pick<EngineRun, "universe" | "rows">;

interface RunTimes {
  readonly runAt: string | null;
  readonly started_at?: string;
}

/** Returns the finish time of a run or, while it is not finished, its start time. */
export const timeOf = ({ runAt, started_at = "" }: RunTimes): string => runAt ?? started_at;

/** Returns true when a run is at most 1,440 minutes old at `now` and not in the future. */
export function isFresh(run: RunTimes, now: Date): boolean {
  const minutes = (now.getTime() - Date.parse(timeOf(run))) / 60_000;
  return minutes >= 0 && minutes <= FRESH_MINUTES;
}

/** Describes a run without its rows. Counts members only for the asset classes that were read. */
export const runNote = (run: EngineRun, now: Date): RunNote => ({
  run_id: run.run_id,
  universe: run.universe,
  universe_hash: run.universe_hash,
  runAt: run.runAt,
  as_of: run.as_of,
  bars_as_of: newestOf(run.rows),
  members: membersIn(run),
  computed: run.rows.length + run.failures.length,
  failed: run.failures.length,
  unscored: run.rows.filter(({ score }) => score === null).length,
  stale: !isFresh(run, now),
  source: [...new Set(run.rows.map(({ source }) => source))].sort().join(", "),
});

/** Counts the members of a run, of the asset classes that were read. */
function membersIn({ runAt, rows, failures, members }: EngineRun): number {
  if (runAt !== null) return rows.length + failures.length;
  const kinds = new Set(rows.map(kindOf));
  return members.filter((symbol) => kinds.has(symbol.endsWith("-USD") ? "crypto" : "stocks")).length;
}

/** Returns notes on runs whose newest bars are stale. */
export const staleRunNotes = (runs: readonly RunRows[], now: Date): string[] =>
  runs.flatMap((run) =>
    oldKinds(run, now).map(
      ({ of, closed }) =>
        `Stale: the newest bars ${of} the run over ${run.universe} closed at ${closed}: the run describes that day`,
    ),
  );

/** Returns notes on the other limits of runs: old runs and missing members. */
export const runNotes = (runs: readonly EngineRun[], now: Date): string[] =>
  runs.flatMap((run) => [
    ...(run.runAt === null ? [progressNote(run)] : []),
    ...(isFresh(run, now) ? [] : [staleNote(run, now)]),
    ...lossNote(run),
    ...(run.universe === "sp500" ? [SP500] : []),
  ]);

/** Returns true for a row of a run whose bars are stale; runs use daily bars. */
export const isStaleRow = (
  { as_of: closed, asset_class }: Pick<EngineRow, "as_of" | "asset_class">,
  now: Date,
): boolean => isStale({ closed, at: now.getTime(), timeframe: "1d", asset_class });

/** Returns a row as it is served: on stale bars its tier is NEUTRAL. */
export const servedRow = (row: EngineRow, now: Date): EngineRow =>
  isStaleRow(row, now) ? { ...row, tier: "NEUTRAL" } : row;

/** Returns notes on rows whose bars are older than those of most other rows of their kind. */
export function runNotesOnRows(
  lines: readonly Pick<ScreenRow, "symbol" | "asset_class" | "as_of">[],
  runs: readonly RunRows[],
  now: Date,
): string[] {
  const old = new Set(runs.flatMap((run) => oldKinds(run, now).flatMap(({ kinds }) => kinds)));
  return staleRowNotes(
    lines.filter((line) => !old.has(kindIn(line))),
    { at: now.getTime(), timeframe: "1d" },
  );
}

const SP500 =
  "sp500 means the large US stocks known to this server, or every stock and fund of this market when prices are not live; it is not the index itself";

function progressNote(run: EngineRun): string {
  const early = run.rows.some((row) => row.early === true);
  const ranks = early ? "; scores change slightly once all are read and ranked" : "";
  return `The first run over ${run.universe} is not finished: results of ${run.rows.length} of ${membersIn(run)} symbols, largest first${ranks}`;
}

function staleNote(run: EngineRun, now: Date): string {
  const at = timeOf(run);
  return `The newest run over ${run.universe} is from ${at}, ${Date.parse(at) > now.getTime() ? "in the future" : "more than a day ago"}`;
}

function lossNote({ universe, rows, failures }: EngineRun): string[] {
  const members = rows.length + failures.length;
  if (failures.length <= MAX_UNNOTED_LOSS * members) return [];
  return [
    `${failures.length} of the ${members} members of the run over ${universe} have no result, so it does not cover the whole market`,
  ];
}

const KINDS = { stocks: "stocks and funds", crypto: "coins" } as const;
const kindIn = (row: Pick<EngineRow, "asset_class">) => KINDS[kindOf(row)];

const newestOf = (rows: readonly EngineRow[]): string | null =>
  rows
    .map(({ as_of }) => as_of)
    .sort()
    .at(-1) ?? null;

/** Returns the market kinds of a run whose newest bars are old, merged when all kinds are. */
function oldKinds({ rows }: RunRows, now: Date) {
  const all = [...new Set(rows.map(kindIn))].map((kind) => {
    const ofKind = rows.filter((row) => kindIn(row) === kind);
    const newest = { as_of: newestOf(ofKind)!, asset_class: ofKind[0]!.asset_class };
    return { of: `of ${kind} in`, kinds: [kind], closed: newest.as_of, isOld: isStaleRow(newest, now) };
  });
  const old = all.filter(({ isOld }) => isOld);
  const closed = newestOf(rows);
  return closed !== null && old.length === all.length
    ? [{ of: "of", kinds: all.flatMap(({ kinds }) => kinds), closed }]
    : old;
}
