import {
  type CallToolRequest,
  type CallToolResult,
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { ToolError } from "../../kernel/errors.ts";
import { type Effect, maxEffect, type Tool } from "../../kernel/tool.ts";
import { isFields } from "../../lib/fields.ts";
import { nearestNames } from "../../lib/nearest-names.ts";
import { plainText } from "../../lib/plain-text.ts";
import { callFields, toolArguments } from "./call-fields.ts";
import { toErrorResult } from "./render.ts";

/** A tool that calls any other tool by its name, up to an effect. None calls a tool that trades. */
interface Dispatcher {
  readonly effect: Exclude<Effect, "trade">;
  describe(finder: string): string;
  readonly annotations: NonNullable<ListedTool["annotations"]>;
}

/** Dispatchers by name; a read-only connection has only those that read. */
const DISPATCHERS: Readonly<Record<string, Dispatcher>> = {
  call_tool: {
    effect: "read",
    describe: (finder) =>
      `Calls a tool that only reads, listed or not. Take name and arguments from ${finder}.`,
    annotations: { readOnlyHint: true },
  },
  call_action: {
    effect: "write",
    describe: () => "Calls a tool that changes stored records; never one that trades.",
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
};
const dispatcherOf = (name: unknown, readonly: boolean): Dispatcher | null => {
  const found = Object.hasOwn(DISPATCHERS, String(name)) ? DISPATCHERS[String(name)]! : null;
  return readonly && found?.effect !== "read" ? null : found;
};

/** Returns the dispatchers as listed. `finder` finds the names of tools. */
export const dispatcherEntries = (finder: string, readonly: boolean): readonly ListedTool[] =>
  Object.entries(DISPATCHERS).flatMap(([name, { describe, annotations }]) =>
    dispatcherOf(name, readonly) === null
      ? []
      : [{ name, description: describe(finder), inputSchema: INPUT_SCHEMA, annotations }],
  );

const INPUT_SCHEMA: ListedTool["inputSchema"] = {
  type: "object",
  properties: {
    name: { type: "string", description: "Tool name" },
    arguments: { type: "string", description: "JSON text" },
  },
  required: ["name"],
};

/** The tools that a connection may call. */
interface CallableTools {
  readonly callable: ReadonlyMap<string, Tool>;
  readonly readonly: boolean;
}

/** A tool and the input of its call. */
export interface ResolvedCall {
  readonly tool: Tool;
  readonly input: unknown;
  /** Error of a dispatcher that may not call the tool. Default: none. */
  readonly refusal?: ToolError;
}

/**
 * Returns the tool that a request calls: the named tool, or the one that a dispatcher should call; null for an unknown
 * name.
 */
export function resolveCall(
  { name, arguments: input }: { readonly name: unknown; readonly arguments?: unknown },
  { callable, readonly }: CallableTools,
): ResolvedCall | null {
  const dispatcher = dispatcherOf(name, readonly);
  const call = dispatcher === null ? { name, input } : innerCall(input);
  const tool = callable.get(String(call.name));
  if (tool === undefined) return null;
  const refusal = dispatcher && refusalOf(String(name), dispatcher, tool);
  return { tool, input: call.input, ...(refusal && { refusal }) };
}

/** Returns the error of a dispatcher that may not call a tool; null if it may. */
function refusalOf(name: string, { effect }: Dispatcher, tool: Tool): ToolError | null {
  const wanted = maxEffect(tool);
  if (wanted === "read" || wanted === effect) return null;
  const ownName = `Call ${tool.name} by its own name`;
  return wanted === "trade"
    ? new ToolError("INVALID_INPUT", `${name} cannot call ${tool.name}, which trades. ${ownName}`, {
        hint: toolsetHint([tool]),
      })
    : new ToolError(
        "INVALID_INPUT",
        `${name} cannot call ${tool.name}, which changes stored records. ${ownName}, or through ${ACTION_DISPATCHER}`,
      );
}

/** Answers a dispatcher for an unknown tool with an error result; throws the protocol error for any other request. */
export function unknownTool(
  { name, arguments: input }: CallToolRequest["params"],
  { callable, readonly, finder }: CallableTools & { readonly finder: string },
): CallToolResult {
  const isInner = dispatcherOf(name, readonly) !== null;
  const wanted = isInner ? String(innerCall(input).name ?? "") : name;
  const nearest = nearestNames(wanted, [...callable.keys()]).join(", ");
  const limits = readonly ? " This connection is read-only: it has only tools that change nothing." : "";
  const message = `Unknown tool "${plainText(wanted, 64)}". Nearest: ${nearest}. ${finder} finds a tool by what it does.${limits}`;
  if (!isInner) throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  return toErrorResult(new ToolError("INVALID_INPUT", message));
}

/** Name of the dispatcher that changes stored records. */
export const ACTION_DISPATCHER = "call_action";

/** Returns the hint that names the toolsets with which a new connection lists tools. */
export const toolsetHint = (tools: readonly Pick<Tool, "toolset">[]): string =>
  `To list it from the start, connect with the toolset ${[...new Set(tools.map(({ toolset }) => toolset))].join(" or ")}.`;

/** Members that may name the tool of a dispatcher. */
const NAME_FIELDS = ["name", "tool", "tool_name", "toolName"] as const;
const DISPATCHER_MEMBERS: ReadonlySet<string> = new Set([...NAME_FIELDS, "arguments"]);

/** Reads the input of a dispatcher; the arguments are an object, its JSON text, or further members. */
function innerCall(input: unknown): { readonly name: unknown; readonly input: unknown } {
  const { arguments: given, ...rest } = isFields(input) ? input : {};
  const call = callFields(rest, toolArguments(given), DISPATCHER_MEMBERS);
  const name = NAME_FIELDS.map((field) => call.fields[field]).find((value) => value !== undefined);
  return { name, input: call.arguments };
}
