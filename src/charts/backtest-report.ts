import type { Trade } from "../analytics/backtest/types.ts";
import { type EquityChart, equityAltText } from "./equity.text.ts";
import { equitySvg } from "./equity.ts";
import { momentText } from "./figures.ts";
import { type MonthReturn, monthTable } from "./month-table.ts";
import { REPORT_STYLE } from "./report-style.ts";
import {
  emptyNote,
  figureCell,
  figureText,
  missingReasons,
  table,
  textCell,
  type Unit,
} from "./report-table.ts";
import { xmlText } from "./svg.ts";

/** One figure of a run, what it means in a sentence, and why it is not known where it is null. */
export interface ReportFigure {
  readonly name: string;
  readonly value: number | null;
  readonly unit: Unit;
  readonly explains: string;
  readonly reason: string | null;
}

/** Result of a part of a run, or of a run under other costs. */
export interface ReportSlice {
  /** E.g. `2025`, `First half`, `2x costs`. */
  readonly name: string;
  readonly return_pct: number | null;
  readonly buy_hold_return_pct: number | null;
  readonly sharpe_ratio: number | null;
  /** Percent, negative. */
  readonly max_drawdown: number | null;
  readonly trade_count: number | null;
  /** Why a figure is null. */
  readonly reason: string | null;
}

/** Rows, or why there are none. */
export interface ReportRows<Row> {
  readonly rows: readonly Row[];
  readonly reason: string | null;
}

/** A range that a figure lies in as often as the level says. */
export interface ReportInterval {
  readonly name: string;
  readonly low: number | null;
  readonly high: number | null;
  readonly unit: Unit;
  /** Percent, e.g. 95. */
  readonly level: number;
  /** How it was found. */
  readonly method: string;
  readonly reason: string | null;
}

export type ReportTrade = Pick<
  Trade,
  | "symbol"
  | "side"
  | "units"
  | "entryTime"
  | "exitTime"
  | "entryPrice"
  | "exitPrice"
  | "profit"
  | "return"
  | "reason"
>;

/** Everything a report shows about a run. Texts may be of any origin: they are escaped here. */
export interface BacktestReport {
  readonly symbols: readonly string[];
  readonly timeframe: string;
  readonly strategy: string;
  /** Description of the strategy in a sentence. */
  readonly explains: string;
  readonly params: readonly { readonly name: string; readonly value: string | number | boolean }[];
  /** Rules of one's own, as they were written; null where there are none. */
  readonly rules: string | null;
  /** Cash, costs, sizing: what the run was done with. */
  readonly terms: readonly { readonly name: string; readonly value: string }[];
  /** First and last bar traded, ISO 8601 UTC. */
  readonly from: string;
  readonly until: string;
  /** When it was computed, ISO 8601 UTC. */
  readonly madeAt: string;
  readonly source: string;
  readonly market: string;
  /** Words that mark made-up prices; null over real ones. */
  readonly simulated: string | null;
  readonly equityChart: EquityChart;
  readonly warnings: readonly string[];
  readonly metrics: readonly ReportFigure[];
  readonly months: ReportRows<MonthReturn>;
  readonly years: ReportRows<ReportSlice>;
  readonly costs: ReportRows<ReportSlice>;
  readonly halves: ReportRows<ReportSlice>;
  readonly intervals: ReportRows<ReportInterval>;
  /** The best combinations of a sweep, and its folds with what each chose on the past alone. */
  readonly sweep: ReportRows<ReportSlice>;
  readonly folds: ReportRows<ReportSlice>;
  /** In the order in which they were closed. */
  readonly trades: readonly ReportTrade[];
}

const MAX_TRADES = 500;

/** A run as one HTML page that needs nothing else: no script, no file, no network. @throws RangeError without bars */
export function reportHtml(report: BacktestReport): string {
  const { symbols, strategy, simulated, warnings, equityChart: picture } = report;
  const title = `${listed(symbols)}: ${strategy}`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">',
    `<title>${xmlText(`Backtest ${title}`, 120)}</title><style>${REPORT_STYLE}</style></head><body><main>`,
    simulated === null
      ? ""
      : `<p class="banner">${xmlText(simulated)}: every price of this run is made up. Nothing here happened in a market.</p>`,
    heading(report),
    warnings.length === 0
      ? ""
      : `<section class="warnings"><h2>Warnings</h2><ul>${warnings.map((warning) => `<li>${xmlText(warning, 400)}</li>`).join("")}</ul></section>`,
    facts(report),
    `<figure class="wide" role="img" aria-label="${xmlText(equityAltText(picture), 800)}">${equitySvg(picture)}</figure>`,
    "<h2>Figures</h2>",
    metrics(report),
    "<h2>Return of each month</h2>",
    report.months.rows.length === 0 ? emptyNote(report.months.reason) : monthTable(report.months.rows),
    slices("Each year", "Year", report.years),
    slices("If trading cost more", "Costs", report.costs),
    slices("First and second half", "Part", report.halves),
    report.sweep.rows.length === 0 ? "" : slices("Best of the sweep", "Parameters", report.sweep),
    report.folds.rows.length === 0 ? "" : slices("Chosen on the past alone", "Tested", report.folds),
    "<h2>How sure the figures are</h2>",
    intervals(report.intervals),
    "<h2>Trades</h2>",
    trades(report),
    `<footer><p>Source ${xmlText(report.source)}, ${xmlText(report.market)}. Computed ${momentText(report.madeAt)}, bars as of ${momentText(picture.asOf)}.</p><p>What rules would have made in the past does not tell what they will make.</p></footer>`,
    "</main></body></html>\n",
  ].join("\n");
}

