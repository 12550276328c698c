/** Works on items in order, so many at a time; rejects with the first failure, beginning nothing after it. */
export async function atOnce<T>(
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
