import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openRateLimits } from "../../../src/store/accounts/windows.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { movingClock } from "../../support/store.ts";
import { tempDir } from "../../support/temp-dir.ts";

type Counting = ReturnType<typeof openRateLimits>;
const FIVE = { quota: 5, window: 60 };
const DAY = 86_400_000;

function counters(file = ":memory:") {
  const db = new Database(file);
  onTestFinished(() => {
    db.close();
  });
  return db;
}

async function take(windows: Counting, times: number, limit = FIVE, caller = "a") {
  const waits: (number | null)[] = [];
  for (let call = 0; call < times; call++) waits.push(await windows.take("burst", limit, caller));
  return waits;
}

describe("a window", () => {
  it("admits its quota and returns the wait for the rest", async () => {
    const clock = movingClock();
    const windows = openRateLimits(counters(), clock);
    await take(windows, 1);
    clock.pass(20_000);
    expect(await take(windows, 6)).toEqual([null, null, null, null, 40_000, 40_000]);
  });

  it("refunds a call, in memory while its file cannot be written", async () => {
    const file = counters();
    const windows = openRateLimits(file, movingClock());
    await take(windows, 5);
    await windows.refund("burst", FIVE, "a");
    expect(await take(windows, 2)).toEqual([null, 60_000]);
    file.pragma("query_only = 1");
    expect(await take(windows, 5, FIVE, "b")).toEqual([null, null, null, null, null]);
    await windows.refund("burst", FIVE, "b");
    expect(await take(windows, 2, FIVE, "b")).toEqual([null, expect.any(Number)]);
  });

  it("does not get back what was counted ahead in the one before", async () => {
    const [clock, file] = [movingClock(), counters()];
    const [windows, others] = [openRateLimits(file, clock), openRateLimits(file, clock)];
    const limit = { quota: 1_000, window: 60 };
    await take(windows, 1, limit);
    clock.pass(60_000);
    await take(others, 3, limit);
    await windows.close();
    await others.close();
    expect(await openRateLimits(file, clock).usage("burst", limit, "a")).toMatchObject({ remaining: 997 });
  });

  it("is over when its end is further ahead than its length: the clock was ahead", async () => {
    const clock = movingClock();
    const windows = openRateLimits(counters(), clock);
    clock.pass(30 * DAY);
    expect(await take(windows, 6)).toEqual([null, null, null, null, null, 60_000]);
    clock.pass(-30 * DAY);
    expect(await windows.usage("burst", FIVE, "a")).toEqual({ remaining: 5, msLeft: 0 });
    expect(await take(windows, 6)).toEqual([null, null, null, null, null, 60_000]);
    // less than the wait for a lock: the other process may have read the time later
    clock.pass(-5_000);
    expect(await take(windows, 1)).toEqual([65_000]);
    clock.pass(-1);
    expect(await take(windows, 1)).toEqual([null]);
  });

  it("is not made longer by refused calls", async () => {
    const clock = movingClock();
    const windows = openRateLimits(counters(), clock);
    await take(windows, 9);
    clock.pass(59_999);
    expect(await take(windows, 1)).toEqual([1]);
    clock.pass(2);
    expect(await take(windows, 6)).toEqual([null, null, null, null, null, 60_000]);
  });

  it("begins with the first call and is unaffected by reads", async () => {
    const clock = movingClock();
    const windows = openRateLimits(counters(), clock);
    expect(await windows.usage("burst", FIVE, "a")).toEqual({ remaining: 5, msLeft: 0 });
    await take(windows, 2);
    for (let read = 0; read < 2; read++)
      expect(await windows.usage("burst", FIVE, "a")).toEqual({ remaining: 3, msLeft: 60_000 });
    await take(windows, 9);
    expect(await windows.usage("burst", FIVE, "a")).toEqual({ remaining: 0, msLeft: 60_000 });
    expect(await windows.usage("burst", FIVE, "b")).toEqual({ remaining: 5, msLeft: 0 });
  });

  it("counts windows of different names and lengths apart", async () => {
    const clock = movingClock();
    const windows = openRateLimits(counters(), clock);
    await take(windows, 5);
    expect(await windows.take("burst", { quota: 5, window: 3_600 }, "a")).toBeNull();
    expect(await windows.take("daily", FIVE, "a")).toBeNull();
    expect(await take(windows, 1)).toEqual([60_000]);
  });

  it("keeps admitted calls, but not refused ones, when the quota changes", async () => {
    const clock = movingClock();
    const windows = openRateLimits(counters(), clock);
    await take(windows, 500);
    expect(await windows.usage("burst", { quota: 60, window: 60 }, "a")).toMatchObject({ remaining: 55 });
    expect(await windows.take("burst", { quota: 3, window: 60 }, "a")).toBe(60_000);
  });

  it("admits its quota of concurrent calls, and counts calls of another limit separately", async () => {
    const windows = openRateLimits(counters(), movingClock());
    const takeAll = (limit: typeof FIVE, times: number, caller = "a") =>
      Array.from({ length: times }, () => windows.take("burst", limit, caller));
    const waits = await Promise.all([...takeAll(FIVE, 3), ...takeAll(FIVE, 2, "b"), ...takeAll(FIVE, 4)]);
    expect(waits).toEqual([null, null, null, null, null, null, null, 60_000, 60_000]);
    const wider = { quota: 8, window: 60 };
    expect(await Promise.all([...takeAll(FIVE, 2), ...takeAll(wider, 4)])).toEqual([
      ...[60_000, 60_000],
      ...[null, null, null, 60_000],
    ]);
    expect(await windows.usage("burst", wider, "b")).toEqual({ remaining: 6, msLeft: 60_000 });
  });

  it("writes each call to the file before it is admitted", async () => {
    const file = `${tempDir()}/meters.db`;
    const windows = openRateLimits(counters(file), movingClock());
    const elsewhere = counters(file).prepare("SELECT used FROM windows").pluck();
    const calls = Array.from({ length: 3 }, () => windows.take("burst", FIVE, "a"));
    const seen = await Promise.all(calls.map((call) => call.then(() => elsewhere.get())));
    expect(seen).toEqual([3, 3, 3]);
  });

  it("is read again in the next event loop iteration", async () => {
    const file = `${tempDir()}/meters.db`;
    const [here, there] = [1, 2].map(() => openRateLimits(counters(file), movingClock())) as [
      Counting,
      Counting,
    ];
    await here.take("burst", FIVE, "a");
    await there.take("burst", FIVE, "a");
    await new Promise(setImmediate);
    expect(await here.usage("burst", FIVE, "a")).toMatchObject({ remaining: 3 });
  });

  it("persists in the file", async () => {
    const clock = movingClock();
    const file = `${tempDir()}/meters.db`;
    const first = new Database(file);
    await take(openRateLimits(first, clock), 4);
    first.close();
    expect(await take(openRateLimits(counters(file), clock), 2)).toEqual([null, 60_000]);
  });

  it("is deleted from the file within an hour of its end", async () => {
    const clock = movingClock();
    const db = counters();
    const windows = openRateLimits(db, clock);
    await take(windows, 1, FIVE, "a");
    clock.pass(3_600_000);
    await take(windows, 1, FIVE, "b");
    expect(db.prepare("SELECT key FROM windows").pluck().all()).toEqual(["burst60:b"]);
  });
});

