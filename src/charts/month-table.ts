import type { BacktestResult } from "../domain/backtest/backtest.ts";
import { fixedText } from "./figures.ts";
import { table } from "./report-table.ts";

/** Return of one month (`YYYY-MM`), percent. */
type MonthReturn = BacktestResult["months"][number];

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/** Bounds, in percent, of the monthly return that gets the strongest colour; between them it is the largest return. */
const FULL = { min: 2, max: 15 } as const;
const COLOURS = { up: "0,150,136", down: "211,47,47" } as const;

/** Renders the monthly returns as a heat map with one row per year and its compounded return. */
export function monthTable(months: readonly MonthReturn[]): string {
  const largest = Math.max(...months.map(({ return_pct }) => Math.abs(return_pct)));
  const full = Math.min(FULL.max, Math.max(FULL.min, largest));
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))].sort();
  const rows = years.map((year) => {
    const own = months.filter(({ month }) => month.startsWith(year));
    const cells = MONTHS.map((_, i) =>
      heat(own.find(({ month }) => Number(month.slice(5)) === i + 1)?.return_pct, full),
    );
    return `<td>${year}</td>${cells.join("")}${total(own)}`;
  });
  return table({ head: ["Year", ...MONTHS, "Year"], kind: "heat" }, rows);
}

const signed = (percent: number): string => {
  const text = fixedText(percent, 1);
  return percent > 0 && !/^0\.0$/.test(text) ? `+${text}` : text;
};

/** Renders one month; empty outside the run. */
function heat(percent: number | undefined, full: number): string {
  if (percent === undefined) return "<td></td>";
  const strength = Math.min(1, Math.abs(percent) / full);
  const colour = COLOURS[percent >= 0 ? "up" : "down"];
  return `<td style="background:rgba(${colour},${(0.06 + 0.5 * strength).toFixed(2)})">${signed(percent)}</td>`;
}

function total(months: readonly MonthReturn[]): string {
  const percent = (months.reduce((growth, { return_pct }) => growth * (1 + return_pct / 100), 1) - 1) * 100;
  return `<td class="${percent < 0 ? "down" : "up"}"><b>${signed(percent)}</b></td>`;
}
