import { RESPONSE_TIMEOUT_MS } from "../../domain/peers-port.ts";
import type { FromWorker, PeerRequest, ToWorker } from "./messages.ts";

/** A process that receives messages. A process that has ended gets none. */
export interface Peer {
  send(message: ToWorker): void;
}

interface PendingRequest<P> {
  readonly sender: P;
  /** Id that the sender chose. */
  readonly id: number;
  /** Workers that have not responded yet. */
  readonly awaited: Set<P>;
  readonly responses: unknown[];
  readonly timer: NodeJS.Timeout;
}

/** Passes the requests of each worker to the others, and their responses back to it. */
export function createPeerRouter<P extends Peer>() {
  const pending = new Map<number, PendingRequest<P>>();
  let nextId = 0;

  function finish(key: number): void {
    const request = pending.get(key);
    if (request === undefined) return;
    pending.delete(key);
    clearTimeout(request.timer);
    request.sender.send({ kind: "responses", id: request.id, responses: request.responses });
  }

  /** Stops waiting for a worker, because it has responded or ended. */
  function settle(key: number, worker: P): void {
    const request = pending.get(key);
    request?.awaited.delete(worker);
    if (request?.awaited.size === 0) finish(key);
  }

  return {
    /** Sends a request to the other workers; their responses are sent back once all are there, or after 2 s. */
    forward(sender: P, others: readonly P[], { id, topic, payload }: PeerRequest): void {
      const key = nextId++;
      const timer = setTimeout(() => finish(key), RESPONSE_TIMEOUT_MS);
      pending.set(key, { sender, id, awaited: new Set(others), responses: [], timer });
      for (const worker of others) worker.send({ kind: "request", id: key, topic, payload });
      if (others.length === 0) finish(key);
    },
    receive(worker: P, { id, response }: Extract<FromWorker, { kind: "response" }>): void {
      if (response !== null) pending.get(id)?.responses.push(response);
      settle(id, worker);
    },
    /** Waits no longer for the responses of a worker that has ended. */
    remove(worker: P): void {
      for (const key of [...pending.keys()]) settle(key, worker);
    },
  };
}
