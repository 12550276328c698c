import { type Context, Hono } from "hono";
import type { StoredResponse } from "../../domain/accounts/idempotency-port.ts";
import { momentOf } from "../../domain/answers.ts";
import { type MediaFile, mediaIn } from "../../domain/media.ts";
import { asToolError } from "../../kernel/errors.ts";
import { DEADLINE_MS, invoke } from "../../kernel/invoke.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import { carriesPrices } from "../../kernel/sample-label.ts";
import { isShared, jsonOf, taggedJsonOf } from "../../kernel/shared-answer.ts";
import { type Tool, textFieldOf } from "../../kernel/tool.ts";
import { redactWriteOnce } from "../../kernel/write-once.ts";
import { tagOfContent } from "../http/conditional.ts";
import { joinedVary } from "../http/middleware.ts";
import { type Endpoint, pathOf, pathTable, queryFields } from "../http/paths.ts";
import { methodNotAllowed, PROBLEMS, problemBody } from "../http/problem.ts";
import { rateLimitHeaders } from "../http/rate-limit-headers.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { fileNameOf, withPicture } from "../media.ts";
import {
  acceptsIdempotencyKey,
  createIdempotentCall,
  IDEMPOTENCY_KEY_HEADER,
  type IdempotentExecution,
  parseIdempotencyKey,
  REPLAYED_HEADER,
  withIdempotencyKey,
} from "./idempotency.ts";
import { type InputSchema, parseInput, withPublishedNames } from "./input.ts";
import { type FileOutput, FORMAT_PARAMETER, fileOutputOf, wantsFile } from "./response-format.ts";

/**
 * Serves every tool at its route: path, query and JSON body form the input, and the handler's result is the response
 * body. `running` contains a controller for each running call; aborting it cancels the call.
 */
export function restRoutes(
  { registry, ports, idempotency }: HttpServerDeps,
  running: Set<AbortController> = new Set(),
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  const schemas = new Map<Tool, InputSchema>();
  const schemaOf = (tool: Tool) => {
    const schema = schemas.get(tool) ?? jsonSchemaOf(tool.input, "input");
    schemas.set(tool, schema);
    return schema;
  };

  /** Adds the caller's rate-limit headers to the response headers. */
  async function addRateLimits(c: Context<HttpEnv>, headers: Record<string, string>): Promise<void> {
    Object.assign(headers, await rateLimitHeaders(ports.meters, c.get("principal")));
  }

  /**
   * Returns the idempotent execution of the call, or null if the request has no idempotency key or the endpoint does
   * not accept one.
   */
  function executionOf(
    c: Context<HttpEnv>,
    endpoint: Endpoint,
    parsed: ParsedRequest,
  ): IdempotentExecution | null {
    const { tool, path, verb } = endpoint;
    const header = c.req.header(IDEMPOTENCY_KEY_HEADER);
    if (header === undefined || idempotency === undefined || !acceptsIdempotencyKey(endpoint)) return null;
    return createIdempotentCall(idempotency, tool, () => ({
      account: c.get("principal").account,
      key: header,
      route: `${verb} ${path}${parsed.asFile ? " as a file" : ""}`,
      deadlineMs: tool.deadlineMs ?? DEADLINE_MS,
    }));
  }

  /** Runs one call. It is cancelled when the server stops, or when the client disconnects without an idempotency key. */
  async function runCall(
    c: Context<HttpEnv>,
    { tool, path }: Endpoint,
    fileOutput: FileOutput | null,
    { parsed, once }: { readonly parsed: ParsedRequest; readonly once: IdempotentExecution | null },
  ) {
    const stop = new AbortController();
    const read = async () => {
      if (fileOutput !== null)
        parsed.asFile = wantsFile(
          fileOutput,
          queryFields(c.req.url).get(FORMAT_PARAMETER) ?? [],
          c.req.header("accept"),
        );
      const key = once === null ? null : parseIdempotencyKey(c.req.header(IDEMPOTENCY_KEY_HEADER) ?? "");
      const given = await parseInput(c.req.raw, schemaOf(tool), path, {
        reservedParameters: fileOutput?.byQuery ? [FORMAT_PARAMETER] : [],
        text: tool.role === "interpreter" ? textFieldOf(tool) : undefined,
      });
      const input = parsed.asFile ? withPicture(tool, given) : given;
      parsed.input = key === null ? input : withIdempotencyKey(tool, input, key);
      return parsed.input;
    };
    const watch = () => {
      // with an idempotency key, the client can retry to get the response
      if (once !== null) return;
      const { signal } = c.req.raw;
      signal.addEventListener("abort", () => stop.abort(), { once: true });
      if (signal.aborted) stop.abort();
    };
    running.add(stop);
    try {
      return await invoke(tool, read, {
        ports,
        principal: c.get("principal"),
        admitted: c.get("admitted"),
        transport: "rest",
        cancellation: { controller: stop, watch },
        requestId: c.get("requestId"),
        trace: c.get("trace"),
        detail: "full",
        ...(once !== null && { runOnce: once.run }),
      });
    } finally {
      running.delete(stop);
    }
  }

  async function serve(
    c: Context<HttpEnv>,
    endpoint: Endpoint,
    fileOutput: FileOutput | null,
  ): Promise<Response> {
    const { tool, verb } = endpoint;
    const headers = c.get("headers");
    headers["Cache-Control"] = "no-store";
    if (carriesPrices(tool)) headers["Market-Data"] = ports.market.mode;
    if (fileOutput !== null) headers.Vary = joinedVary("Accept", headers.Vary);
    const parsed: ParsedRequest = { input: {}, asFile: false };
    const once = executionOf(c, endpoint, parsed);
    const output = await runCall(c, endpoint, fileOutput, { parsed, once }).catch(async (cause: unknown) => {
      const { names } = tool.http ?? {};
      const failure = names === undefined ? cause : withPublishedNames(cause, names);
      if (once !== null)
        await save(c, () => once.saveFailure(asToolError(failure), () => failureResponse(c, failure)));
      await addRateLimits(c, headers);
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      throw failure;
    });
    if (verb === "GET")
      headers["Cache-Control"] = cacheControlOf(tool, parsed.input, output, ports.clock.now());
    const stored = once?.replayedResponse() ?? null;
    if (stored !== null) return replay(c, stored, headers);
    const { input: given, asFile } = parsed;
    const media = asFile ? mediaIn(output) : null;
    if (media !== null && fileOutput !== null)
      headers["Content-Disposition"] =
        `inline; filename="${fileNameOf(tool, given, output, fileOutput.file)}"`;
    headers["Content-Type"] = media?.mime ?? "application/json";
    await addRateLimits(c, headers);
    c.set("headed", true);
    const { text, etag } =
      verb === "GET" ? taggedText(output, media) : { text: media?.base64 ?? jsonOf(output), etag: undefined };
    if (etag !== undefined) headers.ETag = etag;
    if (once !== null) {
      const body = media === null ? JSON.stringify(redactWriteOnce(tool, output)) : text;
      await save(c, () => once.saveResponse({ status: 200, headers: contentHeadersOf(headers), body }));
    }
    return new Response(decodeBody(text, headers), { headers });
  }

  /** Writes to the idempotency store. A failure is logged and does not fail the request. */
  async function save(c: Context<HttpEnv>, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      ports.log.error("idempotent response not saved", { request_id: c.get("requestId"), cause });
    }
  }

  /** Sends a stored response with the request id and rate limits of the current request. */
  async function replay(c: Context<HttpEnv>, stored: StoredResponse, headers: Record<string, string>) {
    Object.assign(headers, stored.headers, { [REPLAYED_HEADER]: "true" });
    await addRateLimits(c, headers);
    c.set("headed", true);
    return new Response(decodeBody(stored.body, headers), { status: stored.status, headers });
  }

  for (const { path, endpoints } of pathTable([...registry.tools, ...registry.unavailable])) {
    if (!path.startsWith("/api/"))
      throw new Error(`"${path}" is outside /api/, where callers are identified`);
    for (const endpoint of endpoints) {
      const fileOutput = fileOutputOf(endpoint.tool);
      app.on(endpoint.verb, path, (c) => serve(c, endpoint, fileOutput));
    }
    const verbs = endpoints.map(({ verb }) => verb);
    app.all(path, async (c) => {
      const headers = {};
      await addRateLimits(c, headers);
      for (const [name, value] of Object.entries<string>(headers)) c.header(name, value);
      return methodNotAllowed(c, verbs);
    });
  }
  return app;
}

