import { type Context, Hono } from "hono";
import type { KeptAnswer } from "../../domain/accounts/idempotency-port.ts";
import { mediaIn } from "../../domain/media.ts";
import { asToolError } from "../../kernel/errors.ts";
import { DEADLINE_MS, invoke } from "../../kernel/invoke.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import { withoutOnce } from "../../kernel/told-once.ts";
import type { Tool } from "../../kernel/tool.ts";
import type { HttpDoor, HttpEnv } from "../http/door.ts";
import { limitHeaders } from "../http/limit-headers.ts";
import { type Endpoint, pathOf, pathTable, queryFields } from "../http/paths.ts";
import { onlyThese, problemBody, STATUS } from "../http/problem.ts";
import { tellsPrices } from "../label.ts";
import { fileNameOf } from "../media.ts";
import { type InputSchema, inputOf } from "./input.ts";
import {
  IDEMPOTENCY_KEY,
  isRepeatable,
  type Once,
  onceFor,
  REPLAYED,
  repeatKey,
  withRepeatKey,
} from "./repeated.ts";
import { FORMAT, type Showing, showingOf, wantsFile } from "./shown-as.ts";

/**
 * Every tool at its route: path, query and JSON body become the one input, the handler's result the exact answer.
 * `running` holds the calls under way; aborting one cancels it.
 */
export function restDoor(
  { registry, ports, idempotency }: HttpDoor,
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
    Object.assign(headers, await limitHeaders(ports.meters, c.get("principal")));
  }

  /** What runs the call once for the key it was sent under; null where it was sent under none. */
  function onceOf(c: Context<HttpEnv>, endpoint: Endpoint, asked: Asked): Once | null {
    const { tool, path, verb } = endpoint;
    const header = c.req.header(IDEMPOTENCY_KEY);
    if (header === undefined || idempotency === undefined || !isRepeatable(endpoint)) return null;
    return onceFor(idempotency, tool, () => ({
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
    showing: Showing | null,
    { asked, once }: { readonly asked: Asked; readonly once: Once | null },
  ) {
    const stop = new AbortController();
    const read = async () => {
      if (showing !== null)
        asked.asFile = wantsFile(showing, queryFields(c.req.url).get(FORMAT) ?? [], c.req.header("accept"));
      const key = once === null ? null : repeatKey(c.req.header(IDEMPOTENCY_KEY) ?? "");
      const given = await inputOf(c.req.raw, schemaOf(tool), path, {
        ownWords: showing?.byWord ? [FORMAT] : [],
        text: tool.interprets,
      });
      asked.given = key === null ? given : withRepeatKey(tool, given, key);
      return asked.given;
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
        door: "rest",
        ending: { stop, watch },
        requestId: c.get("requestId"),
        detail: "full",
        ...(once !== null && { once: once.run }),
      });
    } finally {
      running.delete(stop);
    }
  }

  async function answer(c: Context<HttpEnv>, endpoint: Endpoint, showing: Showing | null): Promise<Response> {
    const { tool, verb } = endpoint;
    const headers: Record<string, string> = { ...c.get("headers"), "Cache-Control": "no-store" };
    if (tellsPrices(tool)) headers["Market-Data"] = ports.market.mode;
    if (showing !== null) headers.Vary = "Accept";
    const asked: Asked = { given: {}, asFile: false };
    const once = onceOf(c, endpoint, asked);
    const output = await ask(c, endpoint, showing, { asked, once }).catch(async (failure: unknown) => {
      if (once !== null) await keep(c, () => once.failed(asToolError(failure), () => failureOf(c, failure)));
      await tellLimits(c, headers);
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      throw failure;
    });
    if (verb === "GET" && tool.cacheSeconds !== undefined)
      headers["Cache-Control"] =
        `${tool.plan === "open" ? "public" : "private"}, max-age=${tool.cacheSeconds}`;
    const again = once?.told() ?? null;
    if (again !== null) return toldAgain(c, again, headers);
    const { given, asFile } = asked;
    const media = asFile ? mediaIn(output) : null;
    if (media !== null && showing !== null)
      headers["Content-Disposition"] = `inline; filename="${fileNameOf(tool, given, output, showing.file)}"`;
    headers["Content-Type"] = media?.mime ?? "application/json";
    await tellLimits(c, headers);
    c.set("headed", true);
    const text = media === null ? JSON.stringify(output) : media.base64;
    if (once !== null) {
      const body = media === null ? JSON.stringify(withoutOnce(tool, output)) : text;
      await keep(c, () => once.answered({ status: 200, headers: ownOf(headers), body }));
    }
    return new Response(bodyOf(text, headers), { headers });
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
  async function toldAgain(c: Context<HttpEnv>, answer: KeptAnswer, headers: Record<string, string>) {
    Object.assign(headers, answer.headers, { [REPLAYED]: "true" });
    await tellLimits(c, headers);
    c.set("headed", true);
    return new Response(bodyOf(answer.body, headers), { status: answer.status, headers });
  }

  for (const { path, endpoints } of pathTable([...registry.tools, ...registry.absent])) {
    if (!path.startsWith("/api/"))
      throw new Error(`"${path}" is outside /api/, where callers are identified`);
    for (const endpoint of endpoints) {
      const showing = showingOf(endpoint.tool);
      app.on(endpoint.verb, path, (c) => answer(c, endpoint, showing));
    }
    const verbs = endpoints.map(({ verb }) => verb);
    app.all(path, async (c) => {
      const headers = {};
      await tellLimits(c, headers);
      for (const [name, value] of Object.entries<string>(headers)) c.header(name, value);
      return onlyThese(c, verbs);
    });
  }
  return app;
}

/** What the input of a call was, once it was read. */
interface Asked {
  given: Record<string, unknown>;
  asFile: boolean;
}

/** The headers that are the answer's own, not the request's. */
const ownOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    ["Content-Type", "Content-Disposition"].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    ),
  );

const bodyOf = (text: string, headers: Readonly<Record<string, string>>) =>
  /json$/.test(headers["Content-Type"] ?? "") ? text : Buffer.from(text, "base64");

/** A failure as its caller is told it. */
function failureOf(c: Context<HttpEnv>, failure: unknown): KeptAnswer {
  const error = asToolError(failure);
  return {
    status: STATUS[error.code],
    headers: { "Content-Type": "application/problem+json" },
    body: JSON.stringify(problemBody(error, pathOf(c.req.url), c.get("requestId"))),
  };
}
