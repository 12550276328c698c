import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/open-store.ts";
import { stoppedClock } from "../../support/context.ts";
import { LONG_RUN, longRun } from "../../support/long-run.ts";
import { start } from "../../support/program.ts";
import { tempDir } from "../../support/temp-dir.ts";

const runIn = (dataDir: string, id: string) => [
  ...[process.execPath, "--import", import.meta.resolve("tsx"), "--input-type=module", "--eval"],
  `import { setTimeout as sleep } from "node:timers/promises";
   import { longRun } from "./test/support/long-run.ts";
   await longRun(${JSON.stringify(dataDir)}, ${JSON.stringify(id)}, (rows) => {
     console.log("wrote " + rows);
     return sleep(100); // so that the end is never nearer than the kill
   });`,
];

async function heldIn(dataDir: string) {
  const store = await openStore({ dataDir, clock: stoppedClock() });
  try {
    const { db } = store;
    const rows = await db.selectFrom("engine_rows").select(["run_id", "symbol"]).execute();
    const results = await db.selectFrom("engine_results").select("symbol").execute();
    return { rows, results };
  } finally {
    await store.close();
  }
}

describe("a run that is killed", () => {
  it("repeatedly resumes each time: no symbol twice, none lost, no result before the end", async () => {
    const dataDir = join(tempDir(), "data");
    let before = 0;
    for (const [i, writes] of [1, 3, 2].entries()) {
      const { child, says, ended } = start(runIn(dataDir, `run-${i}`), {});
      await says(new RegExp(`(wrote \\d+\\s+){${writes}}`));
      await sleep(i);
      child.kill("SIGKILL");
      expect(await ended).toBe("SIGKILL");
      const { rows, results } = await heldIn(dataDir);
      expect(rows.length).toBeGreaterThan(before);
      expect(rows.length).toBeLessThan(LONG_RUN);
      expect(results).toEqual([]);
      before = rows.length;
    }
    let wrote = 0;
    const { rows, failures, resumed, head } = await longRun(dataDir, "another", (count) => {
      wrote += count;
    });
    expect({ resumed, run_id: head.run_id, failures }).toEqual({
      resumed: true,
      run_id: "run-0",
      failures: [],
    });
    expect(wrote, "only what was missing is computed").toBe(LONG_RUN - before);
    expect(rows.map(({ symbol }) => symbol)).toEqual(head.members);
    const held = await heldIn(dataDir);
    expect(held.rows.every(({ run_id }) => run_id === "run-0")).toBe(true);
    expect(held.results.map(({ symbol }) => symbol).sort()).toEqual(head.members);
    const whole = await longRun(join(tempDir(), "data"), "whole");
    expect(rows).toEqual(whole.rows);
  }, 120_000);
});
