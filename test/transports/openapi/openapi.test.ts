import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Ports } from "../../../src/domain/ports.ts";
import { defineAgent } from "../../../src/kernel/agent.ts";
import { PROBLEMS } from "../../../src/transports/http/problem.ts";
import { openapiDocument, openapiRoutes } from "../../../src/transports/openapi/openapi.ts";
import { streamQuotes } from "../../../tools/stream-quotes.ts";
import { changesTool } from "../../support/changes.ts";
import { httpServerDeps } from "../../support/http.ts";
import { getEcho, HTTP_TOOLS } from "../../support/http-tools.ts";
import { lintOpenapi } from "../../support/openapi-lint.ts";
import { resolvedPaths } from "../../support/resolve-references.ts";

const bars = {} as Ports["bars"];
const streaming = { symbols: {}, changes: {} } as unknown as Pick<Ports, "symbols" | "changes">;
const deps = httpServerDeps(HTTP_TOOLS, { ports: { bars } });
const doc = (await openapiDocument(deps)) as any;
/** Follows a reference into the document. */
const at = (reference: string, document = doc) =>
  reference
    .split("/")
    .slice(1)
    .reduce((found, name) => found[name], document);

describe("the OpenAPI linter", () => {
  it("finds no fault in the document", async () => {
    expect(await lintOpenapi(doc)).toEqual([]);
  }, 60_000);

  it("finds a fault", async () => {
    expect((await lintOpenapi({ ...doc, info: { title: "x" } })).join()).toContain("version");
  }, 60_000);
});

it("describes each connected tool once by name, with its aliases", async () => {
  const operations = Object.entries<any>(doc.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([verb, { operationId }]) => `${operationId} ${verb} ${path}`),
  );
  expect(operations).toEqual([
    "get_echo get /api/v1/echo/{symbol}",
    "get_echo_alias_1 get /api/echo",
    "get_health get /api/v1/health",
    "run_scan post /api/v1/scan",
    "get_failure get /api/v1/failure/{code}",
    "get_flow get /api/options-flow/{symbol}",
    "get_tide get /api/options-flow/tide",
    "get_prints get /api/options-flow/darkpool/{symbol}",
    "save_note put /api/v1/notes/{id}",
    "drop_note delete /api/v1/notes/{id}",
    "list_accounts get /api/v1/accounts",
    "get_account get /api/v1/accounts/{account}",
    "delete_account delete /api/v1/accounts/{account}",
    "set_account_plan put /api/v1/accounts/{account}/plan",
    "suspend_account post /api/v1/accounts/{account}/suspend",
    "resume_account post /api/v1/accounts/{account}/resume",
    "export_account get /api/v1/accounts/{account}/export",
    "list_owner_keys get /api/v1/installation/keys",
    "create_owner_key post /api/v1/installation/keys",
    "revoke_owner_key delete /api/v1/installation/keys/{id}",
    "list_providers get /api/v1/installation/providers",
    "list_runs get /api/v1/installation/runs",
    "list_backups get /api/v1/installation/backups",
    "create_backup post /api/v1/installation/backups",
    "download_backup get /api/v1/installation/backups/{name}",
    "read_log get /api/v1/installation/log",
    "list_settings get /api/v1/installation/settings",
    "a2a_rpc post /api/a2a",
    "a2a_rpc_route post /api/v1/a2a/route",
    "a2a_agent_card get /.well-known/agent-card.json",
    "a2a_agent_card_0_3 get /a2a/v0.3/.well-known/agent-card.json",
    "a2a_jwks get /.well-known/jwks.json",
  ]);
  expect((await openapiDocument(httpServerDeps(HTTP_TOOLS))).paths).not.toHaveProperty("/api/v1/scan");
});

it("lists the tools of an agent, and none for a tool", async () => {
  const agent = defineAgent({
    name: "ask_echo",
    title: "Ask",
    description: "Asks.",
    uses: [getEcho],
    route: "GET /api/v1/ask",
    input: z.object({}),
    output: z.object({ ok: z.boolean() }),
    examples: [{ ask: "Ask", input: {} }],
    run: async () => ({ ok: true }),
  });
  const { paths } = (await openapiDocument(httpServerDeps([getEcho, agent]))) as any;
  expect(paths["/api/v1/ask"].get).toMatchObject({ tags: ["agents"], "x-uses": ["get_echo"] });
  expect(paths["/api/v1/echo/{symbol}"].get).not.toHaveProperty("x-uses");
});

