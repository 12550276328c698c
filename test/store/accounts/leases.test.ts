import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openRateLimits } from "../../../src/store/accounts/windows.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

const THOUSAND = { quota: 1_000, window: 60 };
const FORTY = { quota: 40, window: 60 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Rate limits of two processes on one file, and the calls that the file counts. */
function twoProcesses() {
  const file = `${tempDir()}/meters.db`;
  const clock = movingClock();
  const open = () => {
    const db = new Database(file);
    onTestFinished(() => void db.close());
    return { db, windows: openRateLimits(db, clock) };
  };
  const [here, there] = [open(), open()];
  const used = here.db.prepare("SELECT used FROM windows").pluck();
  return { clock, here, there, used: () => used.get() as number };
}
type Windows = ReturnType<typeof twoProcesses>["here"]["windows"];
const admitted = async (windows: Windows, calls: number, limit = THOUSAND) => {
  let count = 0;
  for (let i = 0; i < calls; i++) if ((await windows.take("burst", limit, "a")) === null) count++;
  return count;
};
const remaining = async (windows: Windows, limit = THOUSAND) =>
  (await windows.usage("burst", limit, "a")).remaining;

describe("a lease of calls", () => {
  it("is made above ten calls a second, saves a write for each of its calls, and the usage stays exact", async () => {
    const { here, used } = twoProcesses();
    await admitted(here.windows, 11);
    expect([used(), await remaining(here.windows)]).toEqual([61, 989]);
    await admitted(here.windows, 50);
    expect([used(), await remaining(here.windows)]).toEqual([61, 939]);
    await admitted(here.windows, 1);
    expect([used(), await remaining(here.windows)]).toEqual([112, 938]);
  });

  it("is not made for a quiet caller, whose calls go down by one over both processes", async () => {
    const { here, there } = twoProcesses();
    const seen: number[] = [];
    for (let second = 0; second < 3; second++) {
      for (const { windows } of [here, there, there, here]) {
        await admitted(windows, 5);
        seen.push(await remaining(windows));
      }
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => 995 - 5 * n));
  });

  it("is given back when it is not used for a second or two, and when the process ends", async () => {
    const { here, there, used } = twoProcesses();
    await admitted(here.windows, 13);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(used(), "used in this second").toBe(61);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(used()).toBe(13);
    expect(vi.getTimerCount()).toBe(0);
    await admitted(there.windows, 12);
    expect(used()).toBe(74);
    there.windows.close();
    expect([used(), vi.getTimerCount()]).toEqual([25, 0]);
  });

  it("is not made near the quota, so that any process can make the last calls", async () => {
    const { here, there, used } = twoProcesses();
    expect(await admitted(here.windows, 36, FORTY)).toBe(36);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await admitted(here.windows, 1, FORTY)).toBe(1);
    expect(used()).toBe(37);
    expect(await admitted(there.windows, 10, FORTY)).toBe(3);
    expect(await admitted(here.windows, 10, FORTY)).toBe(0);
  });

  it("takes a refunded call back without a write", async () => {
    const { here, used } = twoProcesses();
    await admitted(here.windows, 12);
    await here.windows.refund("burst", THOUSAND, "a");
    expect([used(), await remaining(here.windows)]).toEqual([61, 989]);
  });

  it("ends with its window", async () => {
    const { clock, here, used } = twoProcesses();
    await admitted(here.windows, 11);
    clock.pass(60_000);
    await admitted(here.windows, 1);
    expect([used(), await remaining(here.windows)]).toEqual([51, 999]);
  });

  it("is not made if the file could not be written", async () => {
    const { here, there } = twoProcesses();
    there.db.exec("begin immediate");
    const calls = Array.from({ length: 1_001 }, () => here.windows.take("burst", THOUSAND, "a"));
    for (let i = 0; i < 20; i++) {
      await new Promise((next) => setImmediate(next));
      await vi.advanceTimersByTimeAsync(10);
    }
    there.db.exec("rollback");
    expect((await Promise.all(calls)).filter((wait) => wait === null)).toHaveLength(1_000);
    expect(await admitted(here.windows, 100)).toBe(0);
  });

  it("never admits more calls than the quota over two processes, and all of it once leases are given back", async () => {
    const step = fc.record({
      process: fc.constantFrom("here", "there"),
      action: fc.oneof(
        { weight: 5, arbitrary: fc.record({ calls: fc.integer({ min: 1, max: 40 }) }) },
        { weight: 1, arbitrary: fc.constant("close" as const) },
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 15 }),
        fc.integer({ min: 1, max: 300 }),
        async (steps, quota) => {
          const limit = { quota, window: 60 };
          const db = new Database(":memory:");
          const clock = movingClock();
          const windows = { here: openRateLimits(db, clock), there: openRateLimits(db, clock) };
          let total = 0;
          for (const { process, action } of steps)
            if (action === "close") windows[process].close();
            else {
              const waits = Array.from({ length: action.calls }, () =>
                windows[process].take("burst", limit, "a"),
              );
              total += (await Promise.all(waits)).filter((wait) => wait === null).length;
            }
          expect(total).toBeLessThanOrEqual(quota);
          windows.here.close();
          windows.there.close();
          expect(await admitted(windows.here, quota - total + 1, limit)).toBe(quota - total);
          windows.here.close();
          db.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
