import { AFTER_FIELD, type StreamDef } from "../../kernel/followable.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import { SCOPE_OF, type Tool } from "../../kernel/tool.ts";
import { STREAM_TOKEN_PARAMETER } from "../http/paths.ts";
import { LAST_EVENT_ID } from "../rest/stream.ts";
import { STREAM_TOKENS_PATH } from "../rest/stream-tokens.ts";
import { problemRefs, toolHeaderRefs } from "./parts.ts";
import { responseSchema } from "./response-schema.ts";

/** Header parameter with the cursor from which a reconnecting client resumes. */
const LAST_EVENT_PARAMETER = {
  name: LAST_EVENT_ID,
  in: "header",
  description: `\`id\` of the last event received. The stream resumes after this event without loss. Browsers send the header automatically; it takes precedence over \`${AFTER_FIELD}\`.`,
  schema: { type: "string" },
} as const;

/** Security scheme of streams in addition to the key. */
export const STREAM_TOKEN_SCHEME = {
  type: "apiKey",
  in: "query",
  name: STREAM_TOKEN_PARAMETER,
  description: `Token of \`POST ${STREAM_TOKENS_PATH}\` in place of a key, for the EventSource of browsers, which sends no headers. It opens streams for 60 seconds, and nothing else.`,
} as const;
const STREAM_SECURITY = [{ bearer: [] }, { stream_token: [] }] as const;

/** Creation of a stream token. */
const TOKEN_OPERATION = {
  operationId: "create_stream_token",
  summary: "Stream token",
  description:
    "Creates a token that opens streams for 60 seconds in place of the key, with the account, plan and scopes of the key. Pass it as `stream_token` in the URL of a stream. A stream that is open stays open until its key is revoked or its plan changes.",
  tags: ["system"],
  "x-plan": "member",
  responses: {
    200: {
      description: "OK",
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: ["token", "expires_at"],
            properties: {
              token: { type: "string", description: "Value of the query parameter stream_token" },
              expires_at: { type: "string", format: "date-time", description: "End of its validity" },
            },
          },
        },
      },
    },
    ...problemRefs(),
  },
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
 * Returns the path and operation of each stream, and of the creation of their tokens if there are streams;
 * `parametersOf` returns the input fields of a tool as query parameters.
 */
export function streamPaths(
  tools: readonly Tool[],
  parametersOf: (tool: Tool) => readonly { readonly name: string }[],
): readonly (readonly [string, Readonly<Record<string, object>>])[] {
  const streams = tools.flatMap((tool) => {
    const stream = tool.http?.stream;
    if (stream === undefined) return [];
    const [, path] = stream.route.split(" ") as [string, string];
    return [[path, { get: operation(tool, stream, parametersOf(tool)) }] as const];
  });
  return streams.length === 0 ? [] : [...streams, [STREAM_TOKENS_PATH, { post: TOKEN_OPERATION }]];
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
  ...(tool.plan === "open"
    ? { security: [] }
    : { "x-scope": SCOPE_OF[tool.effect], security: STREAM_SECURITY }),
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
  const { properties = {} } = responseSchema(jsonSchemaOf(output, "output")) as {
    properties?: Readonly<Record<string, { readonly items?: unknown } | undefined>>;
  };
  return properties[list]?.items;
}
