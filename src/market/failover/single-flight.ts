interface Flight<T> {
  readonly answer: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
}

/** Returns a function that runs work once per key at a time; concurrent callers share the result. */
export function createSingleFlight<T>(): (
  key: string,
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T> {
  const flights = new Map<string, Flight<T>>();
  const remove = (key: string, flight: Flight<T>) => {
    if (flights.get(key) === flight) flights.delete(key);
  };
  return async (key, work, signal) => {
    signal?.throwIfAborted();
    let flight = flights.get(key);
    if (flight === undefined) {
      const stop = new AbortController();
      const started = { answer: work(stop.signal), stop, waiting: 0 };
      started.answer.finally(() => remove(key, started)).catch(() => {});
      flights.set(key, started);
      flight = started;
    }
    const own = flight;
    own.waiting++;
    try {
      return await untilAborted(own.answer, signal);
    } finally {
      own.waiting--;
      // no caller is left: abort, and let later callers start a new call
      if (own.waiting === 0 && signal?.aborted) {
        remove(key, own);
        own.stop.abort(signal.reason);
      }
    }
  };
}

/** Resolves with the result, or rejects with the reason of the signal if it aborts first. */
async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  let leave = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
  });
  try {
    return await Promise.race([answer, abandoned]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
