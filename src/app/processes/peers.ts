import type { Peers } from "../../domain/peers-port.ts";
import type { Log } from "../../domain/ports.ts";
import type { FromWorker, ToWorker, WorkerRole } from "./messages.ts";

/** The channel of a worker to the first process. */
export type WorkerChannel = Pick<NodeJS.Process, "on" | "send">;

/** A worker among the processes of one server. */
export interface Worker extends WorkerRole {
  readonly peers: Peers;
  /** Tells the first process that this worker accepts requests. */
  listening(): void;
}

/** Connects a worker: resolves once the first process has told its role. */
export async function connectWorker(channel: WorkerChannel, log: Pick<Log, "warn">): Promise<Worker> {
  const send = (message: FromWorker) => void channel.send?.(message);
  const replies = new Map<string, (question: never) => unknown>();
  const waiting = new Map<number, (found: readonly unknown[]) => void>();
  let asked = 0;

  async function reply(topic: string, question: unknown): Promise<unknown> {
    try {
      return (await replies.get(topic)?.(question as never)) ?? null;
    } catch (cause) {
      log.warn("peer_question", { topic, cause });
      return null;
    }
  }

  const started = new Promise<WorkerRole>((resolve) => {
    channel.on("message", (message: ToWorker) => {
      if (message.kind === "start") resolve(message);
      if (message.kind === "replies") {
        waiting.get(message.id)?.(message.replies);
        waiting.delete(message.id);
      }
      if (message.kind === "ask")
        void reply(message.topic, message.question).then((found) =>
          send({ kind: "reply", id: message.id, reply: found }),
        );
    });
  });
  send({ kind: "hello" });
  const { count, upkeep } = await started;
  return {
    count,
    upkeep,
    listening: () => send({ kind: "listening" }),
    peers: {
      count,
      ask: (topic, question) =>
        new Promise((resolve) => {
          const id = asked++;
          waiting.set(id, resolve);
          send({ kind: "ask", id, topic, question });
        }),
      onQuestion: (topic, answer) => void replies.set(topic, answer),
    },
  };
}