describe("windows whose file cannot be written", () => {
  const used = (db: Database) =>
    db
      .prepare("SELECT key, used FROM windows")
      .all()
      .map(({ key, used }) => [key, used]);

  it("are counted in memory on top of the file, and written once it can be written", async () => {
    const db = counters();
    const windows = openRateLimits(db, movingClock());
    await take(windows, 1);
    db.pragma("query_only = ON");
    expect(await take(windows, 6)).toEqual([null, null, null, null, 60_000, 60_000]);
    expect(await windows.usage("burst", FIVE, "a")).toEqual({ remaining: 0, msLeft: 60_000 });
    await windows.refund("burst", FIVE, "a");
    expect(await take(windows, 2)).toEqual([null, 60_000]);
    expect(used(db)).toEqual([["burst60:a", 1]]);
    db.pragma("query_only = OFF");
    expect(await take(windows, 1)).toEqual([60_000]);
    expect(used(db)).toEqual([["burst60:a", 5]]);
  });

  it("are counted in the file if another process writes for a moment only", async () => {
    const { db, other } = lockedFile();
    const windows = openRateLimits(db, movingClock());
    other.exec("BEGIN IMMEDIATE");
    const call = windows.take("burst", FIVE, "a");
    setImmediate(() => other.exec("ROLLBACK"));
    expect(await call.then(() => used(db))).toEqual([["burst60:a", 1]]);
  });

  it("are counted exactly while another process holds the lock, and written when it is released", async () => {
    const { db, other } = lockedFile();
    const windows = openRateLimits(db, movingClock());
    await take(windows, 2);
    other.exec("BEGIN IMMEDIATE");
    const calls = Array.from({ length: 5 }, () => windows.take("burst", FIVE, "a"));
    expect(await Promise.all(calls)).toEqual([null, null, null, 60_000, 60_000]);
    expect(await take(windows, 1, FIVE, "b")).toEqual([null]);
    expect(used(db)).toEqual([["burst60:a", 2]]);
    other.exec("ROLLBACK");
    await vi.waitFor(() => {
      expect(used(db)).toEqual([
        ["burst60:a", 5],
        ["burst60:b", 1],
      ]);
    });
    expect(await take(windows, 1)).toEqual([60_000]);
  });

  it("do not block the event loop: no statement waits for the lock", () => {
    const { db } = lockedFile();
    openRateLimits(db, movingClock());
    expect(db.pragma("busy_timeout", { simple: true })).toBe(0);
  });
});

/** A file that is opened twice, as by two processes. */
function lockedFile() {
  const file = `${tempDir()}/meters.db`;
  const db = counters(file);
  db.pragma("journal_mode = WAL");
  return { db, other: counters(file) };
}
