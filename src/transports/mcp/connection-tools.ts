import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { ToolError } from "../../kernel/errors.ts";
import { jsonSchemaOf, outlineOf } from "../../kernel/publish.ts";
import { filterTools, type Registry, type ToolFilter } from "../../kernel/registry.ts";
import { DEFAULT_TOOLSETS, type Effect, maxEffect, type Tool, type Toolset } from "../../kernel/tool.ts";

/** The other hints have no meaning for a tool that only reads. */
const EFFECT_HINTS = {
  read: { readOnlyHint: true, openWorldHint: true },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  trade: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
} as const satisfies Record<Effect, object>;

export interface ConnectionTools {
  /** Response to `tools/list`. */
  readonly listed: readonly ListedTool[];
  /** Callable tools by name: the listed tools, and tools that match the same filter but are not connected. */
  readonly callable: ReadonlyMap<string, Tool>;
  /** Toolsets of this server that the connection did not select. */
  readonly otherToolsets: readonly Toolset[];
}

/**
 * Returns a function that returns the tools of a filter; results and schemas are cached. It throws INVALID_INPUT for an
 * unknown toolset.
 */
export function connectionToolsOf(registry: Registry): (filter: ToolFilter) => ConnectionTools {
  const listedTools = new Map<string, ListedTool>();
  const cache = new Map<string, ConnectionTools>();
  const listed = (tool: Tool): ListedTool => {
    const entry = listedTools.get(tool.name) ?? listedToolOf(tool);
    listedTools.set(tool.name, entry);
    return entry;
  };
  return (filter) => {
    const toolsets = filter.toolsets && [...new Set(filter.toolsets)].sort();
    const key = `${filter.readonly ?? false} ${toolsets?.join(",") ?? "default"}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const connected = filterTools(registry.tools, filter);
    const selected: readonly string[] = toolsets ?? DEFAULT_TOOLSETS;
    const tools: ConnectionTools = {
      listed: connected.map(listed),
      callable: new Map(
        [...connected, ...filterTools(registry.unavailable, filter)].map((tool) => [tool.name, tool]),
      ),
      otherToolsets: selected.includes("all")
        ? []
        : [...new Set(registry.tools.map(({ toolset }) => toolset))].filter((set) => !selected.includes(set)),
    };
    cache.set(key, tools);
    return tools;
  };
}

/**
 * Returns a tool as listed by MCP. The output schema is an outline without descriptions; the resource of the tool
 * contains the full one. The hints follow from the highest effect of the tool.
 */
export function listedToolOf(tool: Tool): ListedTool {
  const { name, title, description } = tool;
  return {
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(tool.input, "input") as ListedTool["inputSchema"],
    outputSchema: outlineOf(jsonSchemaOf(tool.output, "output")) as ListedTool["inputSchema"],
    annotations: EFFECT_HINTS[maxEffect(tool)],
  };
}

const TRUE_VALUES = new Set(["", "1", "true", "yes"]);
const FALSE_VALUES = new Set(["0", "false", "no"]);

/** Parses `?toolsets=signal,flow&readonly=1`. Throws INVALID_INPUT unless `readonly` is a boolean. */
export function parseToolsetFilter(query: URLSearchParams): ToolFilter {
  const names = query.getAll("toolsets").flatMap((list) => list.split(","));
  const toolsets = names.map((name) => name.trim()).filter((name) => name !== "");
  const flags = query.getAll("readonly").map((flag) => flag.trim().toLowerCase());
  const invalid = flags.find((flag) => !TRUE_VALUES.has(flag) && !FALSE_VALUES.has(flag));
  if (invalid !== undefined)
    throw new ToolError("INVALID_INPUT", `readonly must be 1 or 0, not "${invalid.slice(0, 40)}"`);
  return {
    ...(toolsets.length > 0 && { toolsets }),
    readonly: flags.some((flag) => TRUE_VALUES.has(flag)),
  };
}
