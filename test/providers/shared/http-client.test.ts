import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import type { FailureKind, ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type ResponseInfo,
} from "../../../src/providers/shared/http-client.ts";

const open: { close(): void; closeAllConnections(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A local server in place of a provider. */
async function vendor(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const patient = (): AbortSignal => new AbortController().signal;

/** A request to a provider that responds like this. */
async function requests(
  listener: RequestListener,
  { path = "/", ...request }: Partial<HttpRequest> & { path?: string } = {},
  options: Partial<HttpClientOptions> = {},
): Promise<unknown> {
  const wire = createHttpClient({ fetch, baseUrl: await vendor(listener), ...options });
  return await wire.json(path, { signal: patient(), ...request });
}

async function failure(request: Promise<unknown>): Promise<ProviderFailure> {
  return await request.then(
    () => expect.unreachable("it answered"),
    (cause: ProviderFailure) => {
      expect(cause.name).toBe("ProviderFailure");
      return cause;
    },
  );
}

/** A promise with its resolver. */
function promised(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}

const respondWith =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = "") =>
  (_: unknown, response: ServerResponse): void => {
    response.writeHead(status, headers).end(body);
  };

describe("the HTTP client of a provider", () => {
  it("sends path, query and headers as given", async () => {
    const seen: unknown[] = [];
    const baseUrl = await vendor(({ url, headers }, response) => {
      seen.push(url, headers["x-key"]);
      response.end('{"a":1}');
    });
    const wire = createHttpClient({ fetch, baseUrl: `${baseUrl}/v1///`, headers: { "x-key": "secret" } });
    const query = { symbols: "BRK.B", from: 0, none: undefined, range: "a b&c" };
    expect(await wire.json("/bars", { query, signal: patient() })).toEqual({ status: 200, body: { a: 1 } });
    await wire.json("/bars", { query: { none: undefined }, signal: patient() });
    expect(seen).toEqual(["/v1/bars?symbols=BRK.B&from=0&range=a+b%26c", "secret", "/v1/bars", "secret"]);
  });

  it.each<[number, FailureKind]>([
    [400, "malformed"],
    [401, "auth"],
    [402, "auth"],
    [403, "auth"],
    [404, "malformed"],
    [408, "timeout"],
    [418, "rate_limited"],
    [422, "malformed"],
    [429, "rate_limited"],
    [451, "blocked"],
    [500, "down"],
    [502, "down"],
    [503, "down"],
    [504, "down"],
    [204, "malformed"],
  ])("takes status %i for %s, and says nothing of its body", async (status, kind) => {
    const { kind: found, message } = await failure(
      requests(respondWith(status, {}, '{"message":"do as I say"}')),
    );
    expect([found, message]).toEqual([kind, `status ${status}`]);
  });

  it("reports a firewall's page as blocked", async () => {
    const page = respondWith(
      403,
      { "content-type": "text/html; charset=UTF-8" },
      "<html>Access denied</html>",
    );
    expect(await failure(requests(page))).toMatchObject({ kind: "blocked" });
  });

  it("returns a status that the adapter handles itself", async () => {
    const listener = respondWith(404, {}, '{"error":"no such symbol"}');
    expect(await requests(listener, { accept: [404] })).toEqual({
      status: 404,
      body: { error: "no such symbol" },
    });
  });

  const DATE = "Fri, 20 Nov 2026 15:00:00 GMT";
  it.each<[string, number | null]>([
    ["30", 30_000],
    [" 0 ", 0],
    ["Fri, 20 Nov 2026 15:01:30 GMT", 90_000],
    ["Fri, 20 Nov 2026 14:00:00 GMT", 0],
    ["soon", null],
    ["-1", null],
    ["1.5", null],
    ["1e99", null],
    ["", null],
  ])("waits as long as Retry-After %j says", async (said, retryAfterMs) => {
    for (const status of [429, 503])
      expect(await failure(requests(respondWith(status, { "retry-after": said, date: DATE })))).toMatchObject(
        { retryAfterMs },
      );
  });

  it("ignores a Retry-After date without a Date header", async () => {
    const fetchOfDate: typeof fetch = async () =>
      new Response("", { status: 429, headers: { "retry-after": DATE } });
    const wire = createHttpClient({ fetch: fetchOfDate, baseUrl: "https://vendor.example" });
    expect(await failure(wire.json("/", { signal: patient() }))).toMatchObject({ retryAfterMs: null });
  });

  it("reports the error status even if the body cannot be closed", async () => {
    const body = new ReadableStream({ cancel: () => Promise.reject(new Error("it broke")) });
    const wire = createHttpClient({
      fetch: async () => new Response(body, { status: 429 }),
      baseUrl: "https://vendor.example",
    });
    expect(await failure(wire.json("/", { signal: patient() }))).toMatchObject({ kind: "rate_limited" });
  });

  it.each([301, 302, 303, 307, 308])("does not follow a redirect, status %i", async (status) => {
    const paths: (string | undefined)[] = [];
    const { kind } = await failure(
      requests(({ url }, response) => {
        paths.push(url);
        response.writeHead(status, { location: "/consent" }).end("{}");
      }),
    );
    expect([kind, paths]).toEqual(["blocked", ["/"]]);
  });

  it.each(["<html></html>", "\n  <!doctype html>", "\uFEFF<?xml version='1.0'?>"])(
    "reports %j instead of data as blocked",
    async (page) => {
      expect(await failure(requests(respondWith(200, {}, page)))).toMatchObject({
        kind: "blocked",
        message: "HTML page instead of data",
      });
    },
  );

  it("reads JSON after a byte order mark and whitespace", async () => {
    expect(await requests(respondWith(200, {}, '\uFEFF\r\n {"price":1.5}'))).toMatchObject({
      body: { price: 1.5 },
    });
  });

  it.each(["", "Too Many Requests", '{"price":1.', "{'price':1}", "NaN"])(
    "reports %j as malformed without repeating it",
    async (text) => {
      expect(await failure(requests(respondWith(200, {}, text)))).toMatchObject({
        kind: "malformed",
        message: "response is not JSON",
      });
    },
  );

  it("returns text unchanged", async () => {
    const wire = createHttpClient({ fetch, baseUrl: await vendor(respondWith(200, {}, "<a>é</a>")) });
    expect(await wire.text("/", { signal: patient() })).toEqual({ status: 200, body: "<a>é</a>" });
  });

  it("joins characters that arrive in parts", async () => {
    const bytes = Buffer.from('"€ é"');
    const parts = [bytes.subarray(0, 2), bytes.subarray(2, 6), bytes.subarray(6)];
    const { body } = (await requests(async (_, response) => {
      for (const part of parts) {
        response.write(part);
        await new Promise(setImmediate);
      }
      response.end();
    })) as { body: unknown };
    expect(body).toBe("€ é");
  });

  it("reads up to its limit in bytes, and not one more", async () => {
    const text = JSON.stringify("é".repeat(49)); // 100 bytes
    expect(await requests(respondWith(200, {}, text), {}, { maxBytes: 100 })).toMatchObject({ status: 200 });
    expect(await failure(requests(respondWith(200, {}, text), {}, { maxBytes: 99 }))).toMatchObject({
      kind: "malformed",
      message: "response larger than 99 bytes",
    });
  });

  it("limits the decompressed size of a response", async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000, " "));
    const listener = respondWith(200, { "content-encoding": "gzip" }, bomb);
    expect(bomb.length).toBeLessThan(10_000);
    expect(await failure(requests(listener, {}, { maxBytes: 10_000 }))).toMatchObject({ kind: "malformed" });
  });

  it("disconnects from an endless response", async () => {
    const closed = promised();
    const { kind } = await failure(
      requests(
        (_, response) => {
          const more = (): void => {
            while (response.write("1,".repeat(1000)));
          };
          response.on("drain", more).on("close", closed.resolve);
          more();
        },
        {},
        { maxBytes: 10_000 },
      ),
    );
    await closed.promise;
    expect(kind).toBe("malformed");
  });

  it.each(["before the answer", "within the answer"])("aborts %s", async (when) => {
    const leaving = new AbortController();
    const closed = promised();
    const listener: RequestListener = (_, response) => {
      response.on("close", closed.resolve);
      if (when === "within the answer") response.write('{"a":');
      else leaving.abort();
    };
    const leavingAfterwards: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      leaving.abort();
      return response;
    };
    const request = requests(listener, { signal: leaving.signal }, { fetch: leavingAfterwards });
    expect(await failure(request)).toMatchObject({ kind: "timeout", message: "request timed out" });
    await closed.promise;
  });

  it("makes no call after an abort", async () => {
    const visits: unknown[] = [];
    const request = requests((request) => visits.push(request), { signal: AbortSignal.abort() });
    expect(await failure(request)).toMatchObject({ kind: "timeout" });
    expect(visits).toEqual([]);
  });

  it.each<[string, RequestListener]>([
    ["breaks before an answer", ({ socket }) => socket.destroy()],
    [
      "breaks within an answer",
      ({ socket }, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write('{"a":', () => socket.destroy());
      },
    ],
    ["speaks another protocol", ({ socket }) => socket.end("EHLO vendor\r\n\r\n")],
    ["packs what cannot be unpacked", respondWith(200, { "content-encoding": "gzip" }, "no gzip")],
  ])("calls a vendor down whose connection %s", async (_, listener) => {
    expect(await failure(requests(listener))).toMatchObject({ kind: "down" });
  });

  it("is down if no server listens", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const wire = createHttpClient({ fetch, baseUrl: `http://127.0.0.1:${port}` });
    expect(await failure(wire.json("/", { signal: patient() }))).toMatchObject({
      kind: "down",
      message: "connection failed",
    });
  });

  it("returns bytes unchanged, and no more than the limit", async () => {
    const sent = Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xff, 0x00, 0x80]);
    const baseUrl = await vendor(respondWith(200, {}, sent));
    const read = await createHttpClient({ fetch, baseUrl }).bytes("/", { signal: patient() });
    expect([read.status, ...read.body]).toEqual([200, ...sent]);
    const short = createHttpClient({ fetch, baseUrl, maxBytes: 6 });
    expect(await failure(short.bytes("/", { signal: patient() }))).toMatchObject({ kind: "malformed" });
  });

  it("reports status and clock of every response", async () => {
    const responses: ResponseInfo[] = [];
    const options = { onResponse: (word: ResponseInfo) => responses.push(word) };
    await requests(respondWith(200, { date: DATE }, "{}"), {}, options);
    await failure(requests(respondWith(429, { date: DATE }), {}, options));
    await requests(respondWith(200, { date: "yesterday" }, "{}"), {}, options);
    expect(responses).toEqual([
      { status: 200, providerClock: Date.UTC(2026, 10, 20, 15) },
      { status: 429, providerClock: Date.UTC(2026, 10, 20, 15) },
      { status: 200, providerClock: null },
    ]);
  });
});

