import type { Log } from "../domain/ports.ts";
import { mapConcurrent } from "../lib/concurrency.ts";
import { asToolError, isCallError, type ToolError } from "./errors.ts";
import type { Progress } from "./tool.ts";

/** What one of several like steps came to. */
export type Outcome<Out> =
  | { readonly output: Out; readonly error: null }
  | { readonly output: null; readonly error: ToolError };

/** Where a failure of ours is written, and what is written beside its cause. */
interface FailureLogEntry {
  readonly log: Log;
  readonly event: string;
  readonly about: Readonly<Record<string, unknown>>;
}

/** What a step came to: a failure is its outcome. Rejects with what ends the whole call. */
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

/** The outcomes of one step for each item, in the order of the items, a few at a time; progress tells how many are done. */
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
    /** What an item is called in a line of progress. */
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
