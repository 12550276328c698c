import { type Context, Hono } from "hono";
import { mediaIn } from "../../domain/media.ts";
import { invoke } from "../../kernel/invoke.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import type { Tool } from "../../kernel/tool.ts";
import type { HttpDoor, HttpEnv } from "../http/door.ts";
import { type Endpoint, pathTable, queryFields } from "../http/paths.ts";
import { onlyThese } from "../http/problem.ts";
import { tellsPrices } from "../label.ts";
import { fileNameOf } from "../media.ts";
import { type InputSchema, inputOf } from "./input.ts";
import { FORMAT, type Showing, showingOf, wantsFile } from "./shown-as.ts";

/**
 * Every tool at its route: path, query and JSON body become the one input, the handler's result the exact answer.
 * `running` holds the calls under way; aborting one cancels it.
 */
export function restDoor(
  { registry, ports }: HttpDoor,
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
    const windows = await ports.meters.standing(c.get("principal")).catch(() => []);
    if (windows.length === 0) return;
    headers["RateLimit-Policy"] = windows.map((w) => `"${w.name}";q=${w.quota};w=${w.window}`).join(",");
    headers.RateLimit = windows
      .map((w) => `"${w.name}";r=${Math.max(0, w.remaining)};t=${Math.max(0, Math.ceil(w.reset))}`)
      .join(",");
  }

  /** Runs one call, which ends where its caller leaves and where the server does. */
  async function ask(c: Context<HttpEnv>, { tool, path }: Endpoint, showing: Showing | null) {
    const asked = { given: {} as Record<string, unknown>, asFile: false };
    const stop = new AbortController();
    const read = async () => {
      if (showing !== null)
        asked.asFile = wantsFile(showing, queryFields(c.req.url).get(FORMAT) ?? [], c.req.header("accept"));
      asked.given = await inputOf(c.req.raw, schemaOf(tool), path, {
        ownWords: showing?.byWord ? [FORMAT] : [],
        text: tool.interprets,
      });
      return asked.given;
    };
    const watch = () => {
      const { signal } = c.req.raw;
      signal.addEventListener("abort", () => stop.abort(), { once: true });
      if (signal.aborted) stop.abort();
    };
    running.add(stop);
    try {
      const output = await invoke(tool, read, {
        ports,
        principal: c.get("principal"),
        door: "rest",
        ending: { stop, watch },
        requestId: c.get("requestId"),
        detail: "full",
      });
      return { ...asked, output };
    } finally {
      running.delete(stop);
    }
  }

  async function answer(c: Context<HttpEnv>, endpoint: Endpoint, showing: Showing | null): Promise<Response> {
    const { tool, verb } = endpoint;
    const headers: Record<string, string> = { ...c.get("headers"), "Cache-Control": "no-store" };
    if (tellsPrices(tool)) headers["Market-Data"] = ports.market.mode;
    if (showing !== null) headers.Vary = "Accept";
    const { given, asFile, output } = await ask(c, endpoint, showing).catch(async (failure: unknown) => {
      await tellLimits(c, headers);
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      throw failure;
    });
    if (verb === "GET" && tool.cacheSeconds !== undefined)
      headers["Cache-Control"] =
        `${tool.plan === "open" ? "public" : "private"}, max-age=${tool.cacheSeconds}`;
    const media = asFile ? mediaIn(output) : null;
    if (media !== null && showing !== null)
      headers["Content-Disposition"] = `inline; filename="${fileNameOf(tool, given, output, showing.file)}"`;
    headers["Content-Type"] = media?.mime ?? "application/json";
    await tellLimits(c, headers);
    c.set("headed", true);
    const body = media === null ? JSON.stringify(output) : Buffer.from(media.base64, "base64");
    return new Response(body, { headers });
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
