import pLimit from "p-limit";
import { Turns } from "../../lib/turns.ts";
import { busyError, LOCKED_MESSAGE } from "../storage-errors.ts";

/** Maximum number of connections for writing transactions of one process; the others of the pool remain for reads. */
const MAX_WRITERS = 4;
/** Time after which a transaction that has not begun is refused. */
const MAX_WAIT_MS = 10_000;

/**
 * Queues the writing transactions of one process before they take a connection. Of those with the same lock only one has a
 * connection, because the others would only wait on theirs.
 */
export class WriteTurns {
  readonly #all = pLimit(MAX_WRITERS);
  readonly #byLock = new Turns();

  /** Runs the transaction of a lock once those before it have ended. @throws STORAGE_BUSY after 10 s without a turn */
  run<T>(lock: string, transaction: () => Promise<T>): Promise<T> {
    const calledAt = performance.now();
    const inTime = async (): Promise<T> => {
      if (performance.now() - calledAt > MAX_WAIT_MS) throw busyError(undefined, LOCKED_MESSAGE);
      return transaction();
    };
    return this.#byLock.run(lock, () => this.#all(inTime));
  }
}
