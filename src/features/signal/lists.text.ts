import type { MarketIndexValue } from "../../domain/nightly/engine.ts";
import {
  FACETS,
  type Facet,
  type Facets,
  type RunNote,
  type ScanError,
  type ScanRow,
  type ScreenRow,
} from "../../domain/nightly/scan.ts";
import type { PlanOdds } from "../../domain/odds/odds.ts";
import { formatRewardToRisk } from "../../domain/signal/reward-to-risk.text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import { eventName, WYCKOFF_EVENTS } from "../../domain/signal/structure.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import { nextPageLine, type Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { formatR } from "../../lib/format-r.ts";
import { plainText } from "../../lib/plain-text.ts";
import { type AnswerNotes, splitNotes } from "./notes.ts";

const COLOUR = { LONG: "green", SHORT: "red", WAIT: "yellow" } as const;
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
  readonly facets?: Facets | undefined;
}

/** Formats a page of the screener as a table, with the nightly runs that it comes from. */
export function formatScreen(
  { results, total, runs, next_cursor, facets, ...notes }: ScreenAnswer,
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
    ...(facets === undefined ? [] : FACETS.map((facet) => paint("dim", formatFacet(facet, facets[facet])))),
    ...nextPageLine(next_cursor, paint),
    ...runs.map(({ universe, runAt, as_of, bars_as_of, members, computed, failed }) =>
      paint(
        "dim",
        `run over ${universe} ${runAt === null ? `in progress (${computed} of ${members})` : `finished ${runAt}`}, bars to ${bars_as_of ?? as_of}, ${members} members, ${failed} failed`,
      ),
    ),
  ].join("\n");
}

/** Formats the numbers of rows per value, `tier: HOT 3, WATCH 2`. */
const formatFacet = (facet: Facet, counts: Facets[Facet]): string =>
  `${facet}: ${counts.map(({ value, count }) => `${value ?? "none"} ${count}`).join(", ") || "no rows"}`;

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
    ...formatTable(rows, columnsOf(rows, paint), paint),
    ...(rows.some(({ bias }) => bias === "WAIT")
      ? [paint("dim", "watch: the signal is WAIT; its levels are for watching, not a plan")]
      : []),
    ...(rows.some(({ side }) => side === "SHORT")
      ? [paint("dim", "grade and score rate the long side: the lower they are, the stronger the SHORT")]
      : []),
  ];
}

function columnsOf(rows: readonly ScanRow[], paint: Paint): readonly Column<ScanRow>[] {
  const bars = [...new Set(rows.flatMap(({ odds }) => odds?.bars ?? []))];
  const notes = bars.length === 0 ? [] : oddsNotes(bars);
  return [
    { head: "symbol", cell: ({ symbol }) => symbol },
    { head: "tier", cell: ({ tier }) => tier, rank: 3 },
    { head: "bias", cell: ({ bias, side }) => paint(COLOUR[bias], bias === "WAIT" ? `watch ${side}` : bias) },
    { head: "score", cell: ({ score }) => formatScore(score) },
    { head: "grade", cell: ({ grade }) => grade ?? "none" },
    { head: "change", cell: ({ change_percent }) => formatPercent(change_percent), rank: 2 },
    { head: "entry", cell: ({ entry }) => formatPrice(entry) },
    { head: "stop", cell: ({ stop }) => formatPrice(stop) },
    { head: "target", cell: ({ target }) => formatPrice(target) },
    { head: "rr", cell: ({ rr }) => formatRewardToRisk(rr), rank: 1 },
    { head: "odds", cell: ({ odds }) => formatOdds(odds), rank: 4, note: notes[0] },
    { head: "exp. R", cell: ({ odds }) => formatExpected(odds), rank: 5, note: notes[1] },
    { head: "structure", cell: formatStructure, rank: 6, note: eventsNote(rows) },
  ];
}

/** Explains the columns of odds. */
const oddsNotes = (bars: readonly number[]): readonly string[] => [
  `odds in 100 cases: stop first / target 1 first / neither within ${bars.join(" or ")} bars`,
  "exp. R: expected result / that of the same plan at any close of the symbol",
];

/** Formats a change in percent with its sign, `+1.23%`. */
const formatPercent = (value: number | null): string =>
  value === null ? "-" : `${value > 0 ? "+" : ""}${value.toFixed(2)}%`;

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

/** Explains the events of the column `structure`, `LPS: last point of support`. */
function eventsNote(rows: readonly ScanRow[]): string | undefined {
  const shownTypes = new Set(rows.flatMap(({ highlights }) => highlights.at(-1)?.type ?? []));
  const named = WYCKOFF_EVENTS.filter((type) => type !== "SPRING" && shownTypes.has(type));
  return named.length === 0
    ? undefined
    : named.map((type) => `${type}: ${eventName(type, "top").toLowerCase()}`).join(", ");
}

function formatStructure({ entry_state, phase, highlights, conflicts }: ScanRow): string {
  const newest = highlights.at(-1);
  const against = conflicts.map(({ code }) => code.replaceAll("_", " "));
  return [
    ...(entry_state === "stale" ? ["stale"] : []),
    newest === undefined ? phase : `${phase}, ${newest.type} ${newest.date}`,
    ...(against.length === 0 ? [] : [`conflicts: ${against.join(", ")}`]),
  ].join("; ");
}

const shown = (text: string): string => plainText(text, MAX_TEXT_LENGTH);

/** Formats the close times of the rows; the oldest and the newest if they differ. */
const asOf = (rows: readonly ScanRow[]): string => {
  const closes = rows.map((row) => row.as_of).sort();
  const [oldest, newest] = [closes[0], closes.at(-1)];
  if (oldest === undefined || newest === undefined) return "";
  return oldest === newest ? ` to ${newest}` : ` that end from ${oldest} to ${newest}`;
};
