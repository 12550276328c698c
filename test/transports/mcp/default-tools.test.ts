import { afterAll, beforeAll, expect, it } from "vitest";
import { connectionToolsOf, toolListCost } from "../../../src/transports/mcp/connection-tools.ts";
import { type Installation, install } from "../../support/installation.ts";
import { suiteDir } from "../../support/temp-dir.ts";

const suite = suiteDir();
let installation: Installation;
beforeAll(async () => {
  installation = await install(suite.dir, "sample");
}, 60_000);
afterAll(async () => {
  await installation.stop();
  suite.remove();
});

it("fits the token budget of a model", () => {
  const { tools, seen, whole } = toolListCost(connectionToolsOf(installation.app.registry)({}));
  expect(tools).toBeLessThanOrEqual(20);
  expect(seen).toBeLessThanOrEqual(5_000);
  expect(whole).toBeLessThanOrEqual(16_000);
});
