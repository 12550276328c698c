import { expect, it, onTestFinished } from "vitest";
import { createLockOut, type LockOut } from "../../../src/access/sign-in/lock-out.ts";
import { openRateLimits } from "../../../src/store/accounts/windows.ts";
import { testHash } from "../../support/keyed-hash.ts";
import { movingClock, testStore } from "../../support/store.ts";

const QUARTER_MS = 900_000;

/** The lock-outs of two processes on one database, and their clock. */
async function twoProcesses() {
  const { counters } = await testStore();
  const clock = movingClock();
  const windows = openRateLimits(counters, clock);
  onTestFinished(() => windows.close());
  const open = () => createLockOut(windows, testHash(1));
  return { clock, lockOuts: [open(), open()] as const };
}
const attempt = (lockOut: LockOut, isRight = false) =>
  lockOut(
    "ada",
    async () => isRight,
    (answer) => answer,
  ).catch(({ code, data }) => `${code} ${data.retry_after}`);

it("ten failed attempts lock a name in every process, for a quarter of an hour from the next one", async () => {
  const { clock, lockOuts } = await twoProcesses();
  for (let n = 0; n < 10; n++) expect(await attempt(lockOuts[n % 2]!)).toBe(false);
  clock.pass(600_000);
  expect([await attempt(lockOuts[0], true), await attempt(lockOuts[1], true)]).toEqual([
    "RATE_LIMITED 900",
    "RATE_LIMITED 900",
  ]);
  clock.pass(QUARTER_MS - 1_000);
  expect(await attempt(lockOuts[1], true)).toBe("RATE_LIMITED 1");
  clock.pass(1_000);
  expect(await attempt(lockOuts[1], true)).toBe(true);
});

it("a success ends the count of the attempts before it", async () => {
  const { lockOuts } = await twoProcesses();
  for (let n = 0; n < 9; n++) await attempt(lockOuts[n % 2]!);
  expect(await attempt(lockOuts[0], true)).toBe(true);
  for (let n = 0; n < 10; n++) expect(await attempt(lockOuts[n % 2]!)).toBe(false);
  expect(await attempt(lockOuts[1])).toBe("RATE_LIMITED 900");
});
