import { expect, it } from "vitest";
import { connectionToolsOf } from "../../../src/transports/mcp/connection-tools.ts";
import { useInstallation } from "../../support/installation.ts";

const installation = useInstallation("sample");
/** Estimated tokens: characters / 4. */
const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);

it("fits the token budget of a model", () => {
  const { listed } = connectionToolsOf(installation.app.registry)({});
  expect(listed.length).toBeLessThanOrEqual(20);
  // clients show tools to a model without their output schemas
  expect(tokens(listed.map(({ outputSchema: _, _meta, ...shown }) => shown))).toBeLessThanOrEqual(5_000);
  expect(tokens({ tools: listed })).toBeLessThanOrEqual(16_000);
});
