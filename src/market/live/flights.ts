/** One piece of work per key at a time: whoever asks meanwhile waits for the same answer. */
export function createFlights<T>(): (
  key: string,
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T> {
  const flights = new Map<
    string,
    { readonly answer: Promise<T>; readonly stop: AbortController; waiting: number }
  >();
  return async (key, work, signal) => {
    signal?.throwIfAborted();
    let flight = flights.get(key);
    if (flight === undefined) {
      const stop = new AbortController();
      const answer = work(stop.signal).finally(() => flights.delete(key));
      answer.catch(() => {});
      flight = { answer, stop, waiting: 0 };
      flights.set(key, flight);
    }
    const own = flight;
    own.waiting++;
    try {
      return await (signal === undefined ? own.answer : Promise.race([own.answer, aborted(signal)]));
    } finally {
      own.waiting--;
      // nobody is left who wants it
      if (own.waiting === 0 && signal?.aborted) own.stop.abort(signal.reason);
    }
  };
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
