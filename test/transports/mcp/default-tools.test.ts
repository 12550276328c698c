import { expect, it } from "vitest";
import { connectionToolsOf, toolListCost } from "../../../src/transports/mcp/connection-tools.ts";
import { useInstallation } from "../../support/installation.ts";

const installation = useInstallation("sample");

it("fits the token budget of a model", () => {
  const { tools, seen, whole } = toolListCost(connectionToolsOf(installation.app.registry)({}));
  expect(tools).toBeLessThanOrEqual(20);
  expect(seen).toBeLessThanOrEqual(5_000);
  expect(whole).toBeLessThanOrEqual(16_000);
});
