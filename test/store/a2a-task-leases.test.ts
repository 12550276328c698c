import { randomUUID } from "node:crypto";
import { expect, it, onTestFinished, vi } from "vitest";
import { a2aTaskLeases } from "../../src/store/a2a-task-leases.ts";
import { movingClock, testStore } from "../support/store.ts";

async function twoProcesses() {
  const clock = movingClock();
  const { db } = await testStore();
  const open = () => a2aTaskLeases({ db, clock, ids: { uuid: randomUUID } });
  return { clock, here: open(), there: open() };
}

it("a task is taken by one process at a time, and by another once it is released", async () => {
  const { here, there } = await twoProcesses();
  expect(await Promise.all([here.take("t", "ada"), there.take("t", "ada")])).toEqual([true, false]);
  expect([await here.take("t", "ada"), here.isHere("t"), there.isHere("t")]).toEqual([true, true, false]);
  expect([await here.isElsewhere("t"), await there.isElsewhere("t")]).toEqual([false, true]);
  expect([await there.elsewhere("ada"), await there.elsewhere("bob")]).toEqual([1, 0]);
  await here.release("t");
  expect(await there.take("t", "ada")).toBe(true);
});

it("the tasks of a process that ended are free after a minute, also if its clock was ahead", async () => {
  const { clock, here, there } = await twoProcesses();
  await here.take("t", "ada");
  clock.pass(59_999);
  expect([await there.take("t", "ada"), await there.elsewhere("ada")]).toEqual([false, 1]);
  clock.pass(1);
  expect([await there.elsewhere("ada"), await there.take("t", "ada")]).toEqual([0, true]);
  clock.pass(-3_600_000);
  expect([await here.isElsewhere("t"), await here.take("t", "ada")]).toEqual([false, true]);
});

it("a task that runs for a second is seen by other processes, a shorter one never", async () => {
  const { here, there } = await twoProcesses();
  here.keep("short", "ada");
  here.keep("long", "ada");
  expect(await there.elsewhere("ada")).toBe(0);
  await here.release("short");
  await expect.poll(() => there.elsewhere("ada")).toBe(1);
  expect([await there.isElsewhere("long"), await there.isElsewhere("short")]).toEqual([true, false]);
  await here.release("long");
  expect(await there.elsewhere("ada")).toBe(0);
});

it("a task that ends while its lease is stored leaves none", async () => {
  const { here, there } = await twoProcesses();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  here.keep("t", "ada");
  vi.advanceTimersByTime(1_000); // the lease is being stored
  const released = here.release("t");
  vi.useRealTimers();
  await released;
  await expect.poll(() => there.take("t", "ada"), { interval: 5 }).toBe(true);
});
