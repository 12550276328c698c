import { useSyncExternalStore } from "react";

let ended = false;
const listeners = new Set<() => void>();

/** Tells the pages that the server knows the session of this browser no more. */
export function endSession(): void {
  ended = true;
  for (const listener of listeners) listener();
}

/** True once the server has refused the session of this browser. */
export const useSessionEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ended,
  );
