import type { Log } from "../domain/ports.ts";
import { mapConcurrent } from "../lib/concurrency.ts";
import { asToolError, isCallError, type ToolError } from "./errors.ts";
import type { Progress } from "./tool.ts";

/** Result of one of several similar steps. */
export type Outcome<Out> =
  | { readonly output: Out; readonly error: null }
  | { readonly output: null; readonly error: ToolError };

/** Log entry for an internal failure, with fields written next to its cause. */
interface FailureLogEntry {
  readonly log: Log;
  readonly event: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** Runs a step and returns its output or failure. Rejects with errors that end the whole call. */
export async function outcomeOf<Out>(
  step: () => Promise<Out>,
  { log, event, about }: FailureLogEntry,
): Promise<Outcome<Out>> {
  try {
    return { output: await step(), error: null };
  } catch (thrown) {
    const error = asToolError(thrown);
    if (isCallError(error)) throw error;
    if (error.code === "INTERNAL") log.error(event, { ...about, cause: error.cause });
    return { output: null, error };
  }
}

/** Runs one step per item with limited concurrency and returns the outcomes in item order; reports the number done as progress. */
export async function outcomesOf<Item, Out>(
  items: readonly Item[],
  step: (item: Item) => Promise<Out>,
  {
    signal,
    progress,
    noted,
    named,
  }: {
    readonly signal: AbortSignal;
    readonly progress: (step: Progress) => void;
    readonly noted: (item: Item) => FailureLogEntry;
    /** Name of an item in progress messages. */
    readonly named?: (item: Item) => string;
  },
): Promise<readonly Outcome<Out>[]> {
  return mapConcurrent(
    items,
    (item) => outcomeOf(() => step(item), noted(item)),
    (done, item) => {
      if (!signal.aborted) progress({ done, total: items.length, ...(named && { message: named(item) }) });
    },
  );
}
