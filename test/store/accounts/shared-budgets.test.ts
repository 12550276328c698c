import { expect, it, onTestFinished } from "vitest";
import type { Windows } from "../../../src/domain/accounts/windows-port.ts";
import type { Clock } from "../../../src/domain/ports.ts";
import { sharedBudgets } from "../../../src/market/failover/meter.ts";
import { openRateLimits } from "../../../src/store/accounts/windows.ts";
import { openPool } from "../../../src/store/postgres/pool.ts";
import { openPostgresRateLimits } from "../../../src/store/postgres/windows.ts";
import { Database } from "../../../src/store/sqlite/database.ts";
import { POSTGRES_URL, takeDatabase } from "../../support/postgres.ts";
import { movingClock } from "../../support/store.ts";

const MINUTE_MS = 60_000;

/** Opens the rate windows of two processes on one database. */
async function twoProcesses(clock: Clock): Promise<readonly [Windows, Windows]> {
  if (POSTGRES_URL === null) {
    const file = new Database(":memory:");
    onTestFinished(() => void file.close());
    return [openRateLimits(file, clock), openRateLimits(file, clock)];
  }
  const { url, release } = await takeDatabase(POSTGRES_URL);
  const pool = openPool(url, { max: 2 });
  const monitor = { full() {}, damaged() {} };
  const [one, two] = [
    openPostgresRateLimits(pool, monitor, clock),
    openPostgresRateLimits(pool, monitor, clock),
  ];
  onTestFinished(async () => {
    await one.close();
    await two.close();
    await pool.end();
    await release();
  });
  return [one, two];
}

/** Returns the largest number of times within any minute. */
const mostInAMinute = (times: readonly number[]): number =>
  Math.max(...times.map((from, i) => times.slice(i).filter((at) => at - from < MINUTE_MS).length));

it.each([1, 5, 60])(
  "admit %d calls in any minute, not twice as many around the end of one",
  async (calls) => {
    const clock = movingClock();
    const budget = { calls, perMs: MINUTE_MS, atOnce: 99 };
    const both = (await twoProcesses(clock)).map((windows) => sharedBudgets(windows, "vendor", [budget]));
    const times: number[] = [];
    const call = async (n: number) => {
      const taken = await both[n % 2]!.take();
      if (typeof taken === "function") times.push(clock.now().getTime());
      else expect(taken.waitMs).toBeGreaterThan(0);
    };
    // one call, then as many as possible just before the end of its minute and after it
    await call(0);
    clock.pass(MINUTE_MS - 1);
    for (let n = 0; n < calls + 5; n++) await call(n);
    clock.pass(2);
    for (let n = 0; n < calls + 5; n++) await call(n);
    expect(mostInAMinute(times)).toBe(calls);
  },
);

it("admit at least nine tenths of what they could under a steady load", async () => {
  const clock = movingClock();
  const budget = { calls: 60, perMs: MINUTE_MS, atOnce: 99 };
  const both = (await twoProcesses(clock)).map((windows) => sharedBudgets(windows, "vendor", [budget]));
  const times: number[] = [];
  for (let second = 0; second < 180; second++) {
    for (let n = 0; n < 2; n++)
      if (typeof (await both[n]!.take()) === "function") times.push(clock.now().getTime());
    clock.pass(1_000);
  }
  expect(mostInAMinute(times)).toBe(60);
  expect(times.length).toBeGreaterThanOrEqual(0.9 * 180);
});

it("take back a call that was not made", async () => {
  const clock = movingClock();
  const [windows] = await twoProcesses(clock);
  const budget = { calls: 1, perMs: MINUTE_MS, atOnce: 99 };
  const shared = sharedBudgets(windows, "vendor", [{ ...budget, calls: 9, perMs: 1_000 }, budget]);
  const first = await shared.take();
  expect(await shared.take()).toEqual({ waitMs: MINUTE_MS });
  await (first as () => Promise<void>)();
  expect(typeof (await shared.take())).toBe("function");
});
