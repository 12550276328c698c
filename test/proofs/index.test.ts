import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { PROOFS } from "./index.ts";

it("has a test for every proof", () => {
  const untested = PROOFS.filter(({ name }) => !existsSync(`test/proofs/${name}.test.ts`));
  expect(untested.map(({ name }) => name)).toEqual([]);
});
