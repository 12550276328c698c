import { kellyShare } from "../../../src/analytics/sizing/kelly.ts";
import { effectiveCount, wilson } from "../../../src/analytics/track/interval.ts";
import { TIME_EXIT } from "../../../src/analytics/track/outcome.ts";
import { recordFold } from "../../../src/analytics/track/record.ts";
import type { ROverBase, ScoredSignal, TrackRow } from "../../../src/domain/track-record/track.ts";
import { tableOf } from "../detectors/report.ts";
import type { HeldOut } from "./held-out.ts";

/** Held-out symbols below which no statement is made about the scale. */
const MIN_SYMBOLS = 20;

/** Trades against their base, of the own files and of held-out ones. */
export interface OverBaseResults {
  readonly own: readonly ROverBase[];
  /** Null if no folder of held-out stocks was named. */
  readonly heldOut: HeldOutResults | null;
}
interface HeldOutResults extends Pick<HeldOut, "symbols"> {
  readonly rows: readonly ROverBase[];
  readonly from: string;
  readonly until: string;
}

export function heldOutResults({ scored, symbols }: HeldOut): HeldOutResults {
  const inOrder = scored.toSorted((a, b) => a.at - b.at);
  const fold = recordFold();
  fold.add(inOrder);
  const dayOf = (one: ScoredSignal | undefined) => new Date(one?.at ?? Number.NaN).toISOString().slice(0, 10);
  return { symbols, rows: [...fold.overBase()], from: dayOf(inOrder[0]), until: dayOf(inOrder.at(-1)) };
}

/** States R, its base and the difference for each direction, all asset classes together. */
export const overBaseText = (rows: readonly ROverBase[]): string =>
  rows
    .filter(({ asset_class, grade }) => asset_class === null && grade === null)
    .map(
      ({ direction, mean_r, base_r, over_base, interval }) =>
        `${direction} ${r(mean_r)} R, base ${r(base_r)}, over base ${r(over_base)}${interval === null ? "" : ` (${r(interval.low)} to ${r(interval.high)})`}`,
    )
    .join("; ");

/** States whether each direction is above its base by more than the error. */
export function overBaseVerdict(rows: readonly ROverBase[]): string {
  const verdicts = rows
    .filter(({ asset_class, grade }) => asset_class === null && grade === null)
    .map(({ direction, interval }) => {
      if (interval === null) return `${direction} has too few quarters to say`;
      if (interval.low > 0) return `${direction} is above its base`;
      return interval.high < 0
        ? `${direction} is below its base`
        : `${direction} does not differ from its base by more than the error`;
    });
  return verdicts.join(", ");
}

/** True if, in these rows, both directions are above their base by more than the error. */
const isAbove = (rows: readonly ROverBase[]): boolean => {
  const own = rows.filter(({ asset_class, grade }) => asset_class === null && grade === null);
  return own.length === 2 && own.every(({ interval }) => interval !== null && interval.low > 0);
};

/** States that the scale leans the right way; null unless the own files and enough held-out stocks agree. */
export const leaningText = ({ own, heldOut }: OverBaseResults): string | null =>
  heldOut !== null && heldOut.symbols.length >= MIN_SYMBOLS && isAbove(own) && isAbove(heldOut.rows)
    ? `The scale leans the right way, in these files and in ${heldOut.symbols.length} held-out stocks.`
    : null;

/** Table of each direction and asset class: own files beside held-out ones. */
export function overBaseTable({ own, heldOut }: OverBaseResults): string {
  const isWhole = ({ grade }: ROverBase) => grade === null;
  const names = [...new Set([...own, ...(heldOut?.rows ?? [])].filter(isWhole).map(nameOf))];
  const cellsOf = (rows: readonly ROverBase[], name: string) => {
    const row = rows.find((one) => isWhole(one) && nameOf(one) === name);
    return row === undefined ? ["-", "-", "-", "-", "-"] : figuresOf(row);
  };
  const head = ["trades", "R", "base R", "over base", "95% interval"];
  return tableOf(
    ["", ...head, ...(heldOut === null ? [] : head.map((cell) => `held-out ${cell}`))],
    names.map((name) => [
      name,
      ...cellsOf(own, name),
      ...(heldOut === null ? [] : cellsOf(heldOut.rows, name)),
    ]),
  );
}

/** Table of each grade, all asset classes together. */
export const gradeOverBaseTable = ({ own }: OverBaseResults): string =>
  tableOf(
    ["", "trades", "R", "base R", "over base", "95% interval"],
    own
      .filter(({ asset_class, grade }) => asset_class === null && grade !== null)
      .map((row) => [`${row.direction} ${row.grade}`, ...figuresOf(row)]),
  );

export const heldOutText = ({ heldOut }: OverBaseResults): string =>
  heldOut === null
    ? "No held-out stocks: name a folder of their daily bars in `MARKET_SIGNAL_HELD_OUT` to show them beside these."
    : `Held out: ${heldOut.symbols.length} ${heldOut.symbols.length === 1 ? "symbol" : "symbols"} (${heldOut.symbols.slice(0, 10).join(", ")}${heldOut.symbols.length > 10 ? ", ..." : ""}), ${heldOut.from} to ${heldOut.until}, from the folder named in \`MARKET_SIGNAL_HELD_OUT\`.${heldOut.symbols.length < MIN_SYMBOLS ? ` Fewer than ${MIN_SYMBOLS} symbols say nothing about others.` : ""}`;

/** States in how many groups of the record the Kelly fraction of `sizeByKelly` is above 0. */
export function kellyText(rows: readonly TrackRow[]): string {
  const groups = rows.filter(
    ({ horizon, direction, trades }) => horizon === TIME_EXIT && direction !== "WAIT" && trades.n > 0,
  );
  const positive = groups.flatMap(({ grade, direction, asset_class, trades }) => {
    const p = wilson(trades.win_rate!, effectiveCount(trades.n, TIME_EXIT))!.low;
    const loss = trades.mean_loss_r === null || trades.mean_loss_r === 0 ? null : -trades.mean_loss_r;
    const f = kellyShare(p, trades.mean_win_r, loss);
    return f > 0 ? `${asset_class} ${direction} ${grade} (${f.toFixed(3)})` : [];
  });
  return `Kelly sizing takes the lower bound of the win rate: ${groups.length - positive.length} of ${groups.length} groups of grade, direction and asset class have no positive Kelly fraction${positive.length === 0 ? "" : `; above 0: ${positive.join(", ")}, of ${groups.length} groups chance alone makes about ${Math.max(1, Math.round(groups.length * 0.025))} so`}. [Trading](../trading.md) says how such trades are sized.`;
}

const nameOf = ({ direction, asset_class }: ROverBase): string => `${direction} ${asset_class ?? "all"}`;
const figuresOf = ({ n, mean_r, base_r, over_base, interval }: ROverBase): readonly string[] => [
  n.toLocaleString("en-US"),
  ...[mean_r, base_r, over_base].map(r),
  interval === null ? "-" : `${r(interval.low)} to ${r(interval.high)}`,
];
const r = (value: number | null): string =>
  value === null ? "-" : `${value < 0 ? "" : "+"}${value.toFixed(2)}`;
