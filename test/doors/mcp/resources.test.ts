import { expect, it } from "vitest";
import { menus } from "../../../src/doors/mcp/menu.ts";
import {
  completeResource,
  RESOURCE_TEMPLATES,
  RESOURCES,
  readResource,
} from "../../../src/doors/mcp/resources.ts";
import { countingMeters, member, pro } from "../../support/context.ts";
import { shop } from "./stand.ts";

const { registry } = shop();
const shelves = { registry, menu: menus(registry)({ readonly: true }) };

async function read(uri: string, who = pro, { meters, debits } = countingMeters()) {
  const { contents } = await readResource(uri, shelves, meters, who);
  expect(contents).toHaveLength(1);
  expect(contents[0]).toMatchObject({ uri, mimeType: "application/json" });
  return { value: JSON.parse((contents[0] as { text: string }).text), debits };
}

it("catalogues every tool, saying what is connected and what may be called here", async () => {
  const { tools } = (await read("market-signal://tools")).value;
  expect(tools).toHaveLength(9);
  const flags = Object.fromEntries(
    tools.map((tool: any) => [tool.name, [tool.connected, tool.callable_here]]),
  );
  expect(flags).toMatchObject({
    say_text: [true, true],
    save_text: [true, false],
    engine_text: [false, true],
    rich_text: [true, false],
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

it("tells each caller its own quota without counting the question", async () => {
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

it.each(["market-signal://tools/no_such", "market-signal://", "quota://you"])("knows no %s", async (uri) => {
  await expect(readResource(uri, shelves, countingMeters().meters, pro)).rejects.toMatchObject({
    code: -32602,
  });
});

it("describes every resource and completes tool names", () => {
  for (const { description, title } of [...RESOURCES, ...RESOURCE_TEMPLATES])
    expect([title, description].every((words) => (words ?? "").length > 5)).toBe(true);
  expect(
    completeResource("market-signal://tools/{name}", { name: "name", value: "S" }, { registry }),
  ).toEqual(["say_text", "save_text", "slow_text"]);
  expect(completeResource("quota://{name}", { name: "name", value: "s" }, { registry })).toEqual([]);
});