/** Input and format of a request, set while the request is parsed. */
interface ParsedRequest {
  input: Record<string, unknown>;
  asFile: boolean;
}

/** Returns the text of a response to GET, and its entity tag. */
function taggedText(
  output: object,
  media: MediaFile | null,
): { readonly text: string; readonly etag: string } {
  if (media !== null) return { text: media.base64, etag: tagOfContent(media.base64) };
  const { text, tag } = taggedJsonOf(output);
  return { text, etag: `W/"${tag}"` };
}

/** Age of a past time from which its answer no longer changes, and the time for which a browser may use it; ms and seconds. */
const SETTLED = { ageMs: 2 * 86_400_000, cacheSeconds: 3_600 } as const;

/**
 * Returns the Cache-Control of a response to GET. A response that depends on no account may be stored and must be
 * validated by its ETag before each use; one as of a time two days ago or earlier may be used for an hour. One of an account
 * is not stored.
 */
function cacheControlOf(
  { http, plan }: Tool,
  { as_of: asOf }: Readonly<Record<string, unknown>>,
  output: object,
  now: Date,
): string {
  if (http?.cacheSeconds !== undefined)
    return `${plan === "open" ? "public" : "private"}, max-age=${http.cacheSeconds}`;
  if (!isShared(output)) return "no-store";
  const isSettled = typeof asOf === "string" && now.getTime() - momentOf(asOf) >= SETTLED.ageMs;
  return isSettled ? `private, max-age=${SETTLED.cacheSeconds}` : "private, no-cache";
}

/** Returns the headers that are stored with a response because they describe its body. */
const contentHeadersOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    ["Content-Type", "Content-Disposition"].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    ),
  );

const decodeBody = (text: string, headers: Readonly<Record<string, string>>) =>
  /json$/.test(headers["Content-Type"] ?? "") ? text : Buffer.from(text, "base64");

/** Returns a failure as the problem response that is sent to the caller. */
function failureResponse(c: Context<HttpEnv>, failure: unknown): StoredResponse {
  const error = asToolError(failure);
  return {
    status: PROBLEMS[error.code].status,
    headers: { "Content-Type": "application/problem+json" },
    body: JSON.stringify(problemBody(error, pathOf(c.req.url), c.get("requestId"))),
  };
}