const listed = (symbols: readonly string[]): string =>
  symbols.length <= 8
    ? symbols.join(", ")
    : `${symbols.slice(0, 8).join(", ")} and ${symbols.length - 8} more`;

const dayText = (iso: string): string =>
  iso.includes("T") && !iso.includes("T00:00:00") ? momentText(iso) : iso.slice(0, 10);

function heading({ symbols, timeframe, strategy, explains, from, until }: BacktestReport): string {
  return `<header><h1>${xmlText(listed(symbols), 160)} <span class="quiet">${xmlText(strategy, 40)}</span></h1><p>${xmlText(explains, 300)}</p><p class="quiet">${xmlText(timeframe, 8)} bars, ${dayText(from)} to ${dayText(until)}</p></header>`;
}

/** Settings of the run. */
function facts({ params, terms, rules, source, market }: BacktestReport): string {
  const entries = [
    ...params.map(({ name, value }) => ({ name, value: String(value) })),
    ...terms,
    { name: "Source", value: source },
    { name: "Market", value: market },
  ];
  const list = entries
    .map(({ name, value }) => `<div><dt>${xmlText(name, 60)}</dt><dd>${xmlText(value, 200)}</dd></div>`)
    .join("");
  const written =
    rules === null
      ? ""
      : `<h2>Rules</h2><pre>${rules.split("\n").slice(0, 200).map(ruleLine).join("\n")}</pre>`;
  return `<dl class="facts">${list}</dl>${written}`;
}

const ruleLine = (line: string): string =>
  " ".repeat(Math.min(24, /^ */.exec(line)![0].length)) + xmlText(line, 240);

const metrics = ({ metrics: all }: BacktestReport): string =>
  table(
    { head: ["Figure", "Value", "What it means"], kind: "metrics text-last" },
    all.map(({ name, value, unit, explains, reason }) => {
      const words =
        value === null ? `${explains}. Not defined: ${reason ?? "no reason was given"}` : explains;
      return `${textCell(name)}${figureCell(value, unit)}<td class="words">${xmlText(words, 300)}</td>`;
    }),
  );

const SLICE_HEAD = ["Return", "Buy &amp; hold", "Sharpe", "Deepest drawdown", "Trades"];

function slices(title: string, first: string, { rows, reason }: ReportRows<ReportSlice>): string {
  if (rows.length === 0) return `<h2>${title}</h2>${emptyNote(reason)}`;
  const lines = rows.map((row) =>
    [
      textCell(row.name),
      figureCell(row.return_pct, "percent", true),
      figureCell(row.buy_hold_return_pct, "percent", true),
      figureCell(row.sharpe_ratio, "ratio"),
      figureCell(row.max_drawdown, "percent"),
      figureCell(row.trade_count, "count"),
    ].join(""),
  );
  return `<h2>${title}</h2>${table({ head: [first, ...SLICE_HEAD], kind: "slices" }, lines)}${missingReasons(rows)}`;
}

function intervals({ rows, reason }: ReportRows<ReportInterval>): string {
  if (rows.length === 0) return emptyNote(reason);
  const lines = rows.map(
    ({ name, low, high, unit, level, method }) =>
      `${textCell(name)}${figureCell(low, unit)}${figureCell(high, unit)}${textCell(`${level}%`)}<td class="words">${xmlText(method, 200)}</td>`,
  );
  return `${table({ head: ["Figure", "From", "To", "Level", "How it was found"], kind: "text-last" }, lines)}${missingReasons(rows)}`;
}

const DAY = 86_400_000;
const startText = (time: number): string => {
  const iso = new Date(time).toISOString();
  return time % DAY === 0 ? iso.slice(0, 10) : momentText(iso);
};

const TRADE_HEAD = ["Symbol", "Side", "Entered", "At", "Left", "At", "Units", "Profit", "Return", "Why left"];

function trades({ trades: all, equityChart: { currency } }: BacktestReport): string {
  if (all.length === 0) return emptyNote("no trade was closed");
  const shown = all.slice(-MAX_TRADES);
  const caption = `${shown.length < all.length ? `The last ${shown.length} of ${figureText(all.length, "count")} closed trades` : "All closed trades"}. Profit in ${xmlText(currency, 8)} and return after costs.`;
  const lines = shown.map((trade) =>
    [
      textCell(trade.symbol, 24),
      textCell(trade.side),
      textCell(startText(trade.entryTime)),
      figureCell(trade.entryPrice, "price"),
      textCell(startText(trade.exitTime)),
      figureCell(trade.exitPrice, "price"),
      figureCell(trade.units, "count"),
      figureCell(trade.profit, "money", true),
      figureCell(trade.return * 100, "percent", true),
      textCell(trade.reason),
    ].join(""),
  );
  return table({ head: TRADE_HEAD, caption }, lines);
}
