import { expect, it } from "vitest";
import { createSharedRun } from "../../../src/app/processes/shared-run.ts";
import { noPeers } from "../../../src/domain/peers-port.ts";
import { createRunWatch } from "../../../src/features/nightly/run-watch.ts";
import { waitForRun } from "../../../src/features/nightly/wait-for-run.ts";
import { connectedPeers } from "../../support/peers.ts";
import { movingClock } from "../../support/store.ts";

const NOW = new Date("2026-01-15T21:00:00.000Z");
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Returns the run watches of the process that computes runs and of another one. */
function twoProcesses() {
  const [runnerPeers, otherPeers] = connectedPeers(2);
  const [run, none] = [createRunWatch(movingClock(NOW)), createRunWatch(movingClock(NOW))];
  return {
    run,
    runner: createSharedRun(() => run.watch, runnerPeers!),
    other: createSharedRun(() => none.watch, otherPeers!),
  };
}

/** Starts a run that goes on until the returned function is called. */
function startRun(run: ReturnType<typeof createRunWatch>): () => Promise<void> {
  let end = () => {};
  const done = run.during(() => new Promise<void>((resolve) => (end = resolve)));
  return () => {
    end();
    return done;
  };
}

it("sends the other processes a run that began before them, its progress and its end", async () => {
  const { run, runner, other } = twoProcesses();
  const stop = runner.send();
  const end = startRun(run);
  expect(other.watch.current()).toBeNull();
  void other.ask();
  await settled();
  expect(other.watch.current()).toEqual({ done: 0, total: 0, startedAt: NOW.getTime() });
  run.step({ done: 3, total: 10 });
  run.changed();
  await settled();
  expect(other.watch.current()).toMatchObject({ done: 3, total: 10 });
  await end();
  await settled();
  expect(other.watch.current()).toBeNull();
  stop();
  startRun(run);
  run.changed();
  await settled();
  expect(other.watch.current()).toBeNull();
});

it("lets a call of another process wait until rows are there, or the run ends", async () => {
  const { run, runner, other } = twoProcesses();
  const end = startRun(run);
  runner.send();
  void other.ask();
  await settled();
  let rows = 0;
  const steps: string[] = [];
  const withRows = waitForRun(async () => rows > 0, other.watch, undefined)!.then(() => steps.push("rows"));
  const untilEnd = waitForRun(async () => false, other.watch, undefined)!.then(() => steps.push("end"));
  await settled();
  expect(steps).toEqual([]);
  rows = 1;
  run.changed();
  await withRows;
  expect(steps).toEqual(["rows"]);
  await end();
  await untilEnd;
  expect(steps).toEqual(["rows", "end"]);
});

it("forgets the run of a process that ended once its successor starts", async () => {
  const [runnerPeers, otherPeers] = connectedPeers(2);
  const idle = () => createRunWatch(movingClock(NOW)).watch;
  const other = createSharedRun(idle, otherPeers!);
  void other.ask();
  await runnerPeers!.request("run_changed", { done: 1, total: 9, startedAt: NOW.getTime() });
  expect(other.watch.current()).toMatchObject({ done: 1 });
  createSharedRun(idle, runnerPeers!).send();
  await settled();
  expect(other.watch.current()).toBeNull();
});

it("watches only its own run in a server of one process", () => {
  const run = createRunWatch(movingClock(NOW));
  const shared = createSharedRun(() => run.watch, noPeers);
  shared.send();
  expect(shared.watch.current()).toBeNull();
  startRun(run);
  expect(shared.watch.current()).toMatchObject({ done: 0 });
});
