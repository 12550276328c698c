import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { ToolError } from "../../kernel/errors.ts";
import { jsonSchemaOf, outlineOf } from "../../kernel/publish.ts";
import { filterTools, type Registry, type ToolFilter } from "../../kernel/registry.ts";
import { DEFAULT_TOOLSETS, type Effect, maxEffect, type Tool, type Toolset } from "../../kernel/tool.ts";

const EFFECT_HINTS = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  trade: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
} as const satisfies Record<Effect, object>;

/** What one connection sees and may call. */
export interface ConnectionTools {
  /** The answer to `tools/list`, schemas and all. */
  readonly listed: readonly ListedTool[];
  /** What may be called, by name: the listed tools and those of the same filter that are not connected. */
  readonly callable: ReadonlyMap<string, Tool>;
  /** Toolsets this deployment has and this connection did not ask for. */
  readonly otherToolsets: readonly Toolset[];
}

/** Lays out a filter of the catalogue. Each schema and each filter is made once. Throws INVALID_INPUT on an unknown toolset. */
export function connectionToolsOf(registry: Registry): (filter: ToolFilter) => ConnectionTools {
  const cards = new Map<string, ListedTool>();
  const made = new Map<string, ConnectionTools>();
  const card = (tool: Tool): ListedTool => {
    const known = cards.get(tool.name) ?? listedToolOf(tool);
    cards.set(tool.name, known);
    return known;
  };
  return (filter) => {
    const toolsets = filter.toolsets && [...new Set(filter.toolsets)].sort();
    const key = `${filter.readonly ?? false} ${toolsets?.join(",") ?? "default"}`;
    const known = made.get(key);
    if (known) return known;
    const shown = filterTools(registry.tools, filter);
    const wanted: readonly string[] = toolsets ?? DEFAULT_TOOLSETS;
    const tools: ConnectionTools = {
      listed: shown.map(card),
      callable: new Map(
        [...shown, ...filterTools(registry.unavailable, filter)].map((tool) => [tool.name, tool]),
      ),
      otherToolsets: wanted.includes("all")
        ? []
        : [...new Set(registry.tools.map(({ toolset }) => toolset))].filter((set) => !wanted.includes(set)),
    };
    made.set(key, tools);
    return tools;
  };
}

/**
 * One tool as MCP lists it; the hints follow from the most that it may do. Of the answer the shape alone: it is there to be checked, and
 * the resource of the tool has it in words.
 */
export function listedToolOf(tool: Tool): ListedTool {
  const { name, title, description } = tool;
  return {
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(tool.input, "input") as ListedTool["inputSchema"],
    outputSchema: outlineOf(jsonSchemaOf(tool.output, "output")) as ListedTool["inputSchema"],
    annotations: { title, ...EFFECT_HINTS[maxEffect(tool)] },
  };
}

const TRUE_VALUES = new Set(["", "1", "true", "yes"]);
const FALSE_VALUES = new Set(["0", "false", "no"]);

/** Reads `?toolsets=signal,flow&readonly=1`; anything but a plain yes or no to `readonly` is INVALID_INPUT. */
export function parseToolsetFilter(query: URLSearchParams): ToolFilter {
  const asked = query.getAll("toolsets").flatMap((list) => list.split(","));
  const toolsets = asked.map((name) => name.trim()).filter((name) => name !== "");
  const answers = query.getAll("readonly").map((answer) => answer.trim().toLowerCase());
  const odd = answers.find((answer) => !TRUE_VALUES.has(answer) && !FALSE_VALUES.has(answer));
  if (odd !== undefined)
    throw new ToolError("INVALID_INPUT", `readonly is 1 or 0, not "${odd.slice(0, 40)}"`);
  return {
    ...(toolsets.length > 0 && { toolsets }),
    readonly: answers.some((answer) => TRUE_VALUES.has(answer)),
  };
}

/** Tokens (characters / 4) a tools costs: what hosts show to a model, and the whole answer with output schemas. */
export function toolListCost({ listed }: ConnectionTools): { tools: number; seen: number; whole: number } {
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);
  return {
    tools: listed.length,
    seen: tokens(listed.map(({ outputSchema: _, ...seen }) => seen)),
    whole: tokens({ tools: listed }),
  };
}
