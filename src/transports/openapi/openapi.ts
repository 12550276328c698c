import { Hono } from "hono";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import { taskBindings } from "../../kernel/task-bindings.ts";
import { SCOPE_OF, TOOLSETS, type Tool } from "../../kernel/tool.ts";
import { TOOLSET_DESCRIPTIONS } from "../../kernel/toolsets.ts";
import { mapInSteps } from "../../lib/event-loop.ts";
import { A2A_PATH, A2A_ROUTE_PATH, CARD_PATH } from "../a2a/card.ts";
import { type Endpoint, endpointsOf } from "../http/paths.ts";
import { routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { serveStatic } from "../http/static-file.ts";
import { acceptsIdempotencyKey, REPLAYED_HEADER } from "../rest/idempotency.ts";
import { type FileOutput, FORMAT_PARAMETER, fileOutputOf } from "../rest/response-format.ts";
import { A2A_TAG, a2aPaths } from "./a2a.ts";
import { accountPaths } from "./accounts.ts";
import { installationPaths } from "./installation.ts";
import {
  COMMON_HEADERS,
  HEADERS,
  headerRefs,
  IDEMPOTENCY_PARAMETER,
  PROBLEM,
  problemRefs,
  problemResponse,
  STATUS_RANGES,
  toolHeaderRefs,
} from "./parts.ts";
import { responseSchema } from "./response-schema.ts";
import { shareParameters } from "./shared-parameters.ts";
import { shareSchemas } from "./shared-schemas.ts";
import { STREAM_TOKEN_SCHEME, streamPaths } from "./stream.ts";

/** Name of the response component for a request whose If-None-Match names the current response. */
const NOT_MODIFIED = "NotModified";

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
}

/** Serves the OpenAPI 3.1 document of all connected tools; generates it at the first request, then caches it. */
export function openapiRoutes(server: HttpServerDeps): Hono<HttpEnv> {
  const serve = serveStatic("application/json", async () => JSON.stringify(await openapiDocument(server)));
  return routeGet(new Hono<HttpEnv>({ strict: false }), "/openapi.json", serve);
}

/** Generates the OpenAPI document from the tool definitions. */
export async function openapiDocument({ registry, settings }: Pick<HttpServerDeps, "registry" | "settings">) {
  const paths: Record<string, Record<string, unknown>> = {};
  await mapInSteps(endpointsOf(registry.tools), (endpoint) => {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    const item = paths[path] ?? {};
    item[endpoint.verb.toLowerCase()] = operation(endpoint);
    paths[path] = item;
  });
  const streams = streamPaths(registry.tools, (tool) => parametersOf(tool));
  for (const [path, item] of streams) paths[path] = { ...paths[path], ...item };
  for (const [path, item] of Object.entries({
    ...accountPaths(),
    ...installationPaths(),
    ...a2aPaths(registry),
  }))
    paths[path] = { ...paths[path], ...item };
  const shared = await withSharedSchemas(shareParameters(paths), ["Problem"]);
  const responses = Object.fromEntries(
    STATUS_RANGES.map((range) => [`Problem${range}`, problemResponse(range)]),
  );
  const text = JSON.stringify([shared.paths, responses]);
  const toolsets = TOOLSETS.filter((name) => registry.tools.some(({ toolset }) => toolset === name));
  return {
    openapi: "3.1.0",
    info: {
      title: "Market Signal",
      version: settings.version,
      description: `Trading analytics for US stocks, ETFs and crypto. Numbers are JSON numbers, null if missing; times are ISO 8601 UTC. The same tools are available over MCP at /api/mcp and over A2A at ${A2A_PATH}, with the enterprise plan also at ${A2A_ROUTE_PATH}. The agent card is at ${CARD_PATH}. Every response has the headers ${COMMON_HEADERS.join(", ")}; the limits only with a key.`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: settings.publicUrl }],
    security: [{ bearer: [] }],
    tags: [...toolsets.map((name) => ({ name, description: TOOLSET_DESCRIPTIONS[name] })), A2A_TAG],
    paths: shared.paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "`Authorization: Bearer <key>`; never in the URL.",
        },
        ...(streams.length > 0 && { stream_token: STREAM_TOKEN_SCHEME }),
      },
      headers: onlyReferenced("headers", HEADERS, text),
      schemas: { Problem: PROBLEM, ...shared.schemas },
      parameters: {
        ...onlyReferenced("parameters", { [IDEMPOTENCY_PARAMETER.name]: IDEMPOTENCY_PARAMETER }, text),
        ...shared.parameters,
      },
      responses: {
        ...responses,
        [NOT_MODIFIED]: { description: "The response is the one that If-None-Match names" },
      },
    },
  };
}

/** Returns the components of a kind that the JSON text refers to. */
const onlyReferenced = (kind: string, components: Readonly<Record<string, object>>, text: string) =>
  Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  );

