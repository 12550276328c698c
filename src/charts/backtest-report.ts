import type { BacktestResult, PartRow } from "../domain/backtest/backtest.ts";
import { SAMPLE_LABEL } from "../domain/market/market.ts";
import { equityChartOf } from "./backtest-chart.ts";
import { equityAltText } from "./equity.text.ts";
import { equitySvg } from "./equity.ts";
import { barText, momentText } from "./figures.ts";
import { monthTable } from "./month-table.ts";
import { INTERVALS, reportFigures } from "./report-figures.ts";
import { REPORT_STYLE } from "./report-style.ts";
import {
  type Column,
  columnTable,
  emptyNote,
  figureCell,
  figureText,
  missingReasons,
  table,
  textCell,
} from "./report-table.ts";
import { xmlText } from "./svg.ts";

/** Part of a run, or another run for comparison; an unmeasured drawdown is null. */
type Part = Omit<PartRow, "max_drawdown"> & { readonly max_drawdown: number | null };

const MAX_TRADES = 500;
const MAX_NAMED_SYMBOLS = 8;
const TOO_SHORT = "the run is too short";

/**
 * Renders a run as one self-contained HTML page without scripts, files or network access. `explains` describes its
 * strategy in one sentence. All texts are escaped here. @throws RangeError without bars
 */
export function reportHtml(result: BacktestResult, explains: string): string {
  const { strategy, market, source, months } = result;
  const picture = equityChartOf(result);
  const warnings = [...result.warnings, ...result.notes];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">',
    `<title>${xmlText(`Backtest ${symbolsText(result)}: ${strategy}`, 120)}</title><style>${REPORT_STYLE}</style></head><body><main>`,
    market === "sample"
      ? `<p class="banner">${SAMPLE_LABEL}: all prices of this run are simulated. None of this happened in a market.</p>`
      : "",
    heading(result, explains),
    warnings.length === 0
      ? ""
      : `<section class="warnings"><h2>Warnings</h2><ul>${warnings.map((warning) => `<li>${xmlText(warning, 400)}</li>`).join("")}</ul></section>`,
    settingsSection(result),
    `<figure class="wide" role="img" aria-label="${xmlText(equityAltText(picture), 800)}">${equitySvg(picture)}</figure>`,
    "<h2>Figures</h2>",
    figures(result),
    "<h2>Return of each month</h2>",
    months.length === 0 ? emptyNote(TOO_SHORT) : monthTable(months),
    parts("Each year", "Year", result.years),
    parts("Multiples of the trading costs", "Costs", result.costs.map(costPart)),
    parts("First and second half", "Part", result.halves),
    sweep(result),
    "<h2>Confidence intervals</h2>",
    intervals(result),
    "<h2>Trades</h2>",
    trades(result),
    `<footer><p>Provider: ${xmlText(source)}, ${xmlText(market)}. Computed ${momentText(result.created_at)}, bars as of ${momentText(result.data_as_of)}.</p><p>Past results do not predict future results.</p></footer>`,
    "</main></body></html>\n",
  ].join("\n");
}

const symbolsText = ({ symbols }: BacktestResult): string => {
  const more = symbols.length - MAX_NAMED_SYMBOLS;
  return symbols.slice(0, MAX_NAMED_SYMBOLS).join(", ") + (more > 0 ? ` and ${more} more` : "");
};

function heading(result: BacktestResult, explains: string): string {
  const { timeframe, strategy, from, to } = result;
  return `<header><h1>${xmlText(symbolsText(result), 160)} <span class="quiet">${xmlText(strategy, 40)}</span></h1><p>${xmlText(explains, 300)}</p><p class="quiet">${xmlText(timeframe, 8)} bars, ${barText(from)} to ${barText(to)}</p></header>`;
}

const unitsText = (fractional: boolean | null): string =>
  fractional === null ? "fractional for crypto, whole otherwise" : fractional ? "fractional" : "whole";

/** Renders the settings of the run. */
function settingsSection({ params, account, rules, ...result }: BacktestResult): string {
  const { kind, value } = account.sizing;
  const entries = [
    ...Object.entries(params),
    ["Cash", `${account.cash} USD`],
    ["Commission", `${account.commission} of turnover on each side`],
    ...((account.commission_per_share ?? 0) > 0
      ? [["Commission per unit", `${account.commission_per_share} USD on each side`] as const]
      : []),
    ["Slippage", `${account.slippage ?? "by asset class"} of the price on each side`],
    ...((account.borrow_rate ?? 0) > 0
      ? [["Borrowing fee", `${account.borrow_rate} of the value of shorts a year`] as const]
      : []),
    ["Sizing", value === null ? kind : `${kind} ${value}`],
    ["Units", unitsText(account.fractional)],
    ["At the end", account.finalize ? "open positions are closed" : "open positions stay open"],
    ["Look-ahead", result.look_ahead.detail],
    ["Run", result.id],
    ["Model", result.model_version],
    ["Inputs", result.inputs_hash],
    ["Provider", result.source],
    ["Market", result.market],
  ] as const;
  const list = entries
    .map(([name, text]) => `<div><dt>${xmlText(name, 60)}</dt><dd>${xmlText(String(text), 200)}</dd></div>`)
    .join("");
  const lines = rules === null ? [] : JSON.stringify(rules, null, 1).split("\n").slice(0, 200);
  const written = rules === null ? "" : `<h2>Rules</h2><pre>${lines.map(ruleLine).join("\n")}</pre>`;
  return `<dl class="facts">${list}</dl>${written}`;
}

