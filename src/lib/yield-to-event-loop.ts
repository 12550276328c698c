/** Yields to the event loop. Long computations await it so that the server stays responsive. */
export const yieldToEventLoop = (): Promise<void> => new Promise((turn) => setImmediate(turn));
