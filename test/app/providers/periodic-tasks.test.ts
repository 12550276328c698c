import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createPeriodicTasks } from "../../../src/app/providers/periodic-tasks.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { collectingLog } from "../../support/context.ts";

it("runs until closed, and waits for running tasks", async () => {
  const { log, lines } = collectingLog();
  const tasks = createPeriodicTasks(log);
  const done: string[] = [];
  let go = () => {};
  const first = new Promise<void>((resolve) => {
    go = resolve;
  });
  tasks.every(1, async () => void done.push("often"));
  tasks.every(60_000, async () => {
    await first;
    done.push("slow");
  });
  tasks.every(60_000, async () => void done.push("later"), 60_000);
  await sleep(20);
  const closing = tasks.close();
  go();
  await closing;
  const often = done.filter((what) => what === "often").length;
  expect(often).toBeGreaterThan(1);
  expect([done.includes("slow"), done.includes("later"), tasks.signal.aborted]).toEqual([true, false, true]);
  await sleep(10);
  expect(done.filter((what) => what === "often")).toHaveLength(often);
  expect(lines).toEqual([]);
});

it("logs a failed run, but none after it is closed", async () => {
  const { log, lines } = collectingLog();
  const tasks = createPeriodicTasks(log);
  tasks.every(60_000, () => Promise.reject(new ToolError("UPSTREAM_UNAVAILABLE", "no provider responds")));
  tasks.every(60_000, () => sleep(60_000, undefined, { signal: tasks.signal }));
  await sleep(5);
  await tasks.close();
  expect(lines).toEqual([
    {
      level: "warn",
      event: "periodic_task",
      fields: { code: "UPSTREAM_UNAVAILABLE", reason: "no provider responds" },
    },
  ]);
});
