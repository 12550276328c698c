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

  async function limits(c: Context<HttpEnv>): Promise<void> {
    const windows = await ports.meters.standing(c.get("principal")).catch(() => []);
    if (windows.length === 0) return;
    c.header("RateLimit-Policy", windows.map((w) => `"${w.name}";q=${w.quota};w=${w.window}`).join(","));
    c.header(
      "RateLimit",
      windows
        .map((w) => `"${w.name}";r=${Math.max(0, w.remaining)};t=${Math.max(0, Math.ceil(w.reset))}`)
        .join(","),
    );
  }

  async function answer(
    c: Context<HttpEnv>,
    { tool, path, verb }: Endpoint,
    showing: Showing | null,
  ): Promise<Response> {
    c.header("Cache-Control", "no-store");
    if (tellsPrices(tool)) c.header("Market-Data", ports.market.mode);
    if (showing !== null) c.header("Vary", "Accept");
    let given: Record<string, unknown> = {};
    let asFile = false;
    const { signal } = c.req.raw;
    const stop = new AbortController();
    const cancel = () => stop.abort();
    const call = () =>
      invoke(
        tool,
        async () => {
          const words = queryFields(c.req.url).get(FORMAT) ?? [];
          asFile = showing !== null && wantsFile(showing, words, c.req.header("accept"));
          given = await inputOf(c.req.raw, schemaOf(tool), path, {
            ownWords: showing?.byWord ? [FORMAT] : [],
            text: tool.interprets,
          });
          return given;
        },
        {
          ports,
          principal: c.get("principal"),
          door: "rest",
          signal: stop.signal,
          requestId: c.get("requestId"),
          detail: "full",
        },
      );
    running.add(stop);
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    const output = await call().finally(() => {
      running.delete(stop);
      signal.removeEventListener("abort", cancel);
      return limits(c);
    });
    if (verb === "GET" && tool.cacheSeconds !== undefined)
      c.header(
        "Cache-Control",
        `${tool.plan === "open" ? "public" : "private"}, max-age=${tool.cacheSeconds}`,
      );
    const media = asFile ? mediaIn(output) : null;
    if (media === null || showing === null) return c.json(output);
    c.header("Content-Disposition", `inline; filename="${fileNameOf(tool, given, output, showing.file)}"`);
    return c.body(Buffer.from(media.base64, "base64"), 200, { "Content-Type": media.mime });
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
      await limits(c);
      return onlyThese(c, verbs);
    });
  }
  return app;
}
