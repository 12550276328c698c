import type { Market } from "../../domain/market/market.ts";
import type { OddsRow } from "../../domain/odds/odds-record.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { PublishedRecord, ROverBase, ShownTrackRow } from "../../domain/track-record/track.ts";
import { formatCheckRows } from "./check-record.text.ts";
import type { CheckSelection } from "./check-rows.ts";
import { formatOddsRows } from "./odds-record.text.ts";

interface NotesRequest {
  /** Number of rows returned. */
  readonly rows: number;
  /** true: only trades at the maximum holding period are returned. */
  readonly short: boolean;
  /** Number of matching rows left out. */
  readonly omitted: number;
  readonly market: Market["mode"];
}

/** Returns the notes of a record, and the reason why it has no rows. */
export function trackNotes(
  record: PublishedRecord | null,
  { rows, short, omitted, market }: NotesRequest,
): { readonly reason: string | null; readonly notes: string[] } {
  if (record === null)
    return {
      reason:
        "No signal of a nightly run has an outcome yet: the first outcomes need 5 more bars. The owner of the server can build a record from history.",
      notes: [],
    };
  return {
    reason: rows === 0 ? "No matching signal has an outcome" : null,
    notes: [
      market === "sample" ? SIMULATED : SURVIVORS,
      "Symbols move together within a day but count separately, so intervals are narrower than they should be.",
      ...(record.r_over_base === undefined ? [NO_R_OVER_BASE] : []),
      ...(omitted > 0 ? [`${omitted} groups with fewer outcomes are left out.`] : []),
      ...(short ? ["detail=full adds all groups, WAIT, and the outcomes after 5 and 60 bars."] : []),
    ],
  };
}

const SURVIVORS =
  "Replayed history lacks delisted symbols, which makes LONG and its base rate look too good.";
const SIMULATED =
  "Signals of a simulated market say nothing about real ones; docs/sample-market.md states how its prices are made and what grades are worth in it.";
const NO_R_OVER_BASE =
  "The record was computed by an earlier version, without R over base: the owner of the server adds it by replaying history.";

type TrackAnswer = {
  readonly summary: readonly string[];
  readonly r_over_base: readonly ROverBase[];
  readonly odds: { readonly rows: readonly OddsRow[]; readonly reason: string | null };
  readonly checks: Pick<CheckSelection, "rows" | "reason">;
} & ReturnType<typeof trackNotes> &
  Pick<PublishedRecord, "signals"> & {
    readonly [Field in "from" | "until" | "model_version"]: string | null;
  } & { readonly rows: readonly ShownTrackRow[] };

/** Formats a record as its summary and tables. */
export function formatTrackRecord(
  {
    summary,
    rows,
    r_over_base,
    odds,
    checks,
    reason,
    notes,
    signals,
    from,
    until,
    model_version,
  }: TrackAnswer,
  paint: Paint,
): string {
  const span =
    from === null || until === null ? "" : `, decided ${from.slice(0, 10)} to ${until.slice(0, 10)}`;
  return [
    ...summary,
    ...(rows.length === 0 ? [] : formatTable(rows, COLUMNS, paint)),
    ...(r_over_base.length === 0 ? [] : formatTable(r_over_base, R_COLUMNS, paint)),
    ...(reason === null ? [] : [paint("yellow", reason)]),
    ...formatOddsRows(odds, paint),
    ...formatCheckRows(checks, paint),
    ...(checks.reason === null ? [] : [paint("dim", `Checked orders: ${checks.reason}.`)]),
    ...notes.map((note) => paint("dim", note)),
    paint("dim", `${signals} signals${span}${model_version === null ? "" : `, ${model_version}`}`),
  ].join("\n");
}

const figure = (value: number | null, digits: number): string =>
  value === null ? "-" : value.toFixed(digits);
const percent = (value: number | null, digits = 1): string =>
  value === null ? "-" : `${(100 * value).toFixed(digits)}%`;

const COLUMNS: readonly Column<ShownTrackRow>[] = [
  { head: "grade", cell: ({ grade }) => grade ?? "-" },
  { head: "side", cell: ({ direction }) => direction },
  { head: "class", cell: ({ asset_class }) => asset_class },
  { head: "bars", cell: ({ horizon }) => String(horizon) },
  { head: "n", cell: ({ n }) => String(n) },
  { head: "n_eff", cell: ({ n_eff }) => n_eff.toFixed(1), rank: 2 },
  { head: "hits", cell: ({ hit_rate }) => percent(hit_rate) },
  {
    head: "95% interval",
    cell: ({ interval }) =>
      interval === null ? "-" : `${percent(interval.low)} - ${percent(interval.high)}`,
  },
  { head: "base", cell: ({ base_rate }) => percent(base_rate) },
  { head: "excess", cell: ({ mean_excess }) => percent(mean_excess, 2), rank: 1 },
  { head: "win R", cell: ({ trades }) => figure(trades.mean_win_r, 2), rank: 3 },
  { head: "loss R", cell: ({ trades }) => figure(trades.mean_loss_r, 2), rank: 4 },
  { head: "Brier", cell: ({ brier }) => figure(brier, 3), rank: 6 },
  { head: "skill", cell: ({ skill }) => figure(skill, 3), rank: 5 },
];
const R_COLUMNS: readonly Column<ROverBase>[] = [
  { head: "grade", cell: ({ grade }) => grade ?? "all" },
  { head: "side", cell: ({ direction }) => direction },
  { head: "class", cell: ({ asset_class }) => asset_class ?? "all" },
  { head: "trades", cell: ({ n }) => String(n) },
  { head: "R", cell: ({ mean_r }) => figure(mean_r, 2) },
  { head: "base R", cell: ({ base_r }) => figure(base_r, 2), rank: 1 },
  { head: "over base", cell: ({ over_base }) => figure(over_base, 2) },
  {
    head: "95% interval",
    cell: ({ interval }) =>
      interval === null ? "-" : `${figure(interval.low, 2)} to ${figure(interval.high, 2)}`,
  },
];
