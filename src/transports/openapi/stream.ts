import { AFTER_FIELD } from "../../kernel/followable.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import { SCOPE_OF, type Tool } from "../../kernel/tool.ts";
import { carriesPrices } from "../label.ts";
import { LAST_EVENT_ID } from "../rest/stream.ts";
import { headerRefs, STATUSES } from "./parts.ts";

/** Parameter for the header with the cursor from which a reconnecting client resumes. */
const LAST_EVENT_PARAMETER = {
  name: LAST_EVENT_ID,
  in: "header",
  required: false,
  description: `The \`id\` of the last event that was read: goes on after it, without loss. Browsers send it by themselves; it counts before \`${AFTER_FIELD}\`.`,
  schema: { type: "string" },
} as const;

const EVENTS_SCHEMA = {
  type: "string",
  description:
    "Events, each of one line of JSON. `hello` comes first: what is watched, whose prices these are and where to go on. `change`: one change, as the route without a stream tells it, under an `id` to go on after it. `watching`: a list that is followed became another. `end`: why the server ends the stream, and what to do. A comment every 15 seconds keeps the connection open.",
} as const;

/** The operation of each stream, by its path; `parameters` are those of the tool's own route in the query. */
export function streamPaths(
  tools: readonly Tool[],
  parametersOf: (tool: Tool) => readonly { readonly name: string }[],
): readonly (readonly [string, { readonly get: object }])[] {
  return tools.flatMap((tool) => {
    const stream = tool.http?.stream;
    if (stream === undefined) return [];
    const { route, title, description } = stream;
    const [, path] = route.split(" ") as [string, string];
    return [[path, { get: operation(tool, { title, description }, parametersOf(tool)) }]] as const;
  });
}

const operation = (
  tool: Tool,
  { title, description }: { readonly title: string; readonly description: string },
  parameters: readonly object[],
) => ({
  operationId: `${tool.name}_stream`,
  summary: title,
  description,
  tags: [tool.toolset],
  "x-plan": tool.plan,
  ...(tool.plan === "open" ? { security: [] } : { "x-scope": SCOPE_OF[tool.effect] }),
  parameters: [...parameters, LAST_EVENT_PARAMETER],
  responses: {
    200: {
      description: "The stream; it stays open until the client or the server closes it",
      headers: headerRefs([
        "Request-Id",
        "X-Request-Id",
        "RateLimit",
        "RateLimit-Policy",
        ...(carriesPrices(tool) ? (["Market-Data"] as const) : []),
      ]),
      content: { "text/event-stream": { schema: EVENTS_SCHEMA } },
    },
    ...Object.fromEntries(
      STATUSES.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
    ),
  },
  "x-change-schema": changeSchema(tool),
});

/** Returns the schema of one change: an item of `changes` in the tool's output. */
function changeSchema({ output }: Tool): unknown {
  const { properties = {} } = jsonSchemaOf(output, "output") as {
    properties?: { readonly changes?: { readonly items?: unknown } };
  };
  return properties.changes?.items;
}