it("documents which calls accept an idempotency key", () => {
  const keyed = Object.values<any>(doc.paths)
    .flatMap((item) => Object.values<any>(item))
    .filter(({ parameters = [] }) =>
      parameters.some(({ $ref }: { $ref?: string }) => $ref === "#/components/parameters/Idempotency-Key"),
    );
  expect(keyed.map(({ operationId }) => operationId)).toEqual(["save_note", "drop_note"]);
  for (const { responses, parameters } of keyed) {
    const parameter = at(parameters.at(-1).$ref);
    expect(parameter).toMatchObject({ name: "Idempotency-Key", in: "header" });
    expect(parameter).not.toHaveProperty("required");
    expect(responses[200].headers).toHaveProperty("Idempotency-Replayed");
    expect(Object.keys(at(responses["4XX"].$ref).content["application/problem+json"].examples)).toEqual(
      expect.arrayContaining(["CONFLICT", "REFUSED"]),
    );
  }
  expect(doc.components.responses.Problem4XX.headers).toHaveProperty("Retry-After");
});

describe("the paths of A2A", () => {
  it("have a plan, an example request and error statuses", () => {
    const { post } = doc.paths["/api/v1/a2a/route"];
    expect(doc.paths["/api/a2a"].post["x-plan"]).toBe("pro");
    expect(post["x-plan"]).toBe("enterprise");
    const { value } = post.requestBody.content["application/json"].examples.send;
    expect(value).toMatchObject({
      method: "SendMessage",
      params: { message: { parts: [{ data: { skill: "get_echo", input: { symbol: "AAPL", limit: 5 } } }] } },
    });
    expect(Object.keys(post.responses)).toEqual(["200", "413", "415", "4XX", "5XX"]);
    expect(doc.paths["/.well-known/jwks.json"].get.security).toEqual([]);
    expect(doc.paths["/.well-known/agent-card.json"].get.security).toEqual([]);
  });

  it("can share a path with a tool", async () => {
    const tool = { ...getEcho, route: "GET /api/a2a" };
    const { paths } = await openapiDocument(httpServerDeps([tool]));
    expect(Object.keys(paths["/api/a2a"]!)).toEqual(["get", "post"]);
  });
});

it("places each field in path, query or body, with an example", () => {
  const { parameters } = resolvedPaths(doc)["/api/v1/echo/{symbol}"]!.get;
  expect(parameters.map((each: any) => `${each.in} ${each.name}${each.required ? "!" : ""}`)).toEqual([
    "path symbol!",
    "query limit",
    "query ratio",
    "query deep",
    "query tags",
    "query detail",
  ]);
  expect(parameters[1]).toEqual({
    name: "limit",
    in: "query",
    description: "How many",
    schema: { type: "integer", minimum: 1, maximum: 500 },
    example: 5,
  });
  const { schema, examples } = doc.paths["/api/v1/notes/{id}"].put.requestBody.content["application/json"];
  expect(schema).toMatchObject({ properties: { text: { type: "string" } }, required: ["text"] });
  expect(schema.properties).not.toHaveProperty("id");
  expect(examples).toEqual({ example_1: { summary: "Save", value: { text: "hello" } } });
});

it("has plan and scope, and no security for open tools", () => {
  expect(doc.paths["/api/v1/notes/{id}"].put).toMatchObject({ "x-plan": "pro", "x-scope": "write" });
  expect(doc.paths["/api/v1/health"].get).toMatchObject({ "x-plan": "open", security: [] });
  expect(doc.paths["/api/v1/health"].get).not.toHaveProperty("x-scope");
});

