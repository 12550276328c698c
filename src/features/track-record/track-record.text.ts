import type { Market } from "../../domain/market/market.ts";
import type { OddsRow } from "../../domain/odds/odds-record.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { PublishedRecord, ROverBase, ShownTrackRow } from "../../domain/track-record/track.ts";
import { tableRow } from "../../lib/table-row.ts";
import { formatOddsRows } from "./odds-record.text.ts";

const HEAD = [
  ...["grade", "side", "class", "bars", "n", "n_eff", "hits", "95% interval", "base", "excess"],
  ...["win R", "loss R", "Brier", "skill"],
];
const WIDTHS = [7, 7, 8, 6, 8, 9, 8, 18, 8, 9, 8, 8, 8];
const R_HEAD = ["grade", "side", "class", "trades", "R", "base R", "over base", "95% interval"];
const R_WIDTHS = [7, 7, 8, 8, 8, 8, 11];

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
} & ReturnType<typeof trackNotes> &
  Pick<PublishedRecord, "signals"> & {
    readonly [Field in "from" | "until" | "model_version"]: string | null;
  } & { readonly rows: readonly ShownTrackRow[] };

/** Formats a record as its summary and tables. */
export function formatTrackRecord(
  { summary, rows, r_over_base, odds, reason, notes, signals, from, until, model_version }: TrackAnswer,
  paint: Paint,
): string {
  const span =
    from === null || until === null ? "" : `, decided ${from.slice(0, 10)} to ${until.slice(0, 10)}`;
  return [
    ...summary,
    ...(rows.length === 0 ? [] : [paint("dim", tableRow(HEAD, WIDTHS)), ...rows.map(formatTrackRow)]),
    ...(r_over_base.length === 0
      ? []
      : [paint("dim", tableRow(R_HEAD, R_WIDTHS)), ...r_over_base.map(formatROverBase)]),
    ...(reason === null ? [] : [paint("yellow", reason)]),
    ...formatOddsRows(odds, paint),
    ...notes.map((note) => paint("dim", note)),
    paint("dim", `${signals} signals${span}${model_version === null ? "" : `, ${model_version}`}`),
  ].join("\n");
}

function formatTrackRow({ interval, trades, ...row }: ShownTrackRow): string {
  const cells = [
    row.grade ?? "-",
    row.direction,
    row.asset_class,
    String(row.horizon),
    String(row.n),
    row.n_eff.toFixed(1),
    percent(row.hit_rate),
    interval === null ? "-" : `${percent(interval.low)} - ${percent(interval.high)}`,
    percent(row.base_rate),
    percent(row.mean_excess, 2),
    figure(trades.mean_win_r, 2),
    figure(trades.mean_loss_r, 2),
    figure(row.brier, 3),
    figure(row.skill, 3),
  ];
  return tableRow(cells, WIDTHS);
}

function formatROverBase({ interval, ...row }: ROverBase): string {
  const cells = [
    row.grade ?? "all",
    row.direction,
    row.asset_class ?? "all",
    String(row.n),
    figure(row.mean_r, 2),
    figure(row.base_r, 2),
    figure(row.over_base, 2),
    interval === null ? "-" : `${figure(interval.low, 2)} to ${figure(interval.high, 2)}`,
  ];
  return tableRow(cells, R_WIDTHS);
}

const figure = (value: number | null, digits: number): string =>
  value === null ? "-" : value.toFixed(digits);
const percent = (value: number | null, digits = 1): string =>
  value === null ? "-" : `${(100 * value).toFixed(digits)}%`;
