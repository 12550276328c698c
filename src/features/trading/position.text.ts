import { formatGrade } from "../../domain/signal/grade.text.ts";
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
