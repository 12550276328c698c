import { AFTER_FIELD, type StreamDef } from "../../kernel/followable.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import { SCOPE_OF, type Tool } from "../../kernel/tool.ts";
import { LAST_EVENT_ID } from "../rest/stream.ts";
import { problemRefs, toolHeaderRefs } from "./parts.ts";

/** Header parameter with the cursor from which a reconnecting client resumes. */
const LAST_EVENT_PARAMETER = {
  name: LAST_EVENT_ID,
  in: "header",
  required: false,
  description: `\`id\` of the last event received. The stream resumes after this event without loss. Browsers send the header automatically; it takes precedence over \`${AFTER_FIELD}\`.`,
  schema: { type: "string" },
} as const;

const CHANGES_SCHEMA = {
  type: "string",
  description:
    "Server-sent events with one line of JSON each. `hello`, the first event: the watched series, the market and the cursor. `change`: one change, in the format of the non-streaming route; resume after it by its `id`. `watching`: the watched list has changed. `end`: why the server ends the stream, and the next step. A comment every 15 seconds keeps the connection open.",
} as const;

const QUOTES_SCHEMA = {
  type: "string",
  description:
    "Server-sent events with one line of JSON each. `hello`, the first event: the watched symbols and the market. `quote`: the newest price of a symbol, in the format of the non-streaming route; at first one of each symbol, also after a reconnect. A slow reader misses prices, never the newest one. `unavailable`: no symbol has a price now. `end`: why the server ends the stream, and the next step. A comment every 15 seconds keeps the connection open.",
} as const;

/**
 * Returns the path and operation of each stream; `parametersOf` returns the input fields of a tool as query parameters.
 */
export function streamPaths(
  tools: readonly Tool[],
  parametersOf: (tool: Tool) => readonly { readonly name: string }[],
): readonly (readonly [string, { readonly get: object }])[] {
  return tools.flatMap((tool) => {
    const stream = tool.http?.stream;
    if (stream === undefined) return [];
    const [, path] = stream.route.split(" ") as [string, string];
    return [[path, { get: operation(tool, stream, parametersOf(tool)) }]] as const;
  });
}

const operation = (
  tool: Tool,
  { title, description, of = "changes" }: StreamDef,
  parameters: readonly object[],
) => ({
  operationId: `${tool.name}_stream`,
  summary: title,
  description,
  tags: [tool.toolset],
  "x-plan": tool.plan,
  ...(tool.plan === "open" ? { security: [] } : { "x-scope": SCOPE_OF[tool.effect] }),
  parameters: of === "changes" ? [...parameters, LAST_EVENT_PARAMETER] : parameters,
  responses: {
    200: {
      description: "The stream; it stays open until the client or the server closes it",
      headers: toolHeaderRefs(tool),
      content: { "text/event-stream": { schema: of === "changes" ? CHANGES_SCHEMA : QUOTES_SCHEMA } },
    },
    ...problemRefs(),
  },
  ...(of === "changes"
    ? { "x-change-schema": itemSchema(tool, "changes") }
    : { "x-quote-schema": itemSchema(tool, "quotes") }),
});

/** Returns the schema of an item of a list in the tool's output. */
function itemSchema({ output }: Tool, list: "changes" | "quotes"): unknown {
  const { properties = {} } = jsonSchemaOf(output, "output") as {
    properties?: Readonly<Record<string, { readonly items?: unknown } | undefined>>;
  };
  return properties[list]?.items;
}
