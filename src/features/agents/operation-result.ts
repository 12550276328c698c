import {
  OPERATION_OUTSIDE_TEXT,
  type OperationAnswer,
  type OperationRow,
} from "../../domain/agents/operation-answer.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { RunNote, ScanError } from "../../domain/nightly/scan.ts";
import { rounded } from "../../lib/rounded.ts";

/** The result of an operation before it is mapped to the common response. */
export interface OperationResult {
  /** Name of the tool that produced it. */
  readonly tool: string;
  /** The requested symbol. Default: null, for none or several. */
  readonly symbol?: string | null;
  readonly timeframe?: Timeframe;
  readonly rows: readonly OperationRow[];
  readonly summary: string;
  readonly notes: readonly string[];
  /** Default: the symbols of the rows. */
  readonly symbols?: readonly string[];
  readonly errors?: readonly ScanError[];
  readonly runs?: readonly RunNote[];
  /** Default: the latest of the rows. */
  readonly as_of?: string | null;
}

/** Maps a result to the common response, with provenance, time and market. */
export function toOperationAnswer<const Name extends string>(
  { operation, market }: { readonly operation: Name; readonly market: OperationAnswer["market"] },
  result: OperationResult,
) {
  const {
    tool,
    symbol = null,
    timeframe = null,
    rows,
    summary,
    notes,
    symbols,
    errors = [],
    runs = [],
  } = result;
  const each = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.filter((one) => one !== null))];
  const newest = rows
    .map((row) => row.as_of)
    .toSorted()
    .at(-1);
  return {
    ok: true as const,
    operation,
    symbol,
    symbols: [...(symbols ?? each(symbol === null ? rows.map((row) => row.symbol) : [symbol]))],
    timeframe,
    count: rows.length,
    results: rows.map(roundFigures),
    errors: [...errors],
    summary,
    notes: [...notes],
    ...(rows.some(({ signal }) => signal === undefined) && { outside_text: OPERATION_OUTSIDE_TEXT }),
    provenance: {
      tools: [tool],
      sources: each(rows.map(({ source }) => source)),
      runs: runs.map(({ run_id, universe, runAt }) => ({ run_id, universe, run_at: runAt })),
    },
    as_of: result.as_of ?? newest ?? null,
    market,
  };
}

const digits = (price: number): number => Number(price.toPrecision(8));

/** Rounds the figures of a signal: scores to one decimal, levels to eight significant digits. */
const roundFigures = ({ signal, ...row }: OperationRow): OperationRow =>
  signal === undefined
    ? row
    : {
        ...row,
        signal: {
          ...signal,
          score: signal.score === null ? null : rounded(signal.score, 1),
          entry: digits(signal.entry),
          stop: digits(signal.stop),
          target: digits(signal.target),
          rr: Math.floor(100 * signal.rr) / 100,
        },
      };
