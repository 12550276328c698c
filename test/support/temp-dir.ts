import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new empty folder of the running test, removed at its end. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "market-signal-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A new empty folder for a suite, which calls `remove` when it is done. */
export function suiteDir(): { readonly dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), "market-signal-test-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
