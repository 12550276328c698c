import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { version } from "../../src/lib/version.ts";

it("is the version of package.json", () => {
  const { version: stated } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(stated).toMatch(/^\d+\.\d+\.\d+$/);
  expect(version()).toBe(stated);
});
