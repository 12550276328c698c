import { type Context, Hono } from "hono";
import type { StoredResponse } from "../../domain/accounts/idempotency-port.ts";
import { mediaIn } from "../../domain/media.ts";
import { asToolError } from "../../kernel/errors.ts";
import { DEADLINE_MS, invoke } from "../../kernel/invoke.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import { type Tool, textFieldOf } from "../../kernel/tool.ts";
import { redactWriteOnce } from "../../kernel/write-once.ts";
import { type Endpoint, pathOf, pathTable, queryFields } from "../http/paths.ts";
import { methodNotAllowed, problemBody, STATUS } from "../http/problem.ts";
import { rateLimitHeaders } from "../http/rate-limit-headers.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { carriesPrices } from "../label.ts";
import { fileNameOf } from "../media.ts";
import {
  acceptsIdempotencyKey,
  createIdempotentCall,
  IDEMPOTENCY_KEY_HEADER,
  type IdempotentExecution,
  parseIdempotencyKey,
  REPLAYED_HEADER,
  withIdempotencyKey,
} from "./idempotency.ts";
import { type InputSchema, parseInput } from "./input.ts";
import { type FileOutput, FORMAT_PARAMETER, fileOutputOf, wantsFile } from "./response-format.ts";

/**
 * Every tool at its route: path, query and JSON body become the one input, the handler's result the exact answer.
 * `running` holds the calls under way; aborting one cancels it.
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

  /** Adds how the caller's windows stand to the headers of an answer. */
  async function tellLimits(c: Context<HttpEnv>, headers: Record<string, string>): Promise<void> {
    Object.assign(headers, await rateLimitHeaders(ports.meters, c.get("principal")));
  }

  /** What runs the call once for the key it was sent under; null where it was sent under none. */
  function onceOf(c: Context<HttpEnv>, endpoint: Endpoint, asked: ParsedRequest): IdempotentExecution | null {
    const { tool, path, verb } = endpoint;
    const header = c.req.header(IDEMPOTENCY_KEY_HEADER);
    if (header === undefined || idempotency === undefined || !acceptsIdempotencyKey(endpoint)) return null;
    return createIdempotentCall(idempotency, tool, () => ({
      account: c.get("principal").account,
      key: header,
      route: `${verb} ${path}${asked.asFile ? " as a file" : ""}`,
      deadlineMs: tool.deadlineMs ?? DEADLINE_MS,
    }));
  }

  /** Runs one call, which ends where the server does, and where its caller leaves unless it may be sent again. */
  async function ask(
    c: Context<HttpEnv>,
    { tool, path }: Endpoint,
    showing: FileOutput | null,
    { asked, once }: { readonly asked: ParsedRequest; readonly once: IdempotentExecution | null },
  ) {
    const stop = new AbortController();
    const read = async () => {
      if (showing !== null)
        asked.asFile = wantsFile(
          showing,
          queryFields(c.req.url).get(FORMAT_PARAMETER) ?? [],
          c.req.header("accept"),
        );
      const key = once === null ? null : parseIdempotencyKey(c.req.header(IDEMPOTENCY_KEY_HEADER) ?? "");
      const given = await parseInput(c.req.raw, schemaOf(tool), path, {
        ownWords: showing?.byQuery ? [FORMAT_PARAMETER] : [],
        text: tool.role === "interpreter" ? textFieldOf(tool) : undefined,
      });
      asked.input = key === null ? given : withIdempotencyKey(tool, given, key);
      return asked.input;
    };
    const watch = () => {
      // whoever lost the answer asks for it again
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
        transport: "rest",
        cancellation: { controller: stop, watch },
        requestId: c.get("requestId"),
        detail: "full",
        ...(once !== null && { runOnce: once.run }),
      });
    } finally {
      running.delete(stop);
    }
  }

  async function answer(
    c: Context<HttpEnv>,
    endpoint: Endpoint,
    showing: FileOutput | null,
  ): Promise<Response> {
    const { tool, verb } = endpoint;
    const headers: Record<string, string> = { ...c.get("headers"), "Cache-Control": "no-store" };
    if (carriesPrices(tool)) headers["Market-Data"] = ports.market.mode;
    if (showing !== null) headers.Vary = "Accept";
    const asked: ParsedRequest = { input: {}, asFile: false };
    const once = onceOf(c, endpoint, asked);
    const output = await ask(c, endpoint, showing, { asked, once }).catch(async (failure: unknown) => {
      if (once !== null)
        await keep(c, () => once.saveFailure(asToolError(failure), () => failureResponse(c, failure)));
      await tellLimits(c, headers);
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      throw failure;
    });
    const { cacheSeconds } = tool.http ?? {};
    if (verb === "GET" && cacheSeconds !== undefined)
      headers["Cache-Control"] = `${tool.plan === "open" ? "public" : "private"}, max-age=${cacheSeconds}`;
    const again = once?.replayedAnswer() ?? null;
    if (again !== null) return toldAgain(c, again, headers);
    const { input: given, asFile } = asked;
    const media = asFile ? mediaIn(output) : null;
    if (media !== null && showing !== null)
      headers["Content-Disposition"] = `inline; filename="${fileNameOf(tool, given, output, showing.file)}"`;
    headers["Content-Type"] = media?.mime ?? "application/json";
    await tellLimits(c, headers);
    c.set("headed", true);
    const text = media === null ? JSON.stringify(output) : media.base64;
    if (once !== null) {
      const body = media === null ? JSON.stringify(redactWriteOnce(tool, output)) : text;
      await keep(c, () => once.saveAnswer({ status: 200, headers: contentHeadersOf(headers), body }));
    }
    return new Response(decodeBody(text, headers), { headers });
  }

  /** What was done is told, even where it cannot be told again. */
  async function keep(c: Context<HttpEnv>, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      ports.log.error("answer not kept", { request_id: c.get("requestId"), cause });
    }
  }

  /** An answer as it was, under the name and the limits of this request. */
  async function toldAgain(c: Context<HttpEnv>, answer: StoredResponse, headers: Record<string, string>) {
    Object.assign(headers, answer.headers, { [REPLAYED_HEADER]: "true" });
    await tellLimits(c, headers);
    c.set("headed", true);
    return new Response(decodeBody(answer.body, headers), { status: answer.status, headers });
  }

  for (const { path, endpoints } of pathTable([...registry.tools, ...registry.unavailable])) {
    if (!path.startsWith("/api/"))
      throw new Error(`"${path}" is outside /api/, where callers are identified`);
    for (const endpoint of endpoints) {
      const showing = fileOutputOf(endpoint.tool);
      app.on(endpoint.verb, path, (c) => answer(c, endpoint, showing));
    }
    const verbs = endpoints.map(({ verb }) => verb);
    app.all(path, async (c) => {
      const headers = {};
      await tellLimits(c, headers);
      for (const [name, value] of Object.entries<string>(headers)) c.header(name, value);
      return methodNotAllowed(c, verbs);
    });
  }
  return app;
}

/** What the input of a call was, once it was read. */
interface ParsedRequest {
  input: Record<string, unknown>;
  asFile: boolean;
}

/** The headers that are the answer's own, not the request's. */
const contentHeadersOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    ["Content-Type", "Content-Disposition"].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    ),
  );

const decodeBody = (text: string, headers: Readonly<Record<string, string>>) =>
  /json$/.test(headers["Content-Type"] ?? "") ? text : Buffer.from(text, "base64");

/** A failure as its caller is told it. */
function failureResponse(c: Context<HttpEnv>, failure: unknown): StoredResponse {
  const error = asToolError(failure);
  return {
    status: STATUS[error.code],
    headers: { "Content-Type": "application/problem+json" },
    body: JSON.stringify(problemBody(error, pathOf(c.req.url), c.get("requestId"))),
  };
}
