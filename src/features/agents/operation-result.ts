import {
  OPERATION_OUTSIDE_TEXT,
  type OperationAnswer,
  type OperationRow,
} from "../../domain/agents/operation-answer.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { RunNote, ScanError } from "../../domain/nightly/scan.ts";
import type { ToolError } from "../../kernel/errors.ts";
import { type AnswerNotes, withStaleNotes } from "../signal/notes.ts";

/** The result of an operation before it is mapped to the common response. */
export interface OperationResult {
  /** Name of the tool that produced it. */
  readonly tool: string;
  /** The requested symbol; null when none or several were requested. Default: null. */
  readonly symbol?: string | null;
  readonly timeframe?: Timeframe;
  readonly rows: readonly OperationRow[];
  readonly summary: string;
  readonly notes: readonly string[];
  readonly stale_notes?: readonly string[] | undefined;
  /** Default: the symbols of the rows. */
  readonly symbols?: readonly string[];
  readonly errors?: readonly ScanError[];
  readonly runs?: readonly RunNote[];
  /** Default: the latest `as_of` of the rows. */
  readonly as_of?: string | null;
}

/** Maps a result to the common response, with provenance, time and market. */
export function toOperationAnswer<const Name extends string>(
  { operation, market }: { readonly operation: Name; readonly market: OperationAnswer["market"] },
  result: OperationResult,
) {
  const { tool, symbol = null, timeframe = null, rows, summary, notes, symbols } = result;
  const { errors = [], runs = [], stale_notes } = result;
  const distinct = <T>(values: readonly (T | null)[]): T[] => [
    ...new Set(values.filter((value) => value !== null)),
  ];
  const newest = rows
    .map((row) => row.as_of)
    .toSorted()
    .at(-1);
  return {
    ok: true as const,
    operation,
    symbol,
    symbols: [...(symbols ?? distinct(symbol === null ? rows.map((row) => row.symbol) : [symbol]))],
    timeframe,
    count: rows.length,
    results: [...rows],
    errors: [...errors],
    summary,
    notes: [...notes],
    ...(stale_notes !== undefined && { stale_notes: [...stale_notes] }),
    ...(rows.some(({ signal }) => signal === undefined) && { outside_text: OPERATION_OUTSIDE_TEXT }),
    provenance: {
      tools: [tool],
      sources: distinct(rows.map(({ source }) => source)),
      runs: runs.map(({ run_id, universe, runAt }) => ({ run_id, universe, run_at: runAt })),
    },
    as_of: result.as_of ?? newest ?? null,
    market,
  };
}

/** The result of one symbol in a batch: a row with notes, or an error. */
export type RowOutcome =
  | (AnswerNotes & { readonly row: OperationRow; readonly error: null })
  | { readonly row: null; readonly error: ToolError };

/** Merges the outcomes of symbols in order: lists each symbol and note once, and errors separately. */
export function batchOf(requested: readonly string[], outcomes: readonly RowOutcome[]) {
  const rows = new Map<string, OperationRow>();
  const errors: ScanError[] = [];
  const symbols: string[] = [];
  const repeated: string[] = [];
  const sharedBy = new Map<string, string[]>();
  const stale = new Set<string>();
  for (const [i, { row, ...outcome }] of outcomes.entries()) {
    const name = row?.symbol ?? requested[i]!;
    if (row !== null && rows.has(name)) {
      repeated.push(`${requested[i]} is a duplicate of an earlier symbol`);
      continue;
    }
    symbols.push(name);
    if (row === null) errors.push(failed(name, outcome.error!));
    else rows.set(name, row);
    if (!("notes" in outcome)) continue;
    for (const note of outcome.stale_notes ?? []) stale.add(note);
    for (const note of outcome.notes) sharedBy.set(note, [...(sharedBy.get(note) ?? []), name]);
  }
  const shared = (isStale: boolean) =>
    [...sharedBy].flatMap(([note, names]) =>
      stale.has(note) === isStale ? `${names.join(", ")}: ${note}` : [],
    );
  return {
    rows: [...rows.values()],
    errors,
    symbols,
    ...withStaleNotes(shared(true), [...repeated, ...shared(false)]),
  };
}

function failed(symbol: string, { code, message, hint, data }: ToolError): ScanError {
  const figure = (name: string) => (typeof data?.[name] === "number" ? data[name] : null);
  return {
    symbol,
    code,
    message,
    hint: hint ?? null,
    available: figure("available"),
    required: figure("required"),
  };
}
