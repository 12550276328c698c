import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/kernel/errors.ts";
import { createRegistry } from "../../../src/kernel/registry.ts";
import { connectionToolsOf } from "../../../src/transports/mcp/connection-tools.ts";
import {
  completeResource,
  protocolError,
  RESOURCES,
  readResource,
  resolveResource,
  resourceTemplates,
} from "../../../src/transports/mcp/resources.ts";
import { stateTool } from "../../support/changes.ts";
import { countingMeters, member, pro, testPorts } from "../../support/context.ts";
import { directoryOf } from "../../support/market.ts";
import { toolFixture } from "./fixture.ts";

const { registry } = toolFixture();
const run = () => Promise.reject(new Error("no tool here has an address"));
const scope = { registry, tools: connectionToolsOf(registry)({ readonly: true }) };

async function read(uri: string, who = pro, { meters, debits } = countingMeters()) {
  const { contents } = await readResource(uri, scope, { meters, run }, who);
  expect(contents).toHaveLength(1);
  expect(contents[0]).toMatchObject({ uri, mimeType: "application/json" });
  return { value: JSON.parse((contents[0] as { text: string }).text), debits };
}

it("lists every tool with its connected and callable flags", async () => {
  const { tools } = (await read("market-signal://tools")).value;
  expect(tools).toHaveLength(9);
  const flags = Object.fromEntries(
    tools.map((tool: any) => [tool.name, [tool.connected, tool.callable_here]]),
  );
  expect(flags).toMatchObject({
    say_text: [true, true],
    save_text: [true, false],
    engine_text: [false, true],
    rich_text: [true, true],
  });
  expect(tools[0]).toEqual({
    name: "say_text",
    title: "Say a text",
    description: "Says a text back. Use it to see who is asking.",
    toolset: "market",
    plan: "member",
    effect: "read",
    connected: true,
    callable_here: true,
  });
});

it("returns the caller's quota without counting the read", async () => {
  const { value, debits } = await read("quota://me", member);
  expect(value).toMatchObject({
    plan: "member",
    scopes: ["read"],
    windows: [{ name: "burst" }, { name: "daily" }],
  });
  expect(debits).toEqual({ burst: 0, day: 0 });
});

it("shows one tool in full", async () => {
  const { value } = await read("market-signal://tools/engine_text");
  expect(value).toMatchObject({
    name: "engine_text",
    input_schema: { type: "object" },
    output_schema: { type: "object" },
    examples: [{ ask: "Say it", input: { text: "hello" } }],
  });
});

it.each(["market-signal://tools/no_such", "market-signal://", "quota://you"])(
  "rejects the unknown resource %s",
  async (uri) => {
    await expect(
      readResource(uri, scope, { meters: countingMeters().meters, run }, pro),
    ).rejects.toMatchObject({
      code: -32602,
    });
  },
);

it("describes every resource and completes tool names", () => {
  for (const { description, title } of [...RESOURCES, ...resourceTemplates(scope)])
    expect([title, description].every((words) => (words ?? "").length > 5)).toBe(true);
  const complete = (uri: string) => completeResource(uri, { name: "name", value: "S" }, scope, undefined);
  expect(complete("market-signal://tools/{name}")).toEqual(["say_text", "save_text", "slow_text"]);
  expect(complete("quota://{name}")).toEqual([]);
});

describe("results as resources", () => {
  const symbols = directoryOf(["AAPL", "MSFT"]);
  const addressedShop = createRegistry({ tellState: stateTool }, testPorts({ symbols }));
  const at = (shelf = {}) => ({ registry: addressedShop, tools: connectionToolsOf(addressedShop)(shelf) });
  const uri = "signal://{symbol}/{timeframe}";

  it("are found and completed on connections that may call the tool", () => {
    expect(resourceTemplates(at()).map(({ uriTemplate }) => uriTemplate)).toContain(uri);
    const complete = (name: string, value: string) => completeResource(uri, { name, value }, at(), symbols);
    expect(complete("symbol", "")).toEqual(["AAPL", "MSFT"]);
    expect(complete("symbol", "msf")[0]).toBe("MSFT");
    expect(complete("timeframe", "3")).toEqual(["30m"]);
    expect(complete("detail", "")).toEqual([]);
    expect(resolveResource("signal://BTC%2FUSD/4h", at())).toEqual({
      tool: stateTool,
      input: { symbol: "BTC/USD", timeframe: "4h" },
    });
  });

  it("are available whichever toolsets are listed", () => {
    expect(resourceTemplates(at({ toolsets: ["flow"] }))).toEqual(resourceTemplates(at({})));
  });
});

it.each([
  ["UNKNOWN_SYMBOL", -32602],
  ["PLAN_REQUIRED", -32600],
  ["RATE_LIMITED", -32600],
  ["UPSTREAM_UNAVAILABLE", -32603],
] as const)("maps %s to %i with the next step", (code, number) => {
  const error = protocolError(new ToolError(code, "No", { hint: "Do so", data: { retry_after: 3 } }));
  expect(error).toMatchObject({ code: number, data: { code, retry_after: 3 } });
  expect(error.message).toMatch(new RegExp(`^${code}: No\nDo so\n[^]*Next: `));
});
