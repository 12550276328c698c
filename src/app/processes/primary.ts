import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import type { Log } from "../../domain/ports.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** Maximum wait for the responses of all processes, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 2_000;
/** Delay before a worker that has ended is restarted, in milliseconds. */
const RESTART_DELAY_MS = 1_000;
/** Time after the abort of the signal at which workers that still run are killed, in milliseconds. */
const KILL_AFTER_MS = 10_500;

interface PendingRequest {
  readonly sender: Worker;
  /** Id that the sender chose. */
  readonly id: number;
  /** Workers that have not responded yet. */
  readonly awaited: Set<Worker>;
  readonly responses: unknown[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Runs a server in this many worker processes until the signal is aborted, and passes requests between them. The worker
 * started first runs the background work; the others start once it accepts requests. A worker that ends is restarted.
 * Returns the exit code: that of the worker started first if it never accepted requests, otherwise 0.
 */
export async function runWorkers(
  count: number,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Pick<Log, "warn"> },
): Promise<number> {
  const pending = new Map<number, PendingRequest>();
  const running = new Set<Worker>();
  let nextId = 0;

  const send = (worker: Worker, message: ToWorker) => {
    // a worker that has ended gets no message
    if (worker.isConnected()) worker.send(message, () => {});
  };

  function finish(key: number): void {
    const request = pending.get(key);
    if (request === undefined) return;
    pending.delete(key);
    clearTimeout(request.timer);
    send(request.sender, { kind: "responses", id: request.id, responses: request.responses });
  }

  /** Stops waiting for a worker, because it has responded or ended. */
  function settle(key: number, worker: Worker): void {
    const request = pending.get(key);
    request?.awaited.delete(worker);
    if (request?.awaited.size === 0) finish(key);
  }

  function forward(sender: Worker, { id, topic, payload }: Extract<FromWorker, { kind: "request" }>): void {
    const key = nextId++;
    const others = [...running].filter((worker) => worker !== sender);
    const timer = setTimeout(() => finish(key), RESPONSE_TIMEOUT_MS);
    pending.set(key, { sender, id, awaited: new Set(others), responses: [], timer });
    for (const worker of others) send(worker, { kind: "request", id: key, topic, payload });
    if (others.length === 0) finish(key);
  }

  /**
   * Starts a worker; resolves to null when it accepts requests, or to its exit code if it ends before. A worker that ends
   * later is restarted; one that ends before only if `retry` is true.
   */
  function start(backgroundWork: boolean, { retry = true } = {}): Promise<number | null> {
    return new Promise((resolve) => {
      const worker = cluster.fork();
      worker.on("error", (cause) => log.warn("worker", { cause }));
      worker.on("message", (message: FromWorker) => {
        if (message.kind === "hello") send(worker, { kind: "start", count, backgroundWork });
        if (message.kind === "listening") {
          running.add(worker);
          resolve(null);
        }
        if (message.kind === "request") forward(worker, message);
        if (message.kind === "response") {
          if (message.response !== null) pending.get(message.id)?.responses.push(message.response);
          settle(message.id, worker);
        }
      });
      worker.once("exit", (code: number | null, killedBy: string | null) => {
        const hadStarted = running.delete(worker);
        for (const key of [...pending.keys()]) settle(key, worker);
        if (!hadStarted) resolve(code ?? 1);
        if (signal.aborted) return;
        if (hadStarted) log.warn("worker_ended", { pid: worker.process.pid, code, signal: killedBy });
        if (retry || hadStarted)
          setTimeout(() => !signal.aborted && void start(backgroundWork), RESTART_DELAY_MS).unref();
      });
    });
  }

  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => void stopAll().then(resolve), { once: true });
  });
  const exitCode = await start(true, { retry: false });
  if (exitCode !== null) return signal.aborted ? 0 : exitCode;
  for (let i = 1; i < count && !signal.aborted; i++) void start(false);
  await stopped;
  return 0;
}

/** Asks all workers to end, and kills those that still run after `KILL_AFTER_MS`. */
async function stopAll(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false);
  const kill = (name: NodeJS.Signals) => {
    for (const worker of workers) worker!.process.kill(name);
  };
  const timer = setTimeout(() => kill("SIGKILL"), KILL_AFTER_MS);
  kill("SIGTERM");
  await Promise.all(workers.map((worker) => once(worker!, "exit")));
  clearTimeout(timer);
}
