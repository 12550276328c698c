import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new empty folder of the running test alone; gone when the test is over. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "market-signal-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A new empty folder for a whole suite, which removes it itself with what is returned. */
export function suiteDir(): { readonly dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), "market-signal-test-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
