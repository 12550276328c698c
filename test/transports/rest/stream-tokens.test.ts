import { EventSource } from "eventsource";
import { describe, expect, it } from "vitest";
import { eventReader } from "../../support/events.ts";
import { useInstallation } from "../../support/installation.ts";

const PAGE = "https://app.example.com";
const TOKENS = "/api/v1/stream-tokens";
const STREAM = "/api/v1/quotes/stream?symbols=AAPL";

describe("a stream token", () => {
  const site = useInstallation("sample", { CORS_ORIGINS: PAGE });
  const post = (key: string, init: RequestInit = {}) =>
    fetch(`${site.url}${TOKENS}`, {
      method: "POST",
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    });
  async function issued(plan: "pro" | "member" = "pro") {
    const { key, account } = await site.key(plan, ["read"]);
    const response = await post(key);
    const body = (await response.json()) as { token: string; expires_at: string };
    return { ...body, key, account, response };
  }
  const problemOf = async (response: Response) => {
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    return [response.status, code, detail];
  };

  it("is created by a POST with a key, and is not stored by caches", async () => {
    const before = Date.now();
    const { response, token, expires_at } = await issued();
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(response.headers.get("ratelimit")).toMatch(/^"burst";r=\d+/);
    expect(token).toMatch(/^ms_stream_[\w-]+\.[\w-]{43}$/);
    const lifetime = Date.parse(expires_at) - before;
    expect(lifetime).toBeGreaterThanOrEqual(60_000);
    expect(lifetime).toBeLessThan(120_000);
  });

  it("opens a stream for an EventSource, which sends only the URL", async () => {
    const { token } = await issued("member");
    const source = new EventSource(`${site.url}${STREAM}&stream_token=${token}`);
    try {
      const watching = await new Promise((resolve, reject) => {
        source.addEventListener("hello", ({ data }) => resolve(JSON.parse(data).watching));
        source.addEventListener("error", reject);
      });
      expect(watching).toEqual(["AAPL"]);
    } finally {
      source.close();
    }
  });

  it("opens the stream of signals for a page of an allowed origin", async () => {
    const { token } = await issued();
    const response = await fetch(`${site.url}/api/v1/signals/stream?symbols=AAPL&stream_token=${token}`, {
      headers: { origin: PAGE, accept: "text/event-stream" },
    });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, PAGE]);
    const { next, leave } = eventReader(response);
    expect((await next())?.event).toBe("hello");
    await leave();
  });

  it("ends its stream within a second of the revocation of its key", async () => {
    const { token, account } = await issued();
    const { next } = eventReader(await fetch(`${site.url}${STREAM}&stream_token=${token}`));
    expect((await next())?.event).toBe("hello");
    const [key] = await site.app.access.list(account);
    await site.app.access.revoke(key!.id);
    let event = await next();
    while (event?.event === "quote") event = await next();
    expect(event).toMatchObject({ event: "end", data: { code: "UNAUTHENTICATED" } });
    expect(await next()).toBeNull();
    expect(await problemOf(await fetch(`${site.url}${STREAM}&stream_token=${token}`))).toEqual([
      401,
      "UNAUTHENTICATED",
      "This API key was revoked",
    ]);
  });

  it.each([
    ["/api/v1/quote/AAPL", 401],
    ["/api/v1/signals/AAPL", 401],
    ["/api/v1/quota", 401],
    ["/api/v1/quotes/feed?symbols=AAPL", 401],
    ["/api/v1/quotes/stream/more", 404],
    ["/api/mcp/sse", 401],
  ])("opens nothing else: %s", async (path, status) => {
    const { token } = await issued();
    const url = `${site.url}${path}${path.includes("?") ? "&" : "?"}stream_token=${token}`;
    const response = await fetch(url);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain(token);
    const asBearer = await fetch(`${site.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect(asBearer.status).toBe(401);
  });

  it("creates no further token", async () => {
    const { token } = await issued();
    expect((await fetch(`${site.url}${TOKENS}?stream_token=${token}`, { method: "POST" })).status).toBe(401);
    expect((await post(token)).status).toBe(401);
  });

  it("is refused in a stream if it is wrong or given twice, and a key is never read from the URL", async () => {
    const { token, key } = await issued();
    const refused = [
      `stream_token=${token}x`,
      `stream_token=${token}&stream_token=${token}`,
      "stream_token=",
      `stream_token=${key}`,
    ];
    for (const query of refused)
      expect(await problemOf(await fetch(`${site.url}${STREAM}&${query}`))).toEqual([
        401,
        "UNAUTHENTICATED",
        "This is not a stream token of this server",
      ]);
    expect((await fetch(`${site.url}${STREAM}&key=${key}`)).status).toBe(401);
  });

  it("is ignored beside a key", async () => {
    const { key } = await issued();
    const response = await fetch(`${site.url}${STREAM}&stream_token=wrong`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
    await response.body!.cancel();
  });

  it("is refused without a key, with fields, and to other methods", async () => {
    const { key } = await site.key("pro");
    expect((await fetch(`${site.url}${TOKENS}`, { method: "POST" })).status).toBe(401);
    const body = JSON.stringify({ minutes: 60 });
    expect(
      await problemOf(await post(key, { body, headers: { "content-type": "application/json" } })),
    ).toEqual([400, "INVALID_INPUT", "A stream token takes no fields"]);
    const wrong = await post(key, { method: "PUT" });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  it("counts as a call of the burst window", async () => {
    const { key } = await site.key("member");
    const statuses: number[] = [];
    for (let sent = 0; sent < 11; sent++) statuses.push((await post(key)).status);
    expect([...new Set(statuses)]).toEqual([200, 429]);
  });
});
