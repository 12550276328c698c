import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const MEMORY = "/dev/shm";
const ROOM_BYTES = 2 * 1024 ** 3;

/** The folder of temporary folders: in memory where there is room, as each commit of a store waits for the disk. */
function root(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir(); // not Linux, or not for this user
  }
}

const newDir = (): string => mkdtempSync(join(root(), "market-signal-test-"));

/** A new empty folder of the running test, removed at its end. */
export function tempDir(): string {
  const dir = newDir();
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A new empty folder for a suite, which calls `remove` when it is done. */
export function suiteDir(): { readonly dir: string; remove(): void } {
  const dir = newDir();
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
