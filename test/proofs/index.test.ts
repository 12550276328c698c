import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { PROOFS } from "./index.ts";

it("runs every proof among the tests", () => {
  const untested = PROOFS.filter(({ name }) => !existsSync(`test/proofs/${name}.test.ts`));
  expect(untested.map(({ name }) => name)).toEqual([]);
});
