import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { backupStatus } from "../../../src/store/backups/status.ts";
import { runBackupHook } from "../../../src/store/upkeep/backup-hook.ts";
import { tempDir } from "../../support/temp-dir.ts";

const now = new Date("2026-01-15T15:00:00.000Z");

/** Writes a shell script and returns its path. */
function program(lines: string, mode = 0o700): string {
  const file = join(tempDir(), "it's a program");
  writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode });
  return file;
}

it("runs a program with the path of the backup as its only argument, without a shell", async () => {
  const dataDir = tempDir();
  const backup = join(dataDir, "a $(touch b) & c.db");
  const result = await runBackupHook(program('printf "%s|" "$#" "$1" > seen'), backup, { dataDir, now });
  expect(result).toEqual({ at: now.toISOString(), backup, failure: null });
  expect(readFileSync(join(dataDir, "seen"), "utf8")).toBe(`1|${backup}|`);
  expect(backupStatus(dataDir, now)).toMatchObject({ newest: null, hook: result });
});

it("returns and stores why a program failed", async () => {
  const dataDir = tempDir();
  const failureOf = async (file: string, timeoutMs = 60_000) =>
    (await runBackupHook(file, "x.db", { dataDir, now, timeoutMs })).failure;
  expect(await failureOf(program("echo first >&2; echo no room >&2; exit 3"))).toBe(
    "it ended with code 3: no room",
  );
  expect(await failureOf(join(dataDir, "none"))).toBe(`${dataDir}/none: there is no such program`);
  const data = program("", 0o600);
  expect(await failureOf(data)).toBe(`${data}: it may not be executed`);
  expect(await failureOf(program("exec sleep 600"), 50)).toBe("it did not end within 0.05 s");
  expect(backupStatus(dataDir, now).hook?.failure).toBe("it did not end within 0.05 s");
});

it("ends a program when the server stops", async () => {
  const closing = new AbortController();
  const running = runBackupHook(program("exec sleep 600"), "x.db", {
    dataDir: tempDir(),
    now,
    signal: closing.signal,
  });
  closing.abort();
  expect((await running).failure).toBe("the server was stopped while it ran");
});