/** Moves the schemas that occur more than once in operations and shared parameters into components. */
async function withSharedSchemas(
  { paths, parameters }: ReturnType<typeof shareParameters>,
  reserved: readonly string[],
) {
  const places = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ path, verb, operation })),
  );
  const named = places.map(
    ({ operation }) => [(operation as { operationId: string }).operationId, operation] as const,
  );
  const { operations, schemas } = await shareSchemas([...named, ["parameters", parameters]], reserved);
  const withReferences: Record<string, Record<string, unknown>> = {};
  for (const [i, { path, verb }] of places.entries())
    withReferences[path] = { ...withReferences[path], [verb]: operations[i] };
  return { paths: withReferences, parameters: operations.at(-1) as typeof parameters, schemas };
}

function operation({ tool, path, verb }: Endpoint) {
  const schema = jsonSchemaOf(tool.input, "input") as ObjectSchema;
  const { properties = {}, required = [] } = schema;
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!));
  const asBody = verb === "POST" || verb === "PUT";
  const body = Object.keys(properties).filter((name) => !inPath.has(name));
  const [main] = endpointsOf([tool]);
  const fileOutput = fileOutputOf(tool);
  const acceptsKey = acceptsIdempotencyKey({ tool, path, verb });
  const parameters = [
    ...parametersOf(tool, inPath).filter(({ name }) => inPath.has(name) || !asBody),
    ...(fileOutput?.byQuery ? [formatParameter(fileOutput)] : []),
    ...(acceptsKey ? [{ $ref: `#/components/parameters/${IDEMPOTENCY_PARAMETER.name}` }] : []),
  ];
  const alias = path === main?.path ? 0 : (tool.http?.aliases ?? []).indexOf(path) + 1;
  return {
    operationId: alias === 0 ? tool.name : `${tool.name}_alias_${alias}`,
    summary: tool.title,
    description: tool.description,
    tags: [tool.toolset],
    "x-plan": tool.plan,
    ...(tool.tasks && { "x-tasks": taskBindings(tool).map(({ name }) => name) }),
    ...(tool.uses && { "x-uses": tool.uses }),
    ...(tool.plan === "open" ? { security: [] } : { "x-scope": SCOPE_OF[tool.effect] }),
    ...(parameters.length > 0 && { parameters }),
    ...(asBody &&
      body.length > 0 && {
        requestBody: {
          required: body.some((name) => required.includes(name)),
          content: {
            "application/json": {
              schema: withoutFields(schema, inPath),
              examples: bodyExamples(tool, inPath),
            },
          },
        },
      }),
    responses: {
      200: {
        description: "OK",
        headers: {
          ...toolHeaderRefs(tool),
          ...headerRefs([
            ...(verb === "GET" ? (["ETag"] as const) : []),
            ...(fileOutput === null ? [] : (["Content-Disposition", "Vary"] as const)),
            ...(acceptsKey ? ([REPLAYED_HEADER] as const) : []),
          ]),
        },
        content: {
          "application/json": { schema: responseSchema(jsonSchemaOf(tool.output, "output")) },
          ...(fileOutput !== null && {
            [fileOutput.file.mime]: { schema: { type: "string", format: "binary" } },
          }),
        },
      },
      ...(verb === "GET" && { 304: { $ref: `#/components/responses/${NOT_MODIFIED}` } }),
      ...problemRefs(),
    },
  };
}

/** Returns every input field as a parameter: in the path if the path contains it, otherwise in the query. */
function parametersOf(tool: Tool, inPath: ReadonlySet<string> = new Set()) {
  const { properties = {}, required = [] } = jsonSchemaOf(tool.input, "input") as ObjectSchema;
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const isPath = inPath.has(name);
    const example = tool.examples.map(({ input }) => input[name]).find((value) => value !== undefined);
    return {
      name: tool.http?.names?.[name] ?? name,
      in: isPath ? "path" : "query",
      ...((isPath || required.includes(name)) && { required: true }),
      description,
      ...(schema.type === "array" && { explode: false }),
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

/** The `format` query parameter, which REST adds to the fields of the tool. */
const formatParameter = ({ file }: FileOutput) => ({
  name: FORMAT_PARAMETER,
  in: "query",
  description: `json, or ${file.extension} for the file itself. Default: the type that the Accept header prefers.`,
  schema: { type: "string", enum: ["json", file.extension] },
  example: file.extension,
});

function withoutFields(
  { properties = {}, required = [], ...rest }: ObjectSchema,
  names: ReadonlySet<string>,
) {
  const remaining = required.filter((name) => !names.has(name));
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))),
    ...(remaining.length > 0 && { required: remaining }),
  };
}

const bodyExamples = (tool: Tool, inPath: ReadonlySet<string>) =>
  Object.fromEntries(
    tool.examples.map(({ ask, input }, i) => [
      `example_${i + 1}`,
      {
        summary: ask,
        value: Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.has(name))),
      },
    ]),
  );
