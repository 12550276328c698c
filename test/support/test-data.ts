import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe } from "vitest";

const root = resolve(process.env.MARKET_SIGNAL_TEST_DATA ?? "../shared/data");

/** Absolute path inside the shared test data, or null where this machine has none. */
export const testData = (...path: readonly string[]): string | null =>
  existsSync(join(root, ...path)) ? join(root, ...path) : null;

/** A suite over shared test data; skipped, saying so, where the data is absent. */
export function describeWithData(name: string, path: readonly string[], suite: (path: string) => void): void {
  const found = testData(...path);
  if (found === null)
    describe.skip(`${name} (skipped: no ${path.join("/")} under MARKET_SIGNAL_TEST_DATA=${root})`, () => {});
  else describe(name, () => suite(found));
}
