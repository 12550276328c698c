import type { Filters } from "../details/filters.ts";
import { when } from "../sentences.ts";
import type { AnswerReader } from "./answer-reader.ts";

/** Selects the rows of a list. */
export interface ListRequest {
  readonly shown: number;
  /** Filters that the tool has not applied. */
  readonly filters?: Filters;
  /** Symbols that the question excludes. */
  readonly without?: readonly string[];
  /** Direction that the question asks for, if the list is not filtered by it. */
  readonly wants?: "LONG" | "SHORT";
}

/** Returns the figures of a screen or scan, and its text with only the selected rows. */
export function listOf(isScreen: boolean, answer: AnswerReader, text: string, request: ListRequest) {
  const rows = answer.list("results").map((row) => ({
    symbol: row.text("symbol"),
    direction: row.text("bias"),
    grade: row.text("grade"),
    score: row.number(isScreen ? "overallScore" : "score"),
    rr: row.number(isScreen ? "actionCard.rr" : "rr", 2),
    close: row.price("close"),
    as_of: row.moment("as_of"),
    source: row.text("source"),
  }));
  const { shown, without = [], wants, filters: { bias, sort } = {} } = request;
  const passing = rows.filter(
    (row) =>
      (row.symbol === null || !without.includes(row.symbol)) &&
      (bias === undefined || [bias].flat().includes(row.direction ?? "")),
  );
  const lines = (sort === "score_asc" ? passing.toReversed() : passing).slice(0, shown);
  const [header = "", ...printed] = text.split("\n");
  const rowsOf = (symbol: string | null) => printed.filter((line) => line.startsWith(`${symbol} `));
  const excluded = rows.filter(({ symbol }) => symbol !== null && without.includes(symbol)).length;
  const total = isScreen ? (answer.number("total", 0) ?? rows.length) - excluded : passing.length;
  const run = isScreen ? answer.moment("runs.0.runAt") : null;
  const wanted = lines.filter(({ direction }) => direction === wants);
  return {
    figures: { lines, total, run },
    text: [
      isScreen
        ? `Newest nightly run${run === null ? "" : `, of ${run}`}: ${total} match${total > lines.length ? `, the first ${lines.length}` : ""}.`
        : "No nightly run has finished yet; this is a scan of some of the symbols of this market.",
      ...when(
        wants !== undefined && wanted.length < lines.length,
        wanted.length === 0
          ? `None of these is ${wants}.`
          : `Only ${wanted.map(({ symbol }) => symbol).join(", ")} of these is ${wants}.`,
      ),
      ...(lines.length === 0
        ? ["Nothing in the list matches."]
        : [header, ...lines.flatMap(({ symbol }) => rowsOf(symbol))]),
    ].join("\n"),
  };
}
