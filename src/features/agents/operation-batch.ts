import type { OperationRow } from "../../domain/agents/operation-answer.ts";
import type { ScanError } from "../../domain/nightly/scan.ts";

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** The result of one symbol in a batch: a row with notes, or an error. */
export type RowOutcome =
  | { readonly row: OperationRow; readonly notes: readonly string[]; readonly error: null }
  | { readonly row: null; readonly error: Failure };

/** Merges the results of symbols in order: duplicates once, errors separately, shared notes once. */
export function batchOf(requested: readonly string[], outcomes: readonly RowOutcome[]) {
  const rows = new Map<string, OperationRow>();
  const errors: ScanError[] = [];
  const symbols: string[] = [];
  const repeated: string[] = [];
  const sharedBy = new Map<string, string[]>();
  for (const [i, { row, ...outcome }] of outcomes.entries()) {
    const name = row?.symbol ?? requested[i]!;
    if (row !== null && rows.has(name)) {
      repeated.push(`${requested[i]} is an instrument requested before`);
      continue;
    }
    symbols.push(name);
    if (row === null) errors.push(failed(name, outcome.error!));
    else rows.set(name, row);
    for (const note of "notes" in outcome ? outcome.notes : [])
      sharedBy.set(note, [...(sharedBy.get(note) ?? []), name]);
  }
  const shared = [...sharedBy].map(([note, names]) => `${names.join(", ")}: ${note}`);
  return { rows: [...rows.values()], errors, symbols, notes: [...repeated, ...shared] };
}

function failed(symbol: string, { code, message, hint, data }: Failure): ScanError {
  const figure = (name: string) => (typeof data?.[name] === "number" ? data[name] : null);
  return { symbol, code, message, hint: hint ?? null, have: figure("have"), need: figure("need") };
}
