import { once } from "node:events";
import { connect } from "node:net";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { jsonBody, MAX_BODY_BYTES } from "../../../src/transports/http/body.ts";

const MAX_VALUES = 40_000;

import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv } from "../../../src/transports/http/server-deps.ts";
import { collectingLog } from "../../support/context.ts";
import { asPro, httpServerDeps, KEYS, served } from "../../support/http.ts";

/** Returns the number of fields in the body. */
function counter(options: { limit?: number; ms?: number } = {}) {
  const { log, lines } = collectingLog();
  const app = applyMiddleware(new Hono<HttpEnv>(), httpServerDeps([], { ports: { log } })).post(
    "/api/count",
    async (c) => c.json({ fields: Object.keys(await jsonBody(c.req.raw, options)).length }),
  );
  return { app, lines };
}
const headers = { ...asPro, "content-type": "application/json" };
/** A JSON object of exactly the given number of bytes. */
const objectOf = (bytes: number) => `{"x":"${"y".repeat(bytes - 8)}"}`;
const stream = (text: string, piece = 64 * 1024) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < text.length; at += piece)
        controller.enqueue(Buffer.from(text.slice(at, at + piece)));
      controller.close();
    },
  });

describe("the size of a body", () => {
  const post = (origin: string, body: string | ReadableStream) =>
    fetch(`${origin}/api/count`, { method: "POST", headers, body, duplex: "half" } as RequestInit);

  it.each([
    ["with a length", (text: string) => text],
    ["in chunks", (text: string) => stream(text)],
  ])("may equal the limit but not exceed it, %s", async (_, sent) => {
    await served(counter().app, async (origin) => {
      expect((await post(origin, sent(objectOf(MAX_BODY_BYTES)))).status).toBe(200);
      const refused = await post(origin, sent(objectOf(MAX_BODY_BYTES + 1)));
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({ code: "BODY_TOO_LARGE", limit_bytes: MAX_BODY_BYTES });
      expect((await post(origin, sent(objectOf(8 * MAX_BODY_BYTES)))).status).toBe(413);
      expect((await post(origin, sent("{}"))).status).toBe(200);
    });
  });

  it("is rejected while a clone of the request is unread", async () => {
    const init = { method: "POST", headers, body: stream(objectOf(MAX_BODY_BYTES + 1)), duplex: "half" };
    const request = new Request("http://127.0.0.1/", init as RequestInit);
    const unread = request.clone();
    await expect(jsonBody(request)).rejects.toMatchObject({ code: "BODY_TOO_LARGE" });
    expect(unread.bodyUsed).toBe(false);
  });

  it("is rejected by its content-length alone", async () => {
    await served(counter().app, async (_, port) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(head(`content-length: ${MAX_BODY_BYTES + 1}`));
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
      socket.destroy();
    });
  });
});

const head = (...lines: string[]) =>
  [
    "POST /api/count HTTP/1.1",
    "host: 127.0.0.1",
    `authorization: Bearer ${KEYS.pro}`,
    "content-type: application/json",
    ...lines,
    "",
    "",
  ].join("\r\n");

describe("the number of values in a body", () => {
  it("may equal the limit but not exceed it", async () => {
    await served(counter().app, async (origin) => {
      const post = (body: string) => fetch(`${origin}/api/count`, { method: "POST", headers, body });
      const listOf = (values: number) => `{"x":[${"1,".repeat(values - 1)}1]}`;
      expect((await post(listOf(MAX_VALUES - 2))).status).toBe(200);
      const refused = await post(listOf(MAX_VALUES));
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({
        code: "BODY_TOO_LARGE",
        limit_values: MAX_VALUES,
        hint: "Send fewer values in one call.",
      });
      expect((await post(`{"x":${"[".repeat(500_000)}`)).status).toBe(413);
    });
  });
});

describe("reading a body", () => {
  it("accepts a body in several pieces", async () => {
    await served(counter().app, async (_, port) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(head("content-length: 13"));
      socket.write('{"a":');
      await once(socket, "ready");
      socket.write('1,"b":2}');
      const [answer] = await once(socket, "data");
      expect(String(answer)).toContain('{"fields":2}');
      socket.destroy();
    });
  });

  it("times out", async () => {
    await served(counter({ ms: 20 }).app, async (_, port) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(`${head("content-length: 100")}{"a"`);
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 504 [\s\S]*"code":"DEADLINE"/);
      socket.destroy();
    });
  });

  it.each(["content-length: 100", "transfer-encoding: chunked"])(
    "handles a connection that breaks off (%s)",
    async (length) => {
      const { app, lines } = counter();
      await served(app, async (origin, port) => {
        const socket = connect(port, "127.0.0.1");
        socket.write(`${head(length)}${length.startsWith("t") ? "4\r\n" : ""}{"a"`);
        await once(socket, "connect");
        socket.resetAndDestroy();
        const next = await fetch(`${origin}/api/count`, { method: "POST", headers, body: '{"a":1}' });
        expect(await next.json()).toEqual({ fields: 1 });
        expect(lines.filter(({ level }) => level === "error")).toEqual([]);
      });
    },
  );
});