describe("redirects within a provider's domain", () => {
  /** A client whose responses are chosen by the requested URL; others are 200 with `{}`. */
  function following(locations: Readonly<Record<string, string>>, domain = "vendor.example") {
    const seen: { url: string; headers: Record<string, string>; redirect: unknown }[] = [];
    const client = createHttpClient({
      baseUrl: "https://old.vendor.example",
      headers: { accept: "application/json", "user-agent": "agent", "x-key": "secret", cookie: "a=b" },
      redirectsWithin: domain,
      fetch: async (input, init) => {
        const url = String(input);
        const headers = Object.fromEntries(new Headers(init?.headers));
        seen.push({ url, headers, redirect: init?.redirect });
        const location = locations[url];
        return location === undefined
          ? new Response("{}")
          : new Response("moved", { status: 307, headers: { location } });
      },
    });
    const get = () => client.json("/a", { query: { key: "q" }, signal: patient() });
    return { seen, client, get };
  }
  const FIRST = "https://old.vendor.example/a?key=q";

  it("are followed to another host without keys, and each of them by an own request", async () => {
    const { seen, get } = following({ [FIRST]: "https://new.vendor.example/b" });
    expect(await get()).toEqual({ status: 200, body: {} });
    expect(seen.map(({ url, redirect }) => [url, redirect])).toEqual([
      [FIRST, "manual"],
      ["https://new.vendor.example/b", "manual"],
    ]);
    expect(seen[0]!.headers).toMatchObject({ "x-key": "secret", cookie: "a=b" });
    expect(seen[1]!.headers).toEqual({ accept: "application/json", "user-agent": "agent" });
  });

  it("keep all headers on the same host", async () => {
    const { seen, get } = following({ [FIRST]: "/b" });
    await get();
    expect(seen.map(({ url }) => url)).toEqual([FIRST, "https://old.vendor.example/b"]);
    expect(seen[1]!.headers).toEqual(seen[0]!.headers);
  });

  it.each([
    "https://evil.example/a",
    "https://vendor.example.evil.example/a",
    "https://evilvendor.example/a",
    "http://new.vendor.example/a",
    "https://new.vendor.example:8443/a",
    "https://user:password@new.vendor.example/a",
    "//evil.example/a",
    "https://",
  ])("are refused to %s", async (location) => {
    const { seen, get } = following({ [FIRST]: location });
    expect(await failure(get())).toMatchObject({ kind: "blocked", message: "status 307" });
    expect(seen).toHaveLength(1);
  });

  it("end after four, and are not followed from a host outside the domain or for a POST", async () => {
    const circle = following({ [FIRST]: "/b", "https://old.vendor.example/b": "/b" });
    expect((await failure(circle.get())).kind).toBe("blocked");
    expect(circle.seen).toHaveLength(5);
    const standIn = following({ [FIRST]: "https://new.other.example/b" }, "other.example");
    expect((await failure(standIn.get())).kind).toBe("blocked");
    const post = following({ "https://old.vendor.example/a": "/b" });
    const sent = post.client.json("/a", { jsonBody: {}, signal: patient() });
    expect([(await failure(sent)).kind, post.seen.length]).toEqual(["blocked", 1]);
  });
});

it("sends a form by POST", async () => {
  const seen: unknown[] = [];
  const baseUrl = await vendor(({ method, headers }, response) => {
    seen.push(method, headers["content-type"]);
    response.end("{}");
  });
  const wire = createHttpClient({ fetch, baseUrl });
  await wire.json("/", { formBody: new URLSearchParams({ agree: "agree" }), signal: patient() });
  expect(seen).toEqual(["POST", "application/x-www-form-urlencoded;charset=UTF-8"]);
});
