import type { Log } from "../domain/ports.ts";
import { mapConcurrent } from "../lib/concurrency.ts";
import { asToolError, isCallError, type ToolError } from "./errors.ts";
import type { Progress } from "./tool.ts";

/** Output or error of one of several similar steps. */
export type Outcome<Out> =
  | { readonly output: Out; readonly error: null }
  | { readonly output: null; readonly error: ToolError };

/** Log entry for an internal error; its cause is added to `fields`. */
interface FailureLogEntry {
  readonly log: Log;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Runs a step and returns its output or failure. Rejects with errors that end the whole call. */
export async function outcomeOf<Out>(
  step: () => Promise<Out>,
  { log, event, fields }: FailureLogEntry,
): Promise<Outcome<Out>> {
  try {
    return { output: await step(), error: null };
  } catch (thrown) {
    const error = asToolError(thrown);
    if (isCallError(error)) throw error;
    if (error.code === "INTERNAL") log.error(event, { ...fields, cause: error.cause });
    return { output: null, error };
  }
}

/**
 * Runs one step per item with limited concurrency and returns the outcomes in item order. Reports the number of finished
 * steps as progress. Rejects with errors that end the whole call.
 */
export async function outcomesOf<Item, Out>(
  items: readonly Item[],
  step: (item: Item) => Promise<Out>,
  {
    signal,
    progress,
    logEntryOf,
    nameOf,
  }: {
    readonly signal: AbortSignal;
    readonly progress: (step: Progress) => void;
    readonly logEntryOf: (item: Item) => FailureLogEntry;
    /** Name of an item in progress messages. */
    readonly nameOf?: (item: Item) => string;
  },
): Promise<readonly Outcome<Out>[]> {
  return mapConcurrent(
    items,
    (item) => outcomeOf(() => step(item), logEntryOf(item)),
    (done, item) => {
      if (!signal.aborted) progress({ done, total: items.length, ...(nameOf && { message: nameOf(item) }) });
    },
  );
}
