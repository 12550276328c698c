import cluster from "node:cluster";
import type { FromWorker, ToWorker } from "./messages.ts";

/** How a worker process ended: its exit code, or the signal that killed it. */
export interface Ending {
  readonly code: number | null;
  readonly killedBy: string | null;
}

/** A worker as the primary process sees it. */
export interface WorkerProcess {
  readonly pid: number | undefined;
  /** Sends a message; a worker that has ended gets none. */
  send(message: ToWorker): void;
  kill(signal: NodeJS.Signals): void;
}

export interface WorkerEvents {
  readonly onMessage: (message: FromWorker) => void;
  /** Called once, when the process has ended. */
  readonly onEnd: (ending: Ending) => void;
  readonly onError: (cause: Error) => void;
}

export type StartWorker = (events: WorkerEvents) => WorkerProcess;

/** Starts a worker that shares the ports of this process. */
export const forkWorker: StartWorker = ({ onMessage, onEnd, onError }) => {
  const worker = cluster.fork();
  worker.on("error", onError);
  worker.on("message", onMessage);
  worker.once("exit", (code: number | null, killedBy: string | null) => onEnd({ code, killedBy }));
  return {
    pid: worker.process.pid,
    send: (message) => {
      if (worker.isConnected()) worker.send(message, () => {});
    },
    kill: (signal) => void worker.process.kill(signal),
  };
};
