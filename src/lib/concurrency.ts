import pLimit from "p-limit";

/**
 * Calls `work` for each item in order, at most `concurrency` at a time. After a failure no further item is started;
 * rejects with the first failure.
 */
export async function forEachConcurrent<T>(
  concurrency: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(concurrency);
  const failures: unknown[] = [];
  await limit.map(items, async (item) => {
    if (failures.length > 0) return;
    await work(item).catch((cause: unknown) => failures.push(cause));
  });
  if (failures.length > 0) throw failures[0];
}

/** Maximum number of concurrent calls for one caller; low, because live providers are shared with other callers. */
const MAX_CONCURRENCY = 4;

/**
 * Maps items concurrently and returns the results in the order of the items. Calls `done` after each item with the
 * number of finished items and that item.
 */
export async function mapConcurrent<T, Out>(
  items: readonly T[],
  work: (item: T) => Promise<Out>,
  done: (count: number, item: T) => void,
): Promise<readonly Out[]> {
  const results: Out[] = [];
  let count = 0;
  await forEachConcurrent(MAX_CONCURRENCY, items.entries(), async ([position, item]) => {
    results[position] = await work(item);
    done(++count, item);
  });
  return results;
}
