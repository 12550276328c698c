import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createPeriodicTasks } from "../../../src/app/providers/periodic-tasks.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { collectingLog } from "../../support/context.ts";

it("goes round until it is closed, and waits for what is under way", async () => {
  const { log, lines } = collectingLog();
  const rounds = createPeriodicTasks(log);
  const done: string[] = [];
  let go = () => {};
  const first = new Promise<void>((resolve) => {
    go = resolve;
  });
  rounds.every(1, async () => void done.push("often"));
  rounds.every(60_000, async () => {
    await first;
    done.push("slow");
  });
  rounds.every(60_000, async () => void done.push("later"), 60_000);
  await sleep(20);
  const closing = rounds.close();
  go();
  await closing;
  const often = done.filter((what) => what === "often").length;
  expect(often).toBeGreaterThan(1);
  expect([done.includes("slow"), done.includes("later"), rounds.signal.aborted]).toEqual([true, false, true]);
  await sleep(10);
  expect(done.filter((what) => what === "often")).toHaveLength(often);
  expect(lines).toEqual([]);
});

it("logs a round that fails, a source's failure in its own words, and nothing once it is closed", async () => {
  const { log, lines } = collectingLog();
  const rounds = createPeriodicTasks(log);
  rounds.every(60_000, () => Promise.reject(new ToolError("UPSTREAM_UNAVAILABLE", "nobody answers")));
  rounds.every(60_000, () => sleep(60_000, undefined, { signal: rounds.signal }));
  await sleep(5);
  await rounds.close();
  expect(lines).toEqual([
    { level: "warn", event: "upkeep", fields: { code: "UPSTREAM_UNAVAILABLE", reason: "nobody answers" } },
  ]);
});
