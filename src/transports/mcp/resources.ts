import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type RequestId,
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
/** URI of the caller's plan and quota. */
export const QUOTA = "quota://me";
const JSON_TYPE = "application/json";

/** Fixed resources, the same for every caller. */
export const RESOURCES: readonly Resource[] = [
  {
    uri: CATALOGUE,
    name: "tools",
    title: "Tool catalogue",
    description:
      "All tools of this server with plan, toolset and effect, and whether each is connected and callable on this connection.",
    mimeType: JSON_TYPE,
  },
  {
    uri: QUOTA,
    name: "quota",
    title: "Your plan and quota",
    description:
      "Plan and scopes of your key, and the remaining quota of its rate windows. Reading it does not count towards the daily quota.",
    mimeType: JSON_TYPE,
  },
];

const TOOL_TEMPLATE: ResourceTemplateType = {
  uriTemplate: `${CATALOGUE}/{name}`,
  name: "tool",
  title: "One tool in full",
  description: "Description, input and output schema and examples of the tool with this name.",
  mimeType: JSON_TYPE,
};

export interface ResourceScope {
  readonly registry: Registry;
  readonly tools: ConnectionTools;
}

/** A tool whose result can be read as a resource. */
export type ResourceTool = Tool & Required<Pick<Tool, "resource">>;

/** Returns the connected tools of a connection whose results can be read as resources. */
export const resourceTools = ({ registry, tools }: ResourceScope): readonly ResourceTool[] =>
  registry.tools.filter(
    (tool): tool is ResourceTool => tool.resource !== undefined && tools.callable.has(tool.name),
  );

/** Returns the resource templates of a connection: for single tools and for tool results. */
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

/** Resolves the URI of a tool result to its tool and input; null for any other URI. */
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

export interface ResourceDeps {
  readonly meters: Ports["meters"];
  /** Runs a tool as a separate call. */
  run(tool: Tool, input: Readonly<Record<string, string>>): Promise<unknown>;
}

/** Reads one resource for a caller. Rejects with -32602 for an unknown URI, and with the errors of the tool. */
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
  const resource = resolveResource(uri, { registry, tools });
  if (resource !== null) return text(await run(resource.tool, resource.input));
  const tool = all.find(({ name }) => uri === `${CATALOGUE}/${name}`);
  if (!tool) throw new ResourceNotFoundError(uri.slice(0, 200));
  return text({
    ...catalogueEntry(tool, { registry, tools }),
    input_schema: jsonSchemaOf(tool.input, "input"),
    output_schema: jsonSchemaOf(tool.output, "output"),
    examples: tool.examples,
  });
}

/** Returns completions of a template variable: tool names, symbols, or values of the field. */
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
  return (properties[argument.name]?.enum ?? []).map(String).filter((value) => value.startsWith(typed));
}

/** Errors that a client can fix by changing the parameters. */
const PARAMS_ERROR_CODES: ReadonlySet<ErrorCode> = new Set([
  ...(["INVALID_INPUT", "UNKNOWN_SYMBOL", "NOT_FOUND", "NO_PRICE", "NOT_ENOUGH_DATA"] as const),
]);
/** Errors of the server or its providers. */
const SERVER_ERROR_CODES: ReadonlySet<ErrorCode> = new Set([
  ...([
    "INTERNAL",
    "UPSTREAM_UNAVAILABLE",
    "DEADLINE",
    "STORAGE_FULL",
    "STORAGE_BUSY",
    "STORAGE_DAMAGED",
  ] as const),
]);

/** Converts an error to a protocol error with a JSON-RPC code and a message that includes the next step. */
export function protocolError(error: ToolError): ProtocolError {
  const { code } = error;
  const number = PARAMS_ERROR_CODES.has(code)
    ? ProtocolErrorCode.InvalidParams
    : SERVER_ERROR_CODES.has(code)
      ? ProtocolErrorCode.InternalError
      : ProtocolErrorCode.InvalidRequest;
  return new ProtocolError(number, formatFailure(error), { ...error.data, code });
}

/** Returns the JSON-RPC error response to a request. */
export function rpcErrorResponse(error: ToolError, id: RequestId | null) {
  const { code, message, data } = protocolError(error);
  return { jsonrpc: "2.0" as const, id: id as RequestId, error: { code, message, data } };
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
