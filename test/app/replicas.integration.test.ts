import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import { createAllowance, createMeter, sharedBudgets } from "../../src/market/failover/meter.ts";
import { waitSlowly } from "../proofs/slow-tool.ts";
import { type Installation, install } from "../support/installation.ts";
import { createDatabase, onPostgres, POSTGRES_URL } from "../support/postgres.ts";
import { suiteDir } from "../support/temp-dir.ts";

const { dir, remove } = suiteDir();
let one: Installation;
let two: Installation;
let url: string;
const MASTER_KEY = randomBytes(32).toString("base64");

const replica = (name: string, key = MASTER_KEY) =>
  install(
    dir,
    "sample",
    { DATA_DIR: join(dir, name), DATABASE_URL: url, MASTER_KEY: key },
    {
      tools: { ...catalogue, waitSlowly },
    },
  );

onPostgres.describe("two servers on one database", () => {
  let pro: string;
  beforeAll(async () => {
    url = await createDatabase(POSTGRES_URL!);
    one = await replica("one");
    two = await replica("two");
    pro = (await one.key("pro")).key;
  }, 60_000);
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()]);
    remove();
  });

  const ask = (at: Installation, path: string, init: RequestInit = {}, key = pro) =>
    fetch(new URL(path, at.url), { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
  const post = (at: Installation, path: string, body: object, headers: Record<string, string> = {}) =>
    ask(at, path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it("deliver messages to an event stream of the other one", async () => {
    const reader = (await ask(one, "/api/mcp/sse")).body!.pipeThrough(new TextDecoderStream()).getReader();
    let received = "";
    const until = async (pattern: RegExp) => {
      while (!pattern.test(received)) received += (await reader.read()).value ?? "";
    };
    await until(/event: endpoint\ndata: .*\n/);
    const path = /data: (.*)\n/.exec(received)![1]!;
    expect((await post(two, path, { jsonrpc: "2.0", id: 7, method: "ping" })).status).toBe(202);
    await until(/"id":7/);
    const { key } = await one.key("pro");
    const message = { jsonrpc: "2.0", id: 8, method: "ping" };
    expect((await ask(two, path, { method: "POST", body: JSON.stringify(message) }, key)).status).toBe(404);
    await reader.cancel();
  });

  const initialize = async (at: Installation, capabilities: object) => {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities,
      clientInfo: { name: "test", version: "1" },
    };
    const response = await post(at, "/api/mcp", { jsonrpc: "2.0", id: 1, method: "initialize", params });
    await response.text();
    return { "mcp-session-id": response.headers.get("mcp-session-id")! };
  };

  it("cancel a call of the other one", async () => {
    const session = await initialize(one, {});
    const params = { name: "wait_slowly", arguments: { ms: 30_000 } };
    const call = post(one, "/api/mcp", { jsonrpc: "2.0", id: 5, method: "tools/call", params }, session);
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
    const ended = call.then((response) => response.text());
    let isEnded = false;
    void ended.then(() => {
      isEnded = true;
    });
    // until the call has begun, there is nothing to cancel
    await expect
      .poll(async () => (await post(two, "/api/mcp", cancel, session)).status === 202 && isEnded, {
        timeout: 10_000,
      })
      .toBe(true);
  });

  it("know the settings of a session that began at the other one", async () => {
    const session = await initialize(one, { elicitation: {} });
    const level = { jsonrpc: "2.0", id: 2, method: "logging/setLevel", params: { level: "info" } };
    await (await post(one, "/api/mcp", level, session)).text();
    const { account } = await one.app.authenticate(pro, "127.0.0.1");
    expect(await two.app.clientSessions.find(account, session["mcp-session-id"])).toEqual({
      canAsk: true,
      canOpen: false,
      showsViews: false,
      logLevel: "info",
    });
  });

  /** Waits until a server shows what the other one has just changed; returns the time that it took, ms. */
  async function timeUntil(isShown: () => Promise<boolean>): Promise<number> {
    const changedAt = performance.now();
    await expect.poll(isShown, { interval: 5, timeout: 5_000 }).toBe(true);
    return performance.now() - changedAt;
  }

  it("refuse a key and a session that the other one has ended, within a second", async () => {
    const { key, account } = await one.key("pro");
    const status = async () => (await ask(two, "/api/v1/quote/AAPL", {}, key)).status;
    expect(await status()).toBe(200);
    const [listed] = await one.app.access.list(account);
    await one.app.access.revoke(listed!.id);
    expect(await timeUntil(async () => (await status()) === 401)).toBeLessThan(1_000);

    const link = (await one.app.browserSessions.issueLink()).token;
    const { token } = await two.app.browserSessions.begin(link);
    expect(await one.app.browserSessions.resolve(token)).toMatchObject({ account: "owner" });
    await two.app.browserSessions.end(token);
    const isRefused = () =>
      one.app.browserSessions.resolve(token).then(
        () => false,
        () => true,
      );
    expect(await timeUntil(isRefused)).toBeLessThan(1_000);
  });

  it("show a changed watchlist at once", async () => {
    const read = async () => JSON.parse(await (await ask(two, "/api/v1/watchlists")).text()).watchlists;
    expect(await read()).toEqual([]);
    expect((await post(one, "/api/v1/watchlists/mine", { symbols: ["AAPL"] })).status).toBe(200);
    const isShown = async () => JSON.stringify(await read()).includes("AAPL");
    expect(await timeUntil(isShown)).toBeLessThan(1_000);
  });

  it("open a stream with a token of the other one", async () => {
    const { token } = JSON.parse(await (await post(one, "/api/v1/stream-tokens", {})).text());
    const path = `/api/v1/quotes/stream?symbols=AAPL&stream_token=${token}`;
    const stream = await fetch(new URL(path, two.url));
    expect(stream.status).toBe(200);
    await stream.body!.cancel();
  });

  it("keep the limit of a provider together", async () => {
    const budget = { calls: 10, perMs: 60_000, atOnce: 99 };
    const opened = await Promise.all([one, two].map(({ app }) => app.store.openRateLimits()));
    const meters = opened.map((windows) =>
      createMeter([createAllowance(budget, one.app.clock)], {
        shared: sharedBudgets(windows, "vendor", [budget]),
      }),
    );
    const calls = await Promise.allSettled(
      Array.from({ length: 30 }, (_, i) => meters[i % 2]!.acquireSlot()),
    );
    expect(calls.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(meters.map((meter) => meter.ready())).toEqual([false, false]);
    await Promise.all(opened.map((windows) => windows.close()));
  });

  it("refuse a server with another master key", async () => {
    await expect(replica("three", randomBytes(32).toString("base64"))).rejects.toThrow(/master key/);
  });
});
