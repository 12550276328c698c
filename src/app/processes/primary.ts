import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import type { Log } from "../../domain/ports.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** Maximum wait for the replies of all processes, in milliseconds. */
const REPLY_MS = 2_000;
/** Pause before a worker that has ended is started again, in milliseconds. */
const RESTART_MS = 1_000;
/** Time after an interrupt at which workers that still run are killed, in milliseconds. */
const KILL_AFTER_MS = 10_500;

interface Question {
  readonly asker: Worker;
  readonly id: number;
  /** Workers that have not replied yet. */
  readonly asked: Set<Worker>;
  readonly replies: unknown[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Runs a server in this many worker processes until the signal is aborted, and passes questions between them. The first
 * worker does the upkeep; the others start once it accepts requests. A worker that ends is started again. Returns the
 * exit code: that of the first worker if it never accepted requests, otherwise 0.
 */
export async function runWorkers(
  count: number,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Pick<Log, "warn"> },
): Promise<number> {
  const questions = new Map<number, Question>();
  const running = new Set<Worker>();
  let sent = 0;

  const send = (worker: Worker, message: ToWorker) => {
    // a worker that has ended gets no message
    if (worker.isConnected()) worker.send(message, () => {});
  };

  function finish(key: number): void {
    const question = questions.get(key);
    if (question === undefined) return;
    questions.delete(key);
    clearTimeout(question.timer);
    send(question.asker, { kind: "replies", id: question.id, replies: question.replies });
  }

  function settle(key: number, worker: Worker): void {
    const question = questions.get(key);
    question?.asked.delete(worker);
    if (question?.asked.size === 0) finish(key);
  }

  function ask(asker: Worker, { id, topic, question }: Extract<FromWorker, { kind: "ask" }>): void {
    const key = sent++;
    const others = [...running].filter((worker) => worker !== asker);
    const timer = setTimeout(() => finish(key), REPLY_MS);
    questions.set(key, { asker, id, asked: new Set(others), replies: [], timer });
    for (const worker of others) send(worker, { kind: "ask", id: key, topic, question });
    if (others.length === 0) finish(key);
  }

  /**
   * Starts a worker; resolves to null when it accepts requests, or to its exit code if it ends before. Unless `once`, a
   * worker that has ended is started again.
   */
  function start(upkeep: boolean, { once: isOnce = false } = {}): Promise<number | null> {
    return new Promise((resolve) => {
      const worker = cluster.fork();
      worker.on("error", (cause) => log.warn("worker", { cause }));
      worker.on("message", (message: FromWorker) => {
        if (message.kind === "hello") send(worker, { kind: "start", count, upkeep });
        if (message.kind === "listening") {
          running.add(worker);
          resolve(null);
        }
        if (message.kind === "ask") ask(worker, message);
        if (message.kind === "reply") {
          if (message.reply !== null) questions.get(message.id)?.replies.push(message.reply);
          settle(message.id, worker);
        }
      });
      worker.once("exit", (code: number | null, killedBy: string | null) => {
        const hadStarted = running.delete(worker);
        for (const key of [...questions.keys()]) settle(key, worker);
        if (!hadStarted) resolve(code ?? 1);
        if (signal.aborted) return;
        if (hadStarted) log.warn("worker_ended", { pid: worker.process.pid, code, signal: killedBy });
        if (!isOnce || hadStarted)
          setTimeout(() => !signal.aborted && void start(upkeep), RESTART_MS).unref();
      });
    });
  }

  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => void stopAll().then(resolve), { once: true });
  });
  const failed = await start(true, { once: true });
  if (failed !== null) return signal.aborted ? 0 : failed;
  for (let i = 1; i < count && !signal.aborted; i++) void start(false);
  await stopped;
  return 0;
}

/** Ends all workers. */
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
