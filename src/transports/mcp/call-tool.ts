import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Tool } from "../../kernel/tool.ts";
import { parseLiteral } from "../../lib/json-text.ts";

/** Name of the tool that calls any other tool by its name. */
export const CALL_TOOL = "call_tool";

/** Returns `call_tool` as listed: the way to a tool that this connection does not list. `finder` finds its name. */
export const callToolEntry = (
  finder: string,
  annotations: NonNullable<ListedTool["annotations"]>,
): ListedTool => ({
  name: CALL_TOOL,
  title: "Call tool",
  description: `Calls any tool of this server by name, also an unlisted one, and returns its result. Take name and arguments from ${finder}.`,
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "Tool name" },
      arguments: { type: "string", description: "Its arguments as JSON text" },
    },
    required: ["name"],
  },
  annotations,
});

/** A tool and the input of its call. */
export interface ResolvedCall {
  readonly tool: Tool;
  readonly input: unknown;
}

/**
 * Returns the tool that a request calls: the named tool, or the one that `call_tool` names. Returns null for an unknown
 * name.
 */
export function resolveCall(
  { name, arguments: input }: { readonly name: unknown; readonly arguments?: unknown },
  callable: ReadonlyMap<string, Tool>,
): ResolvedCall | null {
  const call = name === CALL_TOOL ? innerCall(input) : { name, input };
  const tool = callable.get(String(call.name));
  return tool === undefined ? null : { tool, input: call.input };
}

/** Reads the input of `call_tool`; the arguments are an object, or its JSON text. */
function innerCall(input: unknown): { readonly name: unknown; readonly input: unknown } {
  const { name, arguments: given } = (input ?? {}) as {
    readonly name?: unknown;
    readonly arguments?: unknown;
  };
  return { name, input: typeof given === "string" ? parsedJson(given) : (given ?? undefined) };
}

/** Parses JSON text. Other text stays unchanged; the tool rejects it. */
function parsedJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  return parseLiteral(text) ?? text;
}