const ruleLine = (line: string): string =>
  " ".repeat(Math.min(24, /^ */.exec(line)![0].length)) + xmlText(line, 240);

const figures = (result: BacktestResult): string =>
  table(
    { head: ["Figure", "Value", "What it means"], kind: "metrics text-last" },
    reportFigures(result).map(({ name, value, unit, explains, reason }) => {
      const words =
        value === null ? `${explains}. Not defined: ${reason ?? "no reason was given"}` : explains;
      return `${textCell(name)}${figureCell(value, unit)}<td class="words">${xmlText(words, 300)}</td>`;
    }),
  );

const costPart = ({ max_drawdown, ...row }: BacktestResult["costs"][number]): Part => ({
  ...row,
  max_drawdown: max_drawdown ?? null,
  buy_hold_return_pct: null,
});

const PART_COLUMNS: readonly Column<Part>[] = [
  ["Return", (part) => figureCell(part.return_pct, "percent", true)],
  ["Buy &amp; hold", (part) => figureCell(part.buy_hold_return_pct, "percent", true)],
  ["Sharpe", (part) => figureCell(part.sharpe_arithmetic, "ratio")],
  ["Deepest drawdown", (part) => figureCell(part.max_drawdown, "percent")],
  ["Trades", (part) => figureCell(part.trade_count, "count")],
];

function parts(title: string, first: string, rows: readonly Part[]): string {
  if (rows.length === 0) return `<h2>${title}</h2>${emptyNote(TOO_SHORT)}`;
  const columns: readonly Column<Part>[] = [[first, ({ part }) => textCell(part)], ...PART_COLUMNS];
  return `<h2>${title}</h2>${columnTable(columns, rows, { kind: "slices" })}`;
}

/**
 * Renders the best parameters of a sweep, and its folds, each with the parameters chosen on past data only; empty
 * without a sweep.
 */
function sweep({ sweep: answer }: BacktestResult): string {
  const best = (answer?.best ?? []).map(({ params, ...outcome }) => ({
    ...outcome,
    part: paramsText(params),
    buy_hold_return_pct: null,
  }));
  const folds = (answer?.walk_forward?.folds ?? []).flatMap(({ from, to, params, out_of_sample }) => {
    const part = `${from} to ${to}: ${params === null ? "no parameters chosen" : paramsText(params)}`;
    return out_of_sample === null
      ? []
      : [{ ...out_of_sample, part, max_drawdown: null, buy_hold_return_pct: null }];
  });
  return [
    best.length === 0 ? "" : parts("Best of the sweep", "Parameters", best),
    folds.length === 0 ? "" : parts("Walk-forward: parameters chosen on past data only", "Tested", folds),
  ].join("\n");
}

const paramsText = (params: BacktestResult["params"]): string =>
  Object.entries(params)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");

function intervals({ intervals: all }: BacktestResult): string {
  const rows = (Object.keys(INTERVALS) as (keyof typeof INTERVALS)[]).map((key) => {
    const [name, unit] = INTERVALS[key];
    return { ...all[key], name, unit };
  });
  const lines = rows.map(
    ({ name, low, high, unit }) =>
      `${textCell(name)}${figureCell(low, unit)}${figureCell(high, unit)}<td>95%</td><td class="words">1,000 bootstrap resamples of blocks of days</td>`,
  );
  const head = ["Figure", "From", "To", "Level", "Method"];
  return table({ head, kind: "text-last" }, lines) + missingReasons(rows);
}

const TRADE_COLUMNS: readonly Column<BacktestResult["trades"][number]>[] = [
  ["Symbol", (trade) => textCell(trade.symbol, 24)],
  ["Side", (trade) => textCell(trade.side)],
  ["Entry", (trade) => textCell(barText(trade.entry_time))],
  ["Entry price", (trade) => figureCell(trade.entry_price, "price")],
  ["Exit", (trade) => textCell(barText(trade.exit_time))],
  ["Exit price", (trade) => figureCell(trade.exit_price, "price")],
  ["Units", (trade) => figureCell(trade.units, "count")],
  ["Profit", (trade) => figureCell(trade.profit, "money", true)],
  ["Return", (trade) => figureCell(trade.return_pct, "percent", true)],
  ["Exit reason", (trade) => textCell(trade.exit_reason)],
];

function trades({ trades: all }: BacktestResult): string {
  if (all.length === 0) return emptyNote("no trade was closed");
  const shown = all.slice(-MAX_TRADES);
  const which =
    shown.length < all.length
      ? `The last ${shown.length} of ${figureText(all.length, "count")} closed trades`
      : "All closed trades";
  return columnTable(TRADE_COLUMNS, shown, { caption: `${which}. Profit in USD and return after costs.` });
}
