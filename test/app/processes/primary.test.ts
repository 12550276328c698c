import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ToWorker } from "../../../src/app/processes/messages.ts";
import { runWorkers } from "../../../src/app/processes/primary.ts";
import type { StartWorker, WorkerEvents } from "../../../src/app/processes/worker-process.ts";
import { collectingLog } from "../../support/context.ts";

interface FakeWorker extends WorkerEvents {
  readonly pid: number;
  readonly sent: ToWorker[];
  readonly killed: string[];
  /** Starts like a worker: requests its role, then accepts requests. */
  listen(): void;
  die(killedBy?: string): void;
  /** The worker answers no message while false. */
  answers: boolean;
}

/** Runs a server of workers that the test starts and ends. A worker ends when it is killed. */
function fakeServer(count: number) {
  const workers: FakeWorker[] = [];
  const interrupt = new AbortController();
  const { log, lines } = collectingLog();
  const sentences: string[] = [];
  const startWorker: StartWorker = (events) => {
    const worker: FakeWorker = {
      ...events,
      pid: workers.length + 1,
      sent: [],
      killed: [],
      answers: true,
      listen() {
        events.onMessage({ kind: "hello" });
        events.onMessage({ kind: "listening", port: 8787 });
      },
      die: (killedBy) =>
        events.onEnd({ code: killedBy === undefined ? 3 : null, killedBy: killedBy ?? null }),
    };
    workers.push(worker);
    return {
      pid: worker.pid,
      send(message) {
        worker.sent.push(message);
        if (message.kind === "ping" && worker.answers) events.onMessage({ kind: "pong" });
      },
      kill(signal) {
        worker.killed.push(signal);
        if (signal === "SIGKILL" || worker.answers) worker.die(signal);
      },
    };
  };
  const ended = runWorkers(count, {
    signal: interrupt.signal,
    log,
    report: (sentence) => sentences.push(sentence),
    startWorker,
  });
  /** Starts the workers that the server has not started yet. */
  const listenAll = () => {
    for (const worker of workers) if (worker.sent.length === 0) worker.listen();
  };
  return { workers, interrupt, lines, sentences, ended, listenAll };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const startsOf = (workers: readonly FakeWorker[]) =>
  workers.map(({ sent }) => sent.find((message) => message.kind === "start"));
const rolesOf = (workers: readonly FakeWorker[]) =>
  startsOf(workers).map((message) => message?.backgroundWork);

describe("the primary process", () => {
  it("starts the other workers once the first accepts requests", async () => {
    const { workers, listenAll } = fakeServer(3);
    expect(workers).toHaveLength(1);
    listenAll();
    listenAll();
    const others = { kind: "start", count: 3, backgroundWork: false, port: null };
    expect(startsOf(workers)).toEqual([{ ...others, backgroundWork: true }, others, others]);
  });

  it("restarts all workers though all ended at once, each in its role", async () => {
    const { workers, listenAll, interrupt, ended } = fakeServer(3);
    listenAll();
    listenAll();
    await vi.advanceTimersByTimeAsync(10_000);
    for (const worker of [...workers]) worker.die("SIGKILL");
    expect(vi.getTimerCount(), "the pings and three restarts").toBe(4);
    await vi.advanceTimersByTimeAsync(250);
    listenAll();
    expect(rolesOf(workers.slice(3))).toEqual([true, false, false]);
    expect(startsOf(workers)[3], "the same port").toMatchObject({ port: 8787 });
    interrupt.abort();
    expect(await ended).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("doubles the delay with each failure in a row, and begins again after 10 s without one", async () => {
    const { workers, lines, listenAll } = fakeServer(1);
    const delays = () => lines.map(({ fields }) => fields.restart_ms);
    listenAll();
    for (let failure = 0; failure < 9; failure++) {
      workers.at(-1)!.die();
      const before = workers.length;
      const delay = lines.at(-1)!.fields.restart_ms as number;
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(workers).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(workers).toHaveLength(before + 1);
    }
    expect(delays()).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    listenAll();
    await vi.advanceTimersByTimeAsync(10_000);
    workers.at(-1)!.die();
    expect(delays().at(-1)).toBe(250);
  });

  it("ends with code 1 and a sentence once no worker accepts requests and one failed ten times in a row", async () => {
    const { workers, sentences, ended, listenAll } = fakeServer(1);
    listenAll();
    for (let failure = 0; failure < 10; failure++) {
      expect(sentences).toEqual([]);
      workers.at(-1)!.die();
      await vi.advanceTimersByTimeAsync(30_000);
    }
    expect(await ended).toBe(1);
    expect(sentences).toEqual([
      "The server ends, because no process accepts requests and 10 starts in a row failed, the last with exit code 3. The messages above name the cause; remove it and start the server again.",
    ]);
    expect(workers).toHaveLength(10);
  });

  it("goes on while another worker accepts requests", async () => {
    const { workers, sentences, listenAll } = fakeServer(2);
    listenAll();
    listenAll();
    for (let failure = 0; failure < 12; failure++) {
      workers.at(failure === 0 ? 0 : -1)!.die();
      await vi.advanceTimersByTimeAsync(30_000);
    }
    expect([sentences, workers.length]).toEqual([[], 14]);
  });

  it("kills and replaces a worker that has not answered for 4 s", async () => {
    const { workers, lines, listenAll } = fakeServer(2);
    listenAll();
    listenAll();
    await vi.advanceTimersByTimeAsync(60_000);
    workers[1]!.answers = false;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(workers[1]!.killed).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(workers.map(({ killed }) => killed)).toEqual([[], ["SIGKILL"]]);
    expect(lines[0]).toMatchObject({ event: "worker_hangs", fields: { pid: 2, unanswered_ms: 4_000 } });
    await vi.advanceTimersByTimeAsync(250);
    listenAll();
    expect(rolesOf(workers)).toEqual([true, false, false]);
  });

  it("gives a worker that starts ten minutes to answer", async () => {
    const { workers, ended } = fakeServer(1);
    workers[0]!.answers = false;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(workers[0]!.killed).toEqual([]);
    await vi.advanceTimersByTimeAsync(500);
    expect(workers[0]!.killed).toEqual(["SIGKILL"]);
    expect(await ended).toBe(1);
  });

  it("returns the code of a first worker that never accepted requests", async () => {
    const { workers, ended } = fakeServer(2);
    workers[0]!.die();
    expect(await ended).toBe(3);
    expect(workers).toHaveLength(1);
  });

  it("starts no worker once it is stopped, and kills the one that does not end within 9.8 s", async () => {
    const { workers, interrupt, ended, listenAll } = fakeServer(3);
    listenAll();
    listenAll();
    await vi.advanceTimersByTimeAsync(10_000);
    workers[0]!.die();
    workers[1]!.answers = false;
    interrupt.abort();
    expect(workers.map(({ killed }) => killed)).toEqual([[], ["SIGTERM"], ["SIGTERM"]]);
    await vi.advanceTimersByTimeAsync(9_799);
    expect(workers[1]!.killed).toEqual(["SIGTERM"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(workers[1]!.killed).toEqual(["SIGTERM", "SIGKILL"]);
    expect(await ended).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(workers).toHaveLength(3);
  });

  it("starts nothing if it is stopped before it runs", async () => {
    const startWorker = vi.fn<StartWorker>();
    const options = { signal: AbortSignal.abort(), log: collectingLog().log, report() {}, startWorker };
    expect(await runWorkers(2, options)).toBe(0);
    expect(startWorker).not.toHaveBeenCalled();
  });
});