it("lists every code of a failure as a problem, with its status and an example", () => {
  const { responses } = doc.paths["/api/v1/scan"].post;
  expect(Object.keys(responses)).toEqual(["200", "4XX", "5XX"]);
  for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
    const { description, content } = at(responses[`${Math.floor(status / 100)}XX`].$ref);
    expect(Object.keys(content)).toEqual(["application/problem+json"]);
    expect(description).toContain(`${status} \`${code}\`: ${title}.`);
    expect(content["application/problem+json"].examples[code].value).toMatchObject({ code, status, title });
  }
  const { headers } = at(responses["4XX"].$ref);
  expect(Object.keys(headers)).toEqual(
    expect.arrayContaining(["Request-Id", "RateLimit", "WWW-Authenticate", "Allow", "Retry-After"]),
  );
  expect(responses[200].headers).toHaveProperty("Market-Data");
});

it("documents ETag and 304 for GET", () => {
  const { get } = doc.paths["/api/v1/health"];
  expect(get.responses[200].headers).toHaveProperty("ETag");
  expect(Object.keys(get.responses)).toEqual(["200", "304", "4XX", "5XX"]);
  expect(doc.paths["/api/v1/scan"].post.responses[200].headers).not.toHaveProperty("ETag");
});

it("is served as JSON without a key", async () => {
  const app = openapiRoutes(deps);
  const answer = await app.request("/openapi.json");
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(doc)));
});

it("describes a stream of quotes, without a cursor", async () => {
  const ports = { ...streaming, quotes: {}, quoteStreams: {} } as never;
  const document = (await openapiDocument(httpServerDeps([streamQuotes], { ports }))) as any;
  const { get } = document.paths["/api/v1/quotes/stream"];
  const { parameters } = resolvedPaths(document)["/api/v1/quotes/stream"]!.get;
  expect(get).toMatchObject({ operationId: "stream_quotes_stream", "x-plan": "member", "x-scope": "read" });
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual(["symbols"]);
  expect(get.responses[200].content["text/event-stream"].schema.description).toContain("`unavailable`");
  expect(at(get["x-quote-schema"].$ref, document).properties).toHaveProperty("feed");
  expect(get).not.toHaveProperty("x-change-schema");
});

it("describes the stream token where there are streams", async () => {
  const document = (await openapiDocument(httpServerDeps([changesTool()], { ports: streaming }))) as any;
  const { get } = document.paths["/api/v1/state-changes/stream"];
  expect(get.security).toEqual([{ bearer: [] }, { stream_token: [] }]);
  expect(document.components.securitySchemes.stream_token).toMatchObject({
    type: "apiKey",
    in: "query",
    name: "stream_token",
  });
  const { post } = document.paths["/api/v1/stream-tokens"];
  expect(post.responses[200].content["application/json"].schema.required).toEqual(["token", "expires_at"]);
  expect(document.paths["/api/v1/state-changes"].get).not.toHaveProperty("security");
  expect(doc.components.securitySchemes).not.toHaveProperty("stream_token");
});

it("describes a stream in addition to the route of its tool", async () => {
  const withStream = (await openapiDocument(httpServerDeps([changesTool()], { ports: streaming }))) as any;
  const { get } = withStream.paths["/api/v1/state-changes/stream"];
  const { parameters } = resolvedPaths(withStream)["/api/v1/state-changes/stream"]!.get;
  expect(get).toMatchObject({
    operationId: "read_changes_stream",
    summary: "Changes as they are noticed",
    "x-plan": "pro",
    "x-scope": "read",
  });
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
    ...["symbols", "list", "timeframe", "after", "since", "limit"],
    "Last-Event-ID",
  ]);
  expect(Object.keys(get.responses[200].content)).toEqual(["text/event-stream"]);
  expect(at(get["x-change-schema"].$ref, withStream).properties).toHaveProperty("change_id");
  expect(await lintOpenapi(withStream)).toEqual([]);
}, 60_000);

it("shares a parameter of several routes", () => {
  const { parameters } = doc.paths["/api/v1/echo/{symbol}"].get;
  expect(parameters[0]).toEqual({ $ref: "#/components/parameters/symbol" });
  expect(doc.components.parameters.symbol).toMatchObject({ name: "symbol", in: "path", required: true });
});
