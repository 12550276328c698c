import type { MarketIndexValue } from "../../domain/nightly/engine.ts";
import type { RunNote, ScanError, ScanRow, ScreenRow } from "../../domain/nightly/scan.ts";
import type { PlanOdds } from "../../domain/odds/odds.ts";
import { formatRewardToRisk } from "../../domain/signal/reward-to-risk.text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { formatR } from "../../lib/format-r.ts";
import { plainText } from "../../lib/plain-text.ts";
import { tableRow } from "../../lib/table-row.ts";
import { type AnswerNotes, splitNotes } from "./notes.ts";

const COLOUR = { LONG: "green", SHORT: "red", WAIT: "yellow" } as const;
const HEAD = [
  "symbol",
  "tier",
  "bias",
  "score",
  "grade",
  "entry",
  "stop",
  "target",
  "rr",
  "odds",
  "exp. R",
  "structure",
];
const WIDTHS = [11, 9, 13, 7, 7, 11, 11, 11, 7, 11, 13];
const MAX_TEXT_LENGTH = 300;

interface ScanAnswer extends AnswerNotes {
  readonly results: readonly ScanRow[];
  readonly errors: readonly ScanError[];
  readonly scanned: number;
}

/** Formats a scan as a table, strongest first, followed by the symbols that failed. */
export function formatScan({ results, errors, scanned, ...notes }: ScanAnswer, paint: Paint): string {
  const { first, others } = splitNotes(notes);
  return [
    ...first.map((note) => paint("yellow", shown(note))),
    ...table(results, paint),
    ...errors.map(
      ({ symbol, code, message }) =>
        `${paint("bold", shown(symbol))}  ${paint("yellow", code)}  ${shown(message)}`,
    ),
    ...others.map((note) => paint("yellow", shown(note))),
    paint("dim", `${results.length} of ${scanned} scanned; levels are from closed bars${asOf(results)}`),
  ].join("\n");
}

interface ScreenAnswer extends AnswerNotes {
  readonly results: readonly ScreenRow[];
  readonly total: number;
  readonly runs: readonly RunNote[];
  readonly next_cursor: string | null;
}

/** Formats a page of the screener as a table, with the nightly runs that it comes from. */
export function formatScreen(
  { results, total, runs, next_cursor, ...notes }: ScreenAnswer,
  paint: Paint,
): string {
  const rows = results.map(({ overallScore: score, actionCard, ...row }) => ({
    ...row,
    ...actionCard,
    score,
  }));
  const { first, others } = splitNotes(notes);
  return [
    ...first.map((note) => paint("yellow", note)),
    ...table(rows, paint),
    ...others.map((note) => paint("yellow", note)),
    paint("dim", `${results.length} of ${total}`),
    ...nextPageLine(next_cursor, paint),
    ...runs.map(({ universe, runAt, as_of, bars_as_of, members, computed, failed }) =>
      paint(
        "dim",
        `run over ${universe} ${runAt === null ? `in progress (${computed} of ${members})` : `finished ${runAt}`}, bars to ${bars_as_of ?? as_of}, ${members} members, ${failed} failed`,
      ),
    ),
  ].join("\n");
}

/** Formats the index and its parts, one per line. */
export function formatIndex(
  { value, band, parts, as_of, ...notes }: MarketIndexValue & AnswerNotes,
  paint: Paint,
): string {
  const { first, others } = splitNotes(notes);
  return [
    ...first.map((note) => paint("yellow", note)),
    `${paint("bold", "Signal Index")}  ${value === null ? "none" : value.toFixed(1)}  ${band ?? ""}`.trimEnd(),
    ...parts.map(
      ({ part, value, reason }) =>
        `  ${paint("dim", part.padEnd(16))}${value === null ? paint("dim", `none: ${reason}`) : value.toFixed(1)}`,
    ),
    ...others.map((note) => paint("yellow", note)),
    paint("dim", `  0 fear, 100 greed; as of ${as_of}`),
  ].join("\n");
}

function table(rows: readonly ScanRow[], paint: Paint): readonly string[] {
  if (rows.length === 0) return [paint("dim", "no symbol matches")];
  return [
    paint("dim", tableRow(HEAD, WIDTHS)),
    ...rows.map((row) => formatRow(row, paint)),
    ...(rows.some(({ bias }) => bias === "WAIT")
      ? [paint("dim", "watch: the signal is WAIT; its levels are for watching, not a plan")]
      : []),
    ...(rows.some(({ side }) => side === "SHORT")
      ? [paint("dim", "grade and score rate the long side: the lower they are, the stronger the SHORT")]
      : []),
    ...oddsLine(rows).map((line) => paint("dim", line)),
  ];
}

/** Explains the column of odds; no line if no row has any. */
function oddsLine(rows: readonly ScanRow[]): readonly string[] {
  const bars = [...new Set(rows.flatMap(({ odds }) => odds?.bars ?? []))];
  if (bars.length === 0) return [];
  return [
    `odds in 100 cases: stop first / target 1 first / neither within ${bars.join(" or ")} bars; exp. R: expected result / that of the same plan at any close of the symbol`,
  ];
}

/** Formats odds as cases of 100, `28/31/41`, never as 0 or 100: `<1`, `>99`. */
function formatOdds(odds: PlanOdds | null): string {
  if (odds === null) return "none";
  const casesOf = (share: number): string => {
    const cases = Math.round(100 * share);
    if (cases === 0) return "<1";
    return cases === 100 ? ">99" : String(cases);
  };
  return [odds.stop_first, odds.target_first, odds.neither].map(casesOf).join("/");
}

/** Formats the expected result of a plan beside that of any close, `+0.05/+0.02`. */
function formatExpected(odds: PlanOdds | null): string {
  if (odds?.expected_r === undefined) return "-";
  const short = (r: number) => formatR(r).replace(" R", "");
  const base = odds.base?.mean_r;
  return `${short(odds.expected_r.mean)}/${base === undefined ? "-" : short(base)}`;
}

function formatRow(row: ScanRow, paint: Paint): string {
  const { symbol, tier, bias, score, grade, entry, stop, target, rr, side, phase, highlights } = row;
  const action = bias === "WAIT" ? `watch ${side}` : bias;
  const newest = highlights.at(-1);
  const against = row.conflicts.map(({ code }) => code.replaceAll("_", " "));
  const structure = [
    ...(row.entry_state === "stale" ? ["stale"] : []),
    newest === undefined ? phase : `${phase}, ${newest.type} ${newest.date}`,
    ...(against.length === 0 ? [] : [`conflicts: ${against.join(", ")}`]),
  ].join("; ");
  const prices = [entry, stop, target].map(formatPrice);
  const ratio = formatRewardToRisk(rr);
  const cells = [
    symbol,
    tier,
    action,
    formatScore(score),
    grade ?? "none",
    ...prices,
    ratio,
    formatOdds(row.odds),
    formatExpected(row.odds),
    structure,
  ];
  return tableRow(cells, WIDTHS).replace(` ${action} `, ` ${paint(COLOUR[bias], action)} `);
}

const shown = (text: string): string => plainText(text, MAX_TEXT_LENGTH);

/** Formats the close times of the rows; the oldest and the newest if they differ. */
const asOf = (rows: readonly ScanRow[]): string => {
  const closes = rows.map((row) => row.as_of).sort();
  const [oldest, newest] = [closes[0], closes.at(-1)];
  if (oldest === undefined || newest === undefined) return "";
  return oldest === newest ? ` to ${newest}` : ` that end from ${oldest} to ${newest}`;
};
