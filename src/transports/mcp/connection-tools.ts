import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { ToolError } from "../../kernel/errors.ts";
import { modelOutlineOf, modelSchemaOf } from "../../kernel/model-schema.ts";
import { filterTools, type Registry, type ToolFilter } from "../../kernel/registry.ts";
import { DEFAULT_TOOLSETS, type Effect, maxEffect, type Tool, type Toolset } from "../../kernel/tool.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { dispatcherEntries } from "./call-tool.ts";
import { viewMeta } from "./views.ts";

/** Maximum number of selections of toolsets whose tools are cached; a client uses one. */
const MAX_FILTERS = 32;
/** Memory of the tools of a selection with the text of their list, bytes. */
const LIST_BYTES = 256 * 1024;

/** Hints that differ from the defaults of the protocol: writes, destroys, reaches the open world. */
const EFFECT_HINTS = {
  read: { readOnlyHint: true },
  write: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  trade: { readOnlyHint: false, destructiveHint: true },
} as const satisfies Record<Effect, object>;

export interface ConnectionTools {
  /** Response to `tools/list`. */
  readonly listed: readonly ListedTool[];
  /** Callable tools by name: also those that are not listed or not connected, unless they would change something. */
  readonly callable: ReadonlyMap<string, Tool>;
  /** true: the client chose to use only tools that change nothing. */
  readonly readonly: boolean;
  /** Name of the tool that finds other tools. */
  readonly finder: string;
  /** Toolsets of this server that the connection did not select. */
  readonly otherToolsets: readonly Toolset[];
}

/**
 * Returns a function that returns the tools of a filter; results and schemas are cached. It throws INVALID_INPUT for an
 * unknown toolset.
 */
export function connectionToolsOf(registry: Registry): (filter: ToolFilter) => ConnectionTools {
  const listedTools = new Map<string, ListedTool>();
  const cache = createBoundedCache<string, ConnectionTools>({
    name: "MCP tool lists",
    max: MAX_FILTERS,
    sizeOf: () => LIST_BYTES,
  });
  const finder = registry.tools.find(({ role }) => role === "finder")?.name ?? "tools/list";
  const listed = (tool: Tool): ListedTool => {
    const entry = listedTools.get(tool.name) ?? listedToolOf(tool);
    listedTools.set(tool.name, entry);
    return entry;
  };
  return (filter) => {
    const toolsets = filter.toolsets && [...new Set(filter.toolsets)].sort();
    const { readonly = false } = filter;
    const key = `${readonly} ${toolsets?.join(",") ?? "default"}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const selected: readonly string[] = toolsets ?? DEFAULT_TOOLSETS;
    const tools: ConnectionTools = {
      listed: [...filterTools(registry.tools, filter).map(listed), ...dispatcherEntries(finder, readonly)],
      callable: new Map(
        filterTools([...registry.tools, ...registry.unavailable], { toolsets: ["all"], readonly }).map(
          (tool) => [tool.name, tool],
        ),
      ),
      readonly,
      finder,
      otherToolsets: selected.includes("all")
        ? []
        : [...new Set(registry.tools.map(({ toolset }) => toolset))].filter((set) => !selected.includes(set)),
    };
    cache.set(key, tools);
    return tools;
  };
}

/** Returns the tools of the connection, followed by those that the client's searches added. */
export const listedWith = (
  { listed, callable }: ConnectionTools,
  found: readonly string[] = [],
): readonly ListedTool[] => [
  ...listed,
  ...found
    .flatMap((name) => callable.get(name) ?? [])
    .filter(({ name }) => !listed.some((one) => one.name === name))
    .map(listedToolOf),
];

/**
 * Returns a tool as listed by MCP. The output schema is an outline without descriptions; the resource of the tool
 * contains the full one. A tool whose results can have a file has none, as they have no structured content. The hints
 * follow from the highest effect of the tool, and from whether it removes or overwrites stored things.
 */
export function listedToolOf(tool: Tool): ListedTool {
  const { name, title, description } = tool;
  return {
    name,
    title,
    description,
    inputSchema: modelSchemaOf(tool.input) as ListedTool["inputSchema"],
    ...(hasStructuredContent(tool) && {
      outputSchema: modelOutlineOf(tool.output) as ListedTool["inputSchema"],
    }),
    ...(tool.view && { _meta: viewMeta(tool.view) }),
    annotations: { ...EFFECT_HINTS[maxEffect(tool)], ...(tool.destructive && { destructiveHint: true }) },
  };
}

const hasStructuredContent = ({ output }: Tool): boolean => !("media" in output.shape);

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
