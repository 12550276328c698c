import type { Log } from "../../domain/ports.ts";
import type { FromWorker } from "./messages.ts";
import { createPeerRouter, type Peer } from "./peer-router.ts";
import { type Ending, forkWorker, type StartWorker, type WorkerProcess } from "./worker-process.ts";

/** Delay before a worker that has ended is restarted, in milliseconds; doubles with each failure in a row. */
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 30_000;
/** Number of failures of a worker in a row after which the server ends, if no other worker accepts requests. */
const MAX_FAILURES = 10;
/** Time for which a worker has to accept requests so that its next end counts as its first failure, in milliseconds. */
const STABLE_MS = 10_000;
/** Interval at which each worker has to answer, in milliseconds. */
const PING_MS = 500;
/** Number of pings in a row without an answer after which a worker that accepts requests is replaced. */
const MAX_MISSED = 8;
/** The same for a worker that is starting: it may have to check and migrate a large database. */
const MAX_MISSED_AT_START = 1_200;
/** Time after the abort of the signal at which workers that still run are killed, in milliseconds. */
const KILL_AFTER_MS = 9_800;

export interface PrimaryOptions {
  readonly signal: AbortSignal;
  readonly log: Pick<Log, "warn">;
  /** Writes a sentence for the operator. */
  readonly report: (sentence: string) => void;
  /** Default: starts a process that shares the ports of this one. */
  readonly startWorker?: StartWorker;
}

/** The place of one worker among those of the server; the processes in it follow one another. */
interface Slot {
  readonly backgroundWork: boolean;
  worker: RunningWorker | null;
  failures: number;
  restart: NodeJS.Timeout | undefined;
}

interface RunningWorker extends Peer {
  readonly process: WorkerProcess;
  /** Time since which it accepts requests; null until then. */
  listeningAt: number | null;
  /** Number of pings since its last message. */
  missed: number;
}

/**
 * Runs a server in this many worker processes until the signal is aborted, and passes requests between them. The worker
 * started first runs the background work; the others start once it accepts requests. A worker that ends is restarted,
 * after a delay that grows with its failures in a row; one that does not answer for 4 s is killed and replaced. Returns
 * the exit code: that of the worker started first if it never accepted requests, 1 if no worker accepts requests after
 * `MAX_FAILURES` of one in a row, otherwise 0.
 */
export function runWorkers(count: number, options: PrimaryOptions): Promise<number> {
  const { signal, log, report, startWorker = forkWorker } = options;
  const router = createPeerRouter<RunningWorker>();
  const slots = Array.from(
    { length: count },
    (_, i): Slot => ({ backgroundWork: i === 0, worker: null, failures: 0, restart: undefined }),
  );
  const [firstSlot] = slots as [Slot, ...Slot[]];
  /** Port on which the workers accept requests; null until the first does. */
  let port: number | null = null;
  /** Port that the workers request; null for that of the settings. */
  let requestedPort: number | null = null;
  let exitCode: number | null = null;
  let pings: NodeJS.Timeout | undefined;
  let killing: NodeJS.Timeout | undefined;
  let resolveEnded = (_: number) => {};

  const running = (): readonly RunningWorker[] => slots.flatMap(({ worker }) => worker ?? []);
  const listening = (): readonly RunningWorker[] =>
    running().filter(({ listeningAt }) => listeningAt !== null);

  function start(slot: Slot): void {
    slot.restart = undefined;
    const process = startWorker({
      onMessage: (message) => receive(slot, worker, message),
      onEnd: (ending) => handleEnd(slot, worker, ending),
      onError: (cause) => log.warn("worker", { cause }),
    });
    const worker: RunningWorker = {
      process,
      send: (message) => process.send(message),
      listeningAt: null,
      missed: 0,
    };
    slot.worker = worker;
  }

  function receive({ backgroundWork }: Slot, worker: RunningWorker, message: FromWorker): void {
    worker.missed = 0;
    if (message.kind === "hello") {
      // workers share a port only if all of them request the same number, which may be 0
      if (listening().length === 0) requestedPort = port;
      worker.send({ kind: "start", count, backgroundWork, port: requestedPort });
    } else if (message.kind === "listening") {
      worker.listeningAt = performance.now();
      const isFirst = port === null;
      port = message.port;
      // none while the server stops
      if (isFirst && exitCode === null) for (const slot of slots.slice(1)) start(slot);
    } else if (message.kind === "request") {
      const others = listening().filter((other) => other !== worker);
      router.forward(worker, others, message);
    } else if (message.kind === "response") router.receive(worker, message);
  }

  function handleEnd(slot: Slot, worker: RunningWorker, { code, killedBy }: Ending): void {
    slot.worker = null;
    router.remove(worker);
    if (exitCode !== null) {
      endWhenStopped();
      return;
    }
    if (port === null) {
      stop(code ?? 1);
      return;
    }
    const { listeningAt, process } = worker;
    const wasStable = listeningAt !== null && performance.now() - listeningAt >= STABLE_MS;
    slot.failures = wasStable ? 1 : slot.failures + 1;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (slot.failures - 1), MAX_DELAY_MS);
    log.warn("worker_ended", {
      pid: process.pid,
      code,
      signal: killedBy,
      failures: slot.failures,
      restart_ms: delay,
    });
    if (slot.failures >= MAX_FAILURES && listening().length === 0) {
      const how = killedBy === null ? `exit code ${code}` : `the signal ${killedBy}`;
      report(
        `The server ends, because no process accepts requests and ${slot.failures} starts in a row failed, the last with ${how}. The messages above name the cause; remove it and start the server again.`,
      );
      stop(1);
    }
    // referenced: with all workers gone, nothing else keeps this process running
    else slot.restart = setTimeout(() => start(slot), delay);
  }

  /** Counts the time in pings, not by the clock, so that after a sleep of the machine no worker counts as hanging. */
  function ping(): void {
    for (const worker of running()) {
      const { process, listeningAt } = worker;
      const missed = worker.missed++;
      if (missed < (listeningAt === null ? MAX_MISSED_AT_START : MAX_MISSED)) worker.send({ kind: "ping" });
      else {
        log.warn("worker_hangs", { pid: process.pid, unanswered_ms: missed * PING_MS });
        process.kill("SIGKILL");
      }
    }
  }

  /** Asks all workers to end, and kills those that still run after `KILL_AFTER_MS`. */
  function stop(code: number): void {
    if (exitCode !== null) return;
    exitCode = code;
    clearInterval(pings);
    for (const { restart } of slots) clearTimeout(restart);
    const kill = (name: NodeJS.Signals) => {
      for (const { process } of running()) process.kill(name);
    };
    kill("SIGTERM");
    killing = setTimeout(() => kill("SIGKILL"), KILL_AFTER_MS);
    endWhenStopped();
  }

  function endWhenStopped(): void {
    if (exitCode === null || running().length > 0) return;
    clearTimeout(killing);
    resolveEnded(exitCode);
  }

  return new Promise((resolve) => {
    resolveEnded = resolve;
    const stopBySignal = () => stop(0);
    if (signal.aborted) stopBySignal();
    else {
      signal.addEventListener("abort", stopBySignal, { once: true });
      pings = setInterval(ping, PING_MS);
      start(firstSlot);
    }
  });
}
