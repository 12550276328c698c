import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe } from "vitest";

const root = resolve(process.env.MARKET_SIGNAL_TEST_DATA ?? "../shared/data");

/** Absolute path in the shared test data; null if this machine does not have it. */
export const testData = (...path: readonly string[]): string | null =>
  existsSync(join(root, ...path)) ? join(root, ...path) : null;

/** A suite over shared test data; skipped, with the reason in its name, if the data is missing. */
export function describeWithData(name: string, path: readonly string[], suite: (path: string) => void): void {
  const found = testData(...path);
  if (found === null)
    describe.skip(`${name} (skipped: no ${path.join("/")} under MARKET_SIGNAL_TEST_DATA=${root})`, () => {});
  else describe(name, () => suite(found));
}
