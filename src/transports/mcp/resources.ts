import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/accounts/access.ts";
import type { Ports, Symbols } from "../../domain/ports.ts";
import type { ErrorCode, ToolError } from "../../kernel/errors.ts";
import { fieldsIn } from "../../kernel/followable.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import type { Registry } from "../../kernel/registry.ts";
import type { Tool } from "../../kernel/tool.ts";
import { formatFailure } from "../result.text.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import { suggestSymbols } from "./suggest-symbols.ts";

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

const TOOL_TEMPLATE: ResourceTemplateType = {
  uriTemplate: `${CATALOGUE}/{name}`,
  name: "tool",
  title: "One tool in full",
  description: "Description, input and output schema and worked examples of the tool with this name.",
  mimeType: JSON_TYPE,
};

interface ResourceScope {
  readonly registry: Registry;
  readonly tools: ConnectionTools;
}

/** A tool whose answer has an address. */
export type ResourceTool = Tool & Required<Pick<Tool, "resource">>;

/** The tools of a connection whose answers have an address, and are connected. */
export const resourceTools = ({ registry, tools }: ResourceScope): readonly ResourceTool[] =>
  registry.tools.filter(
    (tool): tool is ResourceTool => tool.resource !== undefined && tools.callable.has(tool.name),
  );

/** Addresses with something to fill in: of the tools, and of answers that this connection may ask for. */
export const resourceTemplates = (scope: ResourceScope): readonly ResourceTemplateType[] => [
  TOOL_TEMPLATE,
  ...resourceTools(scope).map(({ name, resource: { template, title, description } }) => ({
    uriTemplate: template,
    name,
    title,
    description,
    mimeType: JSON_TYPE,
  })),
];

/** The tool whose answer this is the address of, and what it is asked with; null where it is the address of none. */
export function resolveResource(
  uri: string,
  scope: ResourceScope,
): { readonly tool: ResourceTool; readonly input: Readonly<Record<string, string>> } | null {
  for (const tool of resourceTools(scope)) {
    const input = fieldsIn(tool.resource, uri);
    if (input !== null) return { tool, input };
  }
  return null;
}

/** What of a resource is asked of somebody else. */
export interface ResourceDeps {
  readonly meters: Ports["meters"];
  /** Runs a tool as a call of its own. */
  run(tool: Tool, input: Readonly<Record<string, string>>): Promise<unknown>;
}

/** The text of one resource as this caller may see it. An unknown URI is -32602. Rejects with what the tool refuses. */
export async function readResource(
  uri: string,
  { registry, tools }: ResourceScope,
  { meters, run }: ResourceDeps,
  principal: Principal,
): Promise<ReadResourceResult> {
  const text = (value: unknown): ReadResourceResult => ({
    contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }],
  });
  const all = [...registry.tools, ...registry.unavailable];
  if (uri === CATALOGUE) return text({ tools: all.map((tool) => catalogueEntry(tool, { registry, tools })) });
  if (uri === QUOTA) {
    const { plan, scopes } = principal;
    return text({ plan, scopes, windows: await meters.usage(principal) });
  }
  const answer = resolveResource(uri, { registry, tools });
  if (answer !== null) return text(await run(answer.tool, answer.input));
  const tool = all.find(({ name }) => uri === `${CATALOGUE}/${name}`);
  if (!tool) throw new ResourceNotFoundError(uri.slice(0, 200));
  return text({
    ...catalogueEntry(tool, { registry, tools }),
    input_schema: jsonSchemaOf(tool.input, "input"),
    output_schema: jsonSchemaOf(tool.output, "output"),
    examples: tool.examples,
  });
}

/** What could complete a half-typed variable of a template: names of tools, symbols, or the words that the field may be. */
export function completeResource(
  uri: string,
  argument: { readonly name: string; readonly value: string },
  scope: ResourceScope,
  symbols: Symbols | undefined,
): readonly string[] {
  const typed = argument.value.trim().toLowerCase();
  const { registry } = scope;
  if (uri === TOOL_TEMPLATE.uriTemplate && argument.name === "name")
    return [...registry.tools, ...registry.unavailable]
      .map(({ name }) => name)
      .filter((name) => name.startsWith(typed));
  const tool = resourceTools(scope).find(({ resource }) => resource.template === uri);
  if (tool === undefined || !uri.includes(`{${argument.name}}`)) return [];
  if (argument.name === "symbol") return suggestSymbols(symbols, argument.value);
  const { properties = {} } = jsonSchemaOf(tool.input, "input") as {
    properties?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
  };
  return (properties[argument.name]?.enum ?? []).map(String).filter((word) => word.startsWith(typed));
}

/** Failures that a client cures by asking for something else. */
const PARAMS_ERROR_CODES: ReadonlySet<ErrorCode> = new Set([
  ...(["INVALID_INPUT", "UNKNOWN_SYMBOL", "NOT_FOUND", "NO_PRICE", "NOT_ENOUGH_DATA"] as const),
]);
/** Failures that lie with the server or its sources. */
const SERVER_ERROR_CODES: ReadonlySet<ErrorCode> = new Set([
  ...(["INTERNAL", "UPSTREAM_UNAVAILABLE", "DEADLINE", "STORAGE_FULL"] as const),
]);

/** A failure where the protocol has room for errors alone: its own number, and in words what to do next. */
export function protocolError(error: ToolError): ProtocolError {
  const { code } = error;
  const number = PARAMS_ERROR_CODES.has(code)
    ? ProtocolErrorCode.InvalidParams
    : SERVER_ERROR_CODES.has(code)
      ? ProtocolErrorCode.InternalError
      : ProtocolErrorCode.InvalidRequest;
  return new ProtocolError(number, formatFailure(error), { ...error.data, code });
}

const catalogueEntry = (tool: Tool, { registry, tools }: ResourceScope) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  toolset: tool.toolset,
  plan: tool.plan,
  effect: tool.effect,
  ...(tool.uses && { uses: tool.uses }),
  connected: registry.tools.includes(tool),
  callable_here: tools.callable.has(tool.name),
});
