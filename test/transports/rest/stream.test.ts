import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Principal } from "../../../src/domain/accounts/access.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv } from "../../../src/transports/http/server-deps.ts";
import { restRoutes } from "../../../src/transports/rest/rest.ts";
import { createRestStreamTransport, type RestStreamLimits } from "../../../src/transports/rest/stream.ts";
import { changesTool, recordingChanges, stateTool } from "../../support/changes.ts";
import { anonymous, collectingLog, countingMeters, member, pro } from "../../support/context.ts";
import { eventReader } from "../../support/events.ts";
import { httpServerDeps, served } from "../../support/http.ts";
import { directoryOf } from "../../support/market.ts";

const STREAM = "/api/v1/state-changes/stream";
const symbols = directoryOf(["AAPL", "MSFT"]);

/** REST transport of a server with changes; keys are names of principals. */
function setup(limits: Partial<RestStreamLimits> = {}, lists: Record<string, string[]> = {}) {
  const noticed = recordingChanges();
  const { meters, debits } = countingMeters({ burst: 1e6, day: 1e6 });
  const { log, lines } = collectingLog();
  const keys = new Map<string, Principal>(
    Object.entries({ pro, member, other: { ...pro, account: "other" } }),
  );
  const deps = {
    // a path whose parameter would match the last segment of the stream's path
    ...httpServerDeps([{ ...stateTool, route: "GET /api/v1/state-changes/:symbol" }, changesTool(lists)], {
      ports: { symbols, changes: noticed.changes, meters, log },
    }),
    identify: async (bearer: string | null) => {
      const principal = bearer === null ? anonymous : keys.get(bearer);
      if (principal === undefined) throw new ToolError("UNAUTHENTICATED", "This key is not known");
      return principal;
    },
  };
  const streams = createRestStreamTransport(deps, limits);
  const app = applyMiddleware(new Hono<HttpEnv>({ strict: false }), deps);
  app.route("/", streams.route).route("/", restRoutes(deps));
  const ask = (query = "?symbols=AAPL,MSFT", { key = "pro", ...headers }: Record<string, string> = {}) =>
    app.request(`${STREAM}${query}`, {
      headers: { ...(key !== "" && { authorization: `Bearer ${key}` }), ...headers },
    });
  return { ...noticed, app, deps, streams, keys, debits, lines, ask };
}

describe("the stream", () => {
  it("sends hello with the watched series and the market first, then each change as the tool returns it", async () => {
    const { ask, notice, debits, app } = setup();
    const response = await ask();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      "market-data": "sample",
      ratelimit: expect.stringContaining('"burst"'),
      "request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const { next, leave } = eventReader(response);
    expect(await next()).toEqual({
      event: "hello",
      id: "cu_0",
      data: {
        watching: [
          { symbol: "AAPL", timeframe: "1d" },
          { symbol: "MSFT", timeframe: "1d" },
        ],
        market: "sample",
        label: "SAMPLE (simulated)",
        cursor: "cu_0",
        server_time: "2026-01-15T15:00:00.000Z",
      },
    });
    const change = notice("MSFT");
    expect(await next()).toEqual({ event: "change", id: "cu_1", data: change });
    const listed = await app.request("/api/v1/state-changes?symbols=MSFT&after=cu_0", {
      headers: { authorization: "Bearer pro" },
    });
    expect(((await listed.json()) as { changes: unknown }).changes).toEqual([change]);
    expect(debits).toEqual({ burst: 2, day: 2 });
    await leave();
  });

  it("resumes after Last-Event-ID, which takes precedence over the query", async () => {
    const { ask, notice } = setup();
    for (const symbol of ["AAPL", "MSFT", "AAPL"]) notice(symbol);
    const again = eventReader(await ask("?symbols=AAPL,MSFT&since=2020-01-01", { "last-event-id": "sc_1" }));
    expect((await again.next())?.id).toBe("sc_1");
    expect([await again.next(), await again.next()].map((one) => [one?.data.change_id, one?.id])).toEqual([
      ["sc_2", "sc_2"],
      ["sc_3", "cu_3"],
    ]);
    await again.leave();
  });

  it("sends `watching` when the followed list changes", async () => {
    const lists = { mine: ["AAPL"] };
    const { ask } = setup({ refreshMs: 5 }, lists);
    const { next, leave } = eventReader(await ask("?list=mine"));
    expect(await next()).toMatchObject({ event: "hello", data: { watching: [{ symbol: "AAPL" }] } });
    lists.mine = ["MSFT"];
    expect(await next()).toMatchObject({ event: "watching", data: { watching: [{ symbol: "MSFT" }] } });
    await leave();
  });

  it("works over a real connection, and is removed when its reader disconnects", async () => {
    const { app, streams, notice, followed, listeners } = setup();
    await served(app, async (origin) => {
      const gone = new AbortController();
      const response = await fetch(`${origin}${STREAM}?symbols=AAPL`, {
        headers: { authorization: "Bearer pro" },
        signal: gone.signal,
      });
      const { next } = eventReader(response);
      expect((await next())?.event).toBe("hello");
      notice("AAPL");
      expect((await next())?.data.change_id).toBe("sc_1");
      expect(streams.count()).toBe(1);
      gone.abort();
      await expect(next()).rejects.toThrow();
      await vi.waitUntil(() => streams.count() === 0);
    });
    expect([followed.size, listeners.size]).toEqual([0, 0]);
  });
});

