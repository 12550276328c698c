import { afterAll, beforeAll, expect, it } from "vitest";
import { connectionToolsOf, toolListCost } from "../../../src/transports/mcp/connection-tools.ts";
import { type Installation, install } from "../../support/installation.ts";
import { suiteDir } from "../../support/temp-dir.ts";

const suite = suiteDir();
let house: Installation;
beforeAll(async () => {
  house = await install(suite.dir, "sample");
}, 60_000);
afterAll(async () => {
  await house.stop();
  suite.remove();
});

it("is no more than a model should be asked to read", () => {
  const { tools, seen, whole } = toolListCost(connectionToolsOf(house.app.registry)({}));
  expect(tools).toBeLessThanOrEqual(20);
  expect(seen).toBeLessThanOrEqual(5_000);
  expect(whole).toBeLessThanOrEqual(16_000);
});
