import { formatGrade } from "../../domain/signal/grade.text.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { PositionRow } from "../../domain/trading/positions.ts";
import { decimal } from "../../lib/decimal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { plainText } from "../../lib/plain-text.ts";

const COLOUR = { EXIT: "red", REDUCE: "yellow", HOLD: "green", REVIEW: "cyan" } as const;

/** Formats a position: holding and value, recommended action with reasons, stop and grade. */
export function formatPosition(row: PositionRow, paint: Paint): readonly string[] {
  const { edge } = row;
  const colour = COLOUR[edge.action];
  const account = row.account_label === null ? row.connection_id : plainText(row.account_label, 40);
  const why = edge.why.map((reason, i) =>
    i === 0 ? `  ${paint(colour, paint("bold", edge.action))}  ${reason}` : `      ${reason}`,
  );
  return [
    `${paint("bold", row.symbol)}  ${row.side} ${decimal(row.quantity).abs().toFixed()} at ${row.average_price}${formatWorth(row, paint)}`,
    ...why,
    paint(
      "dim",
      `  ${[formatStop(row), formatGradeChange(row), formatLevels(row)].filter(Boolean).join("; ")}`,
    ),
    ...(row.price_reason === null ? [] : [paint("yellow", `  ${row.price_reason}`)]),
    paint("dim", `  held at ${account ?? "an imported account"}, as of ${row.as_of.slice(0, 16)}Z`),
  ];
}

/** Formats positions: a single one in full, several as a table with the reasons of each recommendation below. */
export function formatPositions(rows: readonly PositionRow[], paint: Paint): readonly string[] {
  if (rows.length < 2) return rows.flatMap((row) => formatPosition(row, paint));
  return [
    ...formatTable(rows, columnsOf(paint), paint),
    ...rows.flatMap(({ symbol, edge, price_reason }) => [
      `${paint("bold", symbol)}  ${paint(COLOUR[edge.action], edge.action)}  ${edge.why.join("; ")}`,
      ...(price_reason === null ? [] : [paint("yellow", `  ${price_reason}`)]),
    ]),
  ];
}

const columnsOf = (paint: Paint): readonly Column<PositionRow>[] => [
  { head: "symbol", cell: ({ symbol }) => symbol },
  { head: "side", cell: ({ side }) => side, rank: 3 },
  { head: "quantity", cell: ({ quantity }) => decimal(quantity).abs().toFixed() },
  { head: "average", cell: ({ average_price }) => average_price, rank: 2 },
  { head: "price", cell: ({ price }) => price ?? "-", rank: 1 },
  { head: "gain", cell: ({ unrealized_pnl: gain }) => (gain === null ? "-" : withSign(gain)) },
  {
    head: "gain %",
    cell: ({ unrealized_pct: percent }) => (percent === null ? "-" : withSign(percent.toFixed(2))),
    rank: 2,
  },
  { head: "action", cell: ({ edge: { action } }) => paint(COLOUR[action], action) },
  { head: "stop", cell: stopOf, rank: 4 },
  { head: "signal", cell: ({ edge: { signal } }) => signal?.direction ?? "-", rank: 5 },
  { head: "account", cell: accountOf, rank: 6 },
  { head: "price of", cell: ({ price_as_of: at }) => (at === null ? "-" : `${at.slice(0, 16)}Z`), rank: 7 },
];

const withSign = (text: string): string => (text.startsWith("-") ? text : `+${text}`);

const stopOf = ({ edge: { opening, stop_breached } }: PositionRow): string =>
  opening === null || opening.stop_loss === null
    ? "-"
    : `${formatPrice(opening.stop_loss)}${stop_breached === true ? " REACHED" : ""}`;

const accountOf = ({ account_label: label, connection_id }: PositionRow): string =>
  label === null ? (connection_id ?? "imported") : plainText(label, 40);

function formatWorth(row: PositionRow, paint: Paint): string {
  const { price, price_source, price_as_of: at, unrealized_pnl: gain, unrealized_pct: percent } = row;
  if (price === null || gain === null) return paint("yellow", ", no price");
  const parts = [price_source?.replaceAll("_", " ") ?? "", at === null ? "" : formatPriceTime(at, row.as_of)];
  const source = parts.filter(Boolean).join(", ");
  const sign = gain.startsWith("-") ? "" : "+";
  const share = percent === null ? "" : ` (${sign}${percent.toFixed(2)} %)`;
  return `, now ${price} USD${source === "" ? "" : ` (${source})`}  ${paint(gain.startsWith("-") ? "red" : "green", `${sign}${gain} USD${share}`)}`;
}

/** Formats the time of a price, with its date when that differs from `day`. */
const formatPriceTime = (at: string, day: string): string =>
  at.slice(0, 10) === day.slice(0, 10) ? `${at.slice(11, 19)}Z` : `${at.slice(0, 19)}Z`;

function formatStop({ edge: { opening, stop_breached } }: PositionRow): string {
  if (opening === null || opening.stop_loss === null) return "no known stop";
  const origin =
    opening.stop_source === "order" ? "of its order" : `of the signal of ${opening.as_of.slice(0, 10)}`;
  const state = stop_breached === null ? "not checked" : stop_breached ? "REACHED" : "not reached";
  return `stop ${formatPrice(opening.stop_loss)} ${origin}: ${state}`;
}

function formatGradeChange({ edge: { opening, signal, grade_steps: steps } }: PositionRow): string {
  if (signal === null) return "no current signal";
  const now = `signal ${signal.direction}, ${formatGrade(signal)}`;
  if (steps === null || opening === null) return now;
  const change = steps === 0 ? "unchanged" : steps > 0 ? "better" : "worse";
  return `${now}, was ${opening.grade} on ${opening.as_of.slice(0, 10)}: ${change}`;
}

const formatLevels = ({ edge: { signal } }: PositionRow): string =>
  signal === null || signal.stop_loss === null || signal.target === null
    ? ""
    : `its stop ${formatPrice(signal.stop_loss)}, target ${formatPrice(signal.target)}, of bars to ${signal.as_of.slice(0, 10)}`;
