import type { Peers } from "../../domain/peers-port.ts";
import type { Log } from "../../domain/ports.ts";
import type { FromWorker, ToWorker, WorkerRole } from "./messages.ts";

/** The channel of a worker to the primary process. */
export type WorkerChannel = Pick<NodeJS.Process, "on" | "send">;

/** A worker among the processes of one server. */
export interface Worker extends WorkerRole {
  readonly peers: Peers;
  /** Reports to the primary process that this worker accepts requests on this port. */
  listening(port: number): void;
}

/** Connects a worker: resolves once the primary process has sent its role. */
export async function connectWorker(channel: WorkerChannel, log: Pick<Log, "warn">): Promise<Worker> {
  const send = (message: FromWorker) => void channel.send?.(message);
  const handlers = new Map<string, (payload: never) => unknown>();
  const pending = new Map<number, (responses: readonly unknown[]) => void>();
  let nextId = 0;

  async function handle(topic: string, payload: unknown): Promise<unknown> {
    try {
      return (await handlers.get(topic)?.(payload as never)) ?? null;
    } catch (cause) {
      log.warn("peer_request", { topic, cause });
      return null;
    }
  }

  const started = new Promise<WorkerRole>((resolve) => {
    channel.on("message", (message: ToWorker) => {
      if (message.kind === "start") resolve(message);
      if (message.kind === "ping") send({ kind: "pong" });
      if (message.kind === "responses") {
        pending.get(message.id)?.(message.responses);
        pending.delete(message.id);
      }
      if (message.kind === "request")
        void handle(message.topic, message.payload).then((response) =>
          send({ kind: "response", id: message.id, response }),
        );
    });
  });
  send({ kind: "hello" });
  const { count, backgroundWork, port: sharedPort } = await started;
  return {
    count,
    backgroundWork,
    port: sharedPort,
    listening: (port) => send({ kind: "listening", port }),
    peers: {
      request: (topic, payload) =>
        new Promise((resolve) => {
          const id = nextId++;
          pending.set(id, resolve);
          send({ kind: "request", id, topic, payload });
        }),
      onRequest: (topic, handler) => void handlers.set(topic, handler),
    },
  };
}
