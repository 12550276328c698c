/** Yields to the event loop; awaited within long work so that a server stays responsive. */
export const yieldToEventLoop = (): Promise<void> => new Promise((turn) => setImmediate(turn));
