import type { AssetClass } from "../../domain/market/market.ts";
import type { Span } from "../../domain/nightly/engine.ts";
import type { MoverRow } from "../../domain/nightly/movers.ts";
import { rounded } from "../../lib/rounded.ts";
import { withStaleNotes } from "../signal/notes.ts";
import { type MovedRow, rowsAtClose } from "./run-closes.ts";
import { runNote, runNotes, staleRunNotes } from "./run-notes.ts";
import { type NewestRunPorts, unknownSectorNotes, wholeRuns } from "./screen.ts";
import { sameText } from "./screen-filters.ts";

export const MOVER_LISTS = ["gainers", "losers", "most_active"] as const;
export type MoverList = (typeof MOVER_LISTS)[number];

interface MoversRequest {
  readonly list?: MoverList | undefined;
  readonly period: Span;
  readonly asset_class: AssetClass | "all";
  readonly sector?: string | undefined;
  readonly min_price?: number | undefined;
  readonly min_dollar_volume?: number | undefined;
  readonly limit: number;
}

/**
 * Returns the members of the newest runs with the highest and lowest returns and the highest dollar volume. Rejects with
 * NOT_ENOUGH_DATA before the first run.
 */
export async function readMovers(
  { list, period, asset_class, sector, min_price = 0, min_dollar_volume = 0, limit }: MoversRequest,
  ports: NewestRunPorts,
) {
  const runs = await wholeRuns(ports, asset_class === "all" ? undefined : [asset_class]);
  const { moved, ...coverage } = rowsAtClose(
    runs,
    (row) =>
      (asset_class === "all" || row.asset_class === asset_class) &&
      (sector === undefined || (row.sector !== null && sameText(row.sector, sector))) &&
      row.close >= min_price,
  );
  const rows = moved
    .map((row) => moverRow(row, period))
    .filter(({ dollar_volume }) => min_dollar_volume === 0 || (dollar_volume ?? 0) >= min_dollar_volume);
  const ranked = rows.filter((row) => row.change_percent !== null);
  const now = ports.clock.now();
  const lists = {
    gainers: ranked.filter((row) => row.change_percent! > 0).sort(by((row) => -row.change_percent!)),
    losers: ranked.filter((row) => row.change_percent! < 0).sort(by((row) => row.change_percent!)),
    most_active: rows.filter((row) => row.dollar_volume !== null).sort(by((row) => -row.dollar_volume!)),
  } as const satisfies Record<MoverList, readonly MoverRow[]>;
  const listOf = (name: MoverList) =>
    list === undefined || list === name ? lists[name].slice(0, limit) : null;
  return {
    period,
    gainers: listOf("gainers"),
    losers: listOf("losers"),
    most_active: listOf("most_active"),
    coverage: {
      ...coverage,
      compared: ranked.length,
      incomplete: coverage.members - coverage.older - ranked.length,
    },
    runs: runs.map((run) => runNote(run, now)),
    ...withStaleNotes(staleRunNotes(runs, now), [
      ...runNotes(runs, now),
      ...unknownSectorNotes(sector === undefined ? undefined : [sector], runs),
    ]),
  };
}

const moverRow = (row: MovedRow, period: Span): MoverRow => ({
  symbol: row.symbol,
  name: row.name,
  asset_class: row.asset_class,
  sector: row.sector,
  close: row.close,
  change_percent: row.moves.returns[period],
  volume: row.moves.volume,
  dollar_volume: row.moves.volume === null ? null : rounded(row.moves.volume * row.close, 0),
  volume_ratio: row.moves.volume_ratio,
  bias: row.direction,
  grade: row.grade,
});

/** Orders rows by a number, equal ones by symbol. */
const by =
  (order: (row: MoverRow) => number) =>
  (a: MoverRow, b: MoverRow): number =>
    order(a) - order(b) || (a.symbol < b.symbol ? -1 : 1);
