import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/access.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import type { Registry } from "../../kernel/registry.ts";
import type { Tool } from "../../kernel/tool.ts";
import type { Ports } from "../../ports/index.ts";
import type { Menu } from "./menu.ts";

const CATALOGUE = "market-signal://tools";
const QUOTA = "quota://me";
const JSON_TYPE = "application/json";

/** What there is to read, the same for every caller. */
export const RESOURCES: readonly Resource[] = [
  {
    uri: CATALOGUE,
    name: "tools",
    title: "Tool catalogue",
    description:
      "Every tool of this server with its plan, toolset and effect, whether it is connected here and whether this connection may call it.",
    mimeType: JSON_TYPE,
  },
  {
    uri: QUOTA,
    name: "quota",
    title: "Your plan and quota",
    description:
      "Plan and scopes of the key in use and what is left of its rate windows. Reading it costs nothing.",
    mimeType: JSON_TYPE,
  },
];

export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: `${CATALOGUE}/{name}`,
    name: "tool",
    title: "One tool in full",
    description: "Description, input and output schema and worked examples of the tool with this name.",
    mimeType: JSON_TYPE,
  },
];

interface Shelves {
  readonly registry: Registry;
  readonly menu: Menu;
}

/** The text of one resource as this caller may see it. An unknown URI is -32602. */
export async function readResource(
  uri: string,
  { registry, menu }: Shelves,
  meters: Ports["meters"],
  principal: Principal,
): Promise<ReadResourceResult> {
  const text = (value: unknown): ReadResourceResult => ({
    contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }],
  });
  const all = [...registry.tools, ...registry.absent];
  if (uri === CATALOGUE) return text({ tools: all.map((tool) => entry(tool, { registry, menu })) });
  if (uri === QUOTA) {
    const { plan, scopes } = principal;
    return text({ plan, scopes, windows: await meters.standing(principal) });
  }
  const tool = all.find(({ name }) => uri === `${CATALOGUE}/${name}`);
  if (!tool) throw new ResourceNotFoundError(uri.slice(0, 200));
  return text({
    ...entry(tool, { registry, menu }),
    input_schema: jsonSchemaOf(tool.input, "input"),
    output_schema: jsonSchemaOf(tool.output, "output"),
    examples: tool.examples,
  });
}

/** Tool names that begin with what was typed of the template's `name`. */
export const completeResource = (
  uri: string,
  argument: { readonly name: string; readonly value: string },
  { registry }: Pick<Shelves, "registry">,
): readonly string[] =>
  uri === RESOURCE_TEMPLATES[0]?.uriTemplate && argument.name === "name"
    ? [...registry.tools, ...registry.absent]
        .map(({ name }) => name)
        .filter((name) => name.startsWith(argument.value.trim().toLowerCase()))
    : [];

const entry = (tool: Tool, { registry, menu }: Shelves) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  toolset: tool.toolset,
  plan: tool.plan,
  effect: tool.effect,
  ...(tool.uses && { uses: tool.uses }),
  connected: registry.tools.includes(tool),
  callable_here: menu.callable.has(tool.name),
});
