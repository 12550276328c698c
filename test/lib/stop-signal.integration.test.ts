import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { Database } from "../../src/store/sqlite/database.ts";
import { processState, start } from "../support/program.ts";
import { tempDir } from "../support/temp-dir.ts";

const STOPS = 30;
const SOURCE = `
  import { setImmediate } from "node:timers/promises";
  import { stopOnEventLoop } from "./src/lib/stop-signal.ts";
  import { openStore } from "./src/store/open-store.ts";
  stopOnEventLoop();
  const store = await openStore({ dataDir: process.argv[1], clock: { now: () => new Date() } });
  for (let n = 0; ; n++) {
    await store.db.transaction().execute(async (tx) => {
      for (let row = 0; row < 100; row++)
        await tx.insertInto("accounts").values({ id: n + "/" + row, plan: "pro", created_at: "t" }).execute();
    });
    if (n === 0) console.log("writing");
    await setImmediate();
  }`;

it.skipIf(!existsSync("/proc/self/stat"))(
  "a process stopped by SIGTSTP while it writes never holds the write lock, and goes on at SIGCONT",
  { timeout: 60_000 },
  async () => {
    const dataDir = tempDir();
    const flags = ["--import", "tsx", "--input-type=module", "--eval", SOURCE, dataDir];
    const { child, says } = start([process.execPath, ...flags], {});
    await says(/writing/);
    const other = new Database(join(dataDir, "market-signal.db"), { timeout: 0 });
    onTestFinished(() => void other.close());
    const count = other.prepare("SELECT count(*) FROM accounts").pluck();
    for (let stop = 0; stop < STOPS; stop++) {
      await sleep(Math.random() * 20);
      child.kill("SIGTSTP");
      await vi.waitFor(() => expect(processState(child.pid!)).toBe("T"), { timeout: 10_000, interval: 5 });
      other.exec("BEGIN IMMEDIATE; ROLLBACK");
      const before = count.get() as number;
      child.kill("SIGCONT");
      await vi.waitFor(() => expect(count.get()).toBeGreaterThan(before), { timeout: 10_000, interval: 5 });
    }
  },
);