describe("an error before the first event", () => {
  it.each([
    [401, "UNAUTHENTICATED", "?symbols=AAPL", { key: "" }],
    [403, "PLAN_REQUIRED", "?symbols=AAPL", { key: "member" }],
    [422, "UNKNOWN_SYMBOL", "?symbols=ZZZZQ", {}],
    [400, "INVALID_INPUT", "?symbols=AAPL&nothing=1", {}],
    [400, "INVALID_INPUT", "?symbols=AAPL&timeframe=2d", {}],
    [400, "INVALID_INPUT", "?symbols=AAPL", { "last-event-id": "cu_x" }],
  ] as const)("is returned as a problem: %i %s for %s", async (status, code, query, headers) => {
    const { ask, streams, listeners } = setup();
    const response = await ask(query, headers);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code, instance: STREAM });
    expect([streams.count(), listeners.size]).toEqual([0, 0]);
  });

  it("opens no stream for HEAD and rejects other verbs", async () => {
    const { app, streams } = setup();
    const head = await app.request(STREAM, { method: "HEAD", headers: { authorization: "Bearer pro" } });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const post = await app.request(STREAM, { method: "POST", headers: { authorization: "Bearer pro" } });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(streams.count()).toBe(0);
  });

  it("returns NOT_CONNECTED when the server stores no changes", async () => {
    const deps = httpServerDeps([changesTool()], { ports: { symbols } });
    const app = applyMiddleware(new Hono<HttpEnv>(), deps).route("/", createRestStreamTransport(deps).route);
    const response = await app.request(STREAM, { headers: { authorization: "Bearer key-of-pro" } });
    expect(await response.json()).toMatchObject({ code: "NOT_CONNECTED" });
  });
});

describe("limits", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("limits streams per account and in total, and leaves no timer", async () => {
    const { ask, streams, keys, debits } = setup({ maxStreams: 25 });
    keys.set("third", { ...pro, account: "third" });
    for (let i = 0; i < 20; i++) expect((await ask()).status).toBe(200);
    const more = await ask();
    expect(more.status).toBe(429);
    expect(await more.json()).toMatchObject({ code: "RATE_LIMITED", limit: 20, retry_after: 30 });
    for (let i = 0; i < 5; i++) expect((await ask(undefined, { key: "other" })).status).toBe(200);
    expect(await (await ask(undefined, { key: "third" })).json()).toMatchObject({ limit: 25 });
    expect(debits.burst, "those refused count too").toBe(27);
    await streams.close();
    expect([streams.count(), vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("sends a comment every fifteen seconds", async () => {
    const { ask } = setup();
    const reader = eventReader(await ask());
    await reader.next();
    const next = reader.next();
    await vi.advanceTimersByTimeAsync(45_000);
    expect(reader.comments()).toBe(3);
    await reader.leave();
    expect(await next).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ["UNAUTHENTICATED", "is revoked", (keys: Map<string, Principal>) => keys.delete("pro")],
    [
      "PLAN_REQUIRED",
      "loses its plan",
      (keys: Map<string, Principal>) => keys.set("pro", { ...pro, plan: "member" }),
    ],
    [
      "SCOPE_REQUIRED",
      "loses its scope",
      (keys: Map<string, Principal>) => keys.set("pro", { ...pro, scopes: [] }),
    ],
    [
      "UNAUTHENTICATED",
      "changes hands",
      (keys: Map<string, Principal>) => keys.set("pro", { ...pro, account: "x" }),
    ],
  ])("ends with %s within a second after the key %s", async (code, _, change) => {
    const { ask, keys, streams } = setup();
    const { next } = eventReader(await ask());
    await next();
    await ask(undefined, { key: "other" });
    change(keys);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await next()).toMatchObject({ event: "end", data: { code, detail: expect.any(String) } });
    expect(await next()).toBeNull();
    expect(streams.count()).toBe(1);
  });

  it("ends with a hint at shutdown, and opens no new stream", async () => {
    const { ask, streams } = setup();
    const { next } = eventReader(await ask());
    await next();
    await streams.close();
    expect(await next()).toMatchObject({
      event: "end",
      data: { code: "UPSTREAM_UNAVAILABLE", hint: /Last-Event-ID/ },
    });
    expect(await next()).toBeNull();
    expect((await ask()).status).toBe(503);
  });

  it("ends with the error when the tool fails; only the log contains its cause", async () => {
    const { ask, changes, notice, lines } = setup();
    const { next } = eventReader(await ask());
    await next();
    changes.since = () => Promise.reject(new Error("postgres://secret@db"));
    notice("AAPL");
    const end = await next();
    expect(end).toMatchObject({ event: "end", data: { code: "INTERNAL" } });
    expect(JSON.stringify(end)).not.toContain("postgres");
    expect(lines.some(({ level }) => level === "error")).toBe(true);
  });

  it("buffers little for a slow reader, and closes it after two keep-alives", async () => {
    const { ask, notice, streams } = setup({ bufferBytes: 2_000 });
    const response = await ask("?symbols=AAPL&limit=1");
    for (let i = 0; i < 50; i++) notice("AAPL");
    await vi.advanceTimersByTimeAsync(14_000);
    expect(streams.count()).toBe(1);
    await vi.advanceTimersByTimeAsync(16_000);
    expect(streams.count()).toBe(0);
    const { next } = eventReader(response);
    const read = [];
    for (let event = await next(); event !== null; event = await next()) read.push(event.event);
    expect(read[0]).toBe("hello");
    expect(read.length).toBeLessThan(8);
  });

  it("sends everything to a reader that is slow but reads", async () => {
    const { ask, notice } = setup({ bufferBytes: 600 });
    const { next, leave } = eventReader(await ask("?symbols=AAPL"));
    await next();
    for (let i = 0; i < 10; i++) notice("AAPL");
    const ids = [];
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(10_000);
      ids.push((await next())?.data.change_id);
    }
    expect(ids).toEqual(Array.from({ length: 10 }, (_, i) => `sc_${i + 1}`));
    await leave();
  });
});
