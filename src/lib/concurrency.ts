/** Works on items in order, so many at a time; rejects with the first failure, beginning nothing after it. */
export async function forEachConcurrent<T>(
  lanes: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let failed = false;
  const lane = async () => {
    for (let next = queue.next(); !failed && next.done !== true; next = queue.next())
      try {
        await work(next.value);
      } catch (cause) {
        failed = true;
        throw cause;
      }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** Things done for one caller at the same time: sources of live prices are shared with others. */
const MAX_CONCURRENCY = 4;

/** What `work` makes of each item, in the order of the items, a few at a time; `done` hears how many are made, and which was last. */
export async function mapConcurrent<T, Out>(
  items: readonly T[],
  work: (item: T) => Promise<Out>,
  done: (count: number, item: T) => void,
): Promise<readonly Out[]> {
  const made: Out[] = [];
  let count = 0;
  await forEachConcurrent(MAX_CONCURRENCY, items.entries(), async ([place, item]) => {
    made[place] = await work(item);
    done(++count, item);
  });
  return made;
}
