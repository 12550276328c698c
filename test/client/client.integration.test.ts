import { mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { suiteDir } from "../support/temp-dir.ts";

const BUILDER = fileURLToPath(new URL("../../.config/build-client.mjs", import.meta.url));
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves every request with one function until the test ends; returns the URL and the requests. */
async function serving(answer: Answer) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}

const json =
  (body: unknown): Answer =>
  (_, response) =>
    response.end(JSON.stringify(body));

describe("the built client", () => {
  const suite = suiteDir();
  let createClient: (options: object) => any;
  let MarketSignalError: new () => Error;
  beforeAll(async () => {
    const dist = join(suite.dir, "dist");
    mkdirSync(dist);
    const { buildClient } = await import(pathToFileURL(BUILDER).href);
    await buildClient(dist);
    ({ createClient, MarketSignalError } = await import(pathToFileURL(join(dist, "client.js")).href));
  }, 60_000);
  afterAll(() => suite.remove());

  it("sends the key and the idempotency key, and returns the answer", async () => {
    const { url, requests } = await serving(json({ ok: true }));
    const client = createClient({ url, key: "ms_test_1" });
    const input = { name: "tech", symbols: ["AAPL"] };
    expect(await client.call("save_watchlist", input, { idempotencyKey: "once-1" })).toEqual({ ok: true });
    expect(requests[0]).toMatchObject({
      method: "POST",
      url: "/api/v1/watchlists/tech",
      headers: {
        authorization: "Bearer ms_test_1",
        "idempotency-key": "once-1",
        "content-type": "application/json",
      },
    });
  });

  it("calls a tool without input", async () => {
    const { url, requests } = await serving(json({ ok: true }));
    await createClient({ url }).call("get_health");
    expect(requests[0]!.url).toBe("/api/v1/health");
    expect(requests[0]!.headers.authorization).toBeUndefined();
  });

  it("refuses a tool that it does not know without a request", async () => {
    const { url, requests } = await serving(json({}));
    const call = createClient({ url }).call("toString", {});
    await expect(call).rejects.toMatchObject({ name: "MarketSignalError", code: "NOT_FOUND" });
    expect(requests).toEqual([]);
  });

  it("says that a server cannot be reached, and that an answer is not of a server", async () => {
    const { url } = await serving((_, response) => response.end("hello"));
    await expect(createClient({ url }).call("get_health")).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
    });
    const { url: broken } = await serving((request) => request.socket.destroy());
    const lost = createClient({ url: broken }).call("get_health");
    await expect(lost).rejects.toMatchObject({ code: "UNREACHABLE", retryable: true, status: null });
    await expect(lost).rejects.toBeInstanceOf(MarketSignalError);
  });

  it("throws the caller's own reason when it is cancelled", async () => {
    const stop = new AbortController();
    const { url } = await serving(() => stop.abort(new Error("enough")));
    await expect(createClient({ url }).call("get_health", {}, { signal: stop.signal })).rejects.toThrow(
      "enough",
    );
  });

  it("yields the events of a stream, however they are split, until its end", async () => {
    const { url, requests } = await serving((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(': hi\n\nevent: hello\ndata: {"watching":["AAPL"]}\n\nevent: quo');
      response.write('te\nid: AAPL 1\ndata: {"symbol":"AAPL"}\n\n');
      response.write('event: end\ndata: {"code":"CANCELLED"}\n\nevent: quote\ndata: {}\n\n');
    });
    const events = [];
    const stream = createClient({ url }).stream("stream_quotes", { symbols: ["AAPL"] }, { lastEventId: "x" });
    for await (const event of stream) events.push(event);
    expect(events).toEqual([
      { event: "hello", id: null, data: { watching: ["AAPL"] } },
      { event: "quote", id: "AAPL 1", data: { symbol: "AAPL" } },
      { event: "end", id: null, data: { code: "CANCELLED" } },
    ]);
    expect(requests[0]).toMatchObject({
      url: "/api/v1/quotes/stream?symbols=%5B%22AAPL%22%5D",
      headers: { accept: "text/event-stream", "last-event-id": "x" },
    });
  });

  it("closes the connection when the reader leaves a stream", async () => {
    const closed = withResolvers();
    const { url } = await serving((request, response) => {
      request.socket.once("close", closed.resolve);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: hello\ndata: {}\n\n");
    });
    for await (const { event } of createClient({ url }).stream("stream_quotes", { symbols: ["AAPL"] })) {
      expect(event).toBe("hello");
      break;
    }
    await closed.promise;
  });

  it("throws when a stream breaks off", async () => {
    const { url } = await serving((request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: hello\ndata: {}\n\n", () => request.socket.destroy());
    });
    const stream = createClient({ url }).stream("stream_quotes", { symbols: ["AAPL"] });
    expect(await stream.next()).toMatchObject({ value: { event: "hello" } });
    await expect(stream.next()).rejects.toMatchObject({ code: "UNREACHABLE" });
  });
});

function withResolvers() {
  let resolve!: (value?: unknown) => void;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
