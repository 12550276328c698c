import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noRunError } from "../../../src/features/nightly/newest-run.ts";
import { createRunWatch } from "../../../src/features/nightly/run-watch.ts";
import { MAX_WAIT_MS, secondsLeft, waitForRun } from "../../../src/features/nightly/wait-for-run.ts";
import { NOW, sampleMarket } from "../../support/context.ts";
import { testEngine } from "../../support/engine.ts";
import { movingClock } from "../../support/store.ts";

/** A run in progress whose rows a test writes; `end` ends it. */
function runInProgress() {
  const clock = movingClock(NOW);
  const run = createRunWatch(clock);
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  void run.during(() => ended);
  run.begin();
  const world = { rows: 0 };
  const wait = (signal?: AbortSignal) => {
    const state = { over: false };
    const done = waitForRun(async () => world.rows > 0, run.watch, signal)!.then(() => {
      state.over = true;
    });
    return { state, done };
  };
  return { clock, run, world, wait, end: () => end() };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("waiting for a run in progress", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("ends with the first rows, not with any other change", async () => {
    const { run, world, wait } = runInProgress();
    const { state, done } = wait();
    run.changed();
    await settle();
    expect(state.over).toBe(false);
    world.rows = 1;
    run.changed();
    await done;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends with the run, when the server shuts down, and after 8 s", async () => {
    const ended = runInProgress();
    const first = ended.wait();
    ended.end();
    await first.done;
    const closed = runInProgress();
    const second = closed.wait();
    closed.run.close();
    await second.done;
    const long = runInProgress();
    const third = long.wait();
    await vi.advanceTimersByTimeAsync(MAX_WAIT_MS - 1);
    expect(third.state.over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(third.state.over).toBe(true);
  });

  it("ends for a caller that disconnects, and goes on for the others", async () => {
    const { run, world, wait } = runInProgress();
    const caller = new AbortController();
    const [left, other] = [wait(caller.signal), wait()];
    caller.abort();
    await left.done;
    await settle();
    expect(other.state.over).toBe(false);
    expect(run.watch.current()).not.toBeNull();
    world.rows = 1;
    run.changed();
    await other.done;
    await wait(AbortSignal.abort()).done;
  });

  it("does not begin without a run", () => {
    const { watch } = createRunWatch(movingClock(NOW));
    expect(waitForRun(async () => false, watch, undefined)).toBeUndefined();
    expect(waitForRun(async () => false, undefined, undefined)).toBeUndefined();
  });
});

describe("the time that a run still takes", () => {
  it.each([
    [{ done: 0, total: 0 }, 60_000, 10],
    [{ done: 20, total: 80 }, 10_000, 30],
    [{ done: 80, total: 80 }, 10_000, 1],
    [{ done: 1, total: 1_000 }, 60_000, 600],
  ])("of %j after %d ms is %d s", (steps, elapsed, seconds) => {
    expect(secondsLeft({ ...steps, startedAt: 1_000 }, 1_000 + elapsed)).toBe(seconds);
  });

  it("is in the refusal of a call that has waited", async () => {
    const { clock, run } = runInProgress();
    run.step({ done: 20, total: 80 });
    clock.pass(10_000);
    const engineRuns = { recent: async () => [], ongoing: run.watch } as never;
    const error = await noRunError(["stocks"], { engineRuns, market: sampleMarket, clock });
    expect(error).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "The first nightly run over stocks is in progress",
      data: { retry_after: 30, retry_at: new Date(NOW.getTime() + 40_000).toISOString() },
    });
  });
});

describe("the engine", () => {
  it("tells of its run from the request to the end, with its progress, and of none once closed", async () => {
    const { engine } = await testEngine();
    const { ongoing } = engine;
    expect(ongoing.current()).toBeNull();
    const seen: (number | null)[] = [];
    ongoing.onChange(() => seen.push(ongoing.current()?.done ?? null));
    const running = engine.run({ universe: { name: "all" } });
    expect(ongoing.current()).toMatchObject({ done: 0 });
    const { rows } = await running;
    expect(seen.length).toBeGreaterThan(1);
    expect(seen[0]).toBeGreaterThan(0);
    expect(rows.length).toBeGreaterThan(0);
    expect(ongoing.current()).toBeNull();
    void engine.run({ universe: { name: "all" } }).catch(() => {});
    await engine.close();
    expect(ongoing.current()).toBeNull();
  });
});
