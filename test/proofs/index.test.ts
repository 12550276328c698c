import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { PROOFS } from "./index.ts";

/** Folders with tests of proofs; those that run with the unit tests are in `contract`. */
const FOLDERS = ["proofs", "contract"] as const;

it("has a test for every proof", () => {
  const untested = PROOFS.filter(
    ({ name }) => !FOLDERS.some((folder) => existsSync(`test/${folder}/${name}.test.ts`)),
  );
  expect(untested.map(({ name }) => name)).toEqual([]);
});
