import { setMaxListeners } from "node:events";

/** Number of parts of one call or run that may listen for its abort at a time; Node warns of a leak above it. */
const MAX_PARTS = 200;

/** Returns a signal for which the parallel parts of one piece of work listen, such as many symbols of many providers. */
export function sharedSignal(signal: AbortSignal): AbortSignal {
  setMaxListeners(MAX_PARTS, signal);
  return signal;
}
