import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { tempDir } from "../support/temp-dir.ts";

const WRITER = fileURLToPath(new URL("../support/busy-writer.ts", import.meta.url));
const stateOf = (pid: number) =>
  spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout[0];

it("leaves the database unlocked when a writing process is stopped", async () => {
  const file = `${tempDir()}/main.db`;
  const child = spawn(process.execPath, ["--import", "tsx", WRITER, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const other = new Database(file, { timeout: 0 });
  onTestFinished(() => void other.close());
  for (let stop = 0; stop < 5; stop++) {
    child.kill("SIGTSTP");
    await expect.poll(() => stateOf(child.pid!)).toBe("T");
    other.exec("begin immediate; commit");
    child.kill("SIGCONT");
    const rows = () => other.prepare("SELECT count(*) FROM rows").pluck().get() as number;
    const before = rows();
    await expect.poll(rows).toBeGreaterThan(before);
  }
});
