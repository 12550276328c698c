/** Lets whoever waits have a turn: awaited within long work, so that a server goes on answering. */
export const yieldToEventLoop = (): Promise<void> => new Promise((turn) => setImmediate(turn));
