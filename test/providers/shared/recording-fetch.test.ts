import { describe, expect, it } from "vitest";
import type { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { createHttpClient } from "../../../src/providers/shared/http-client.ts";
import { recordingFetch } from "../../../src/providers/shared/recording-fetch.ts";
import { endlessFetch, unreachableFetch } from "../../support/faulty-fetch.ts";

const KEY = "s3cr3t/key+=";

/** The response returned by the fetch, and the recorded files. */
async function recorded(answer: typeof fetch, url: string | URL | Request, init?: RequestInit) {
  const files: Record<string, string> = {};
  const fetch = recordingFetch(answer, (name, text) => Object.assign(files, { [name]: text }), [KEY]);
  const response = await fetch(url, init);
  const text = await response.text();
  const [file] = Object.values(files);
  return { response, text, files, file: JSON.parse(file!) as Record<string, unknown> };
}
const respondWith =
  (body: string | null, init?: ResponseInit): typeof fetch =>
  async () =>
    new Response(body, init);

describe("a recording fetch", () => {
  it("writes every response in order as readable JSON, and returns it unchanged", async () => {
    const files: [string, string][] = [];
    const honest = respondWith('{"price":1.5}', { headers: { "content-type": "application/json" } });
    const fetch = recordingFetch(honest, (...file) => files.push(file));
    const response = await fetch("https://vendor.example/v1/quote/BRK.B?range=5d");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await response.json()).toEqual({ price: 1.5 });
    await fetch(new Request("https://vendor.example/v1/bars"));
    expect(files.map(([name]) => name)).toEqual([
      "001-vendor.example-v1-quote-BRK.B.json",
      "002-vendor.example-v1-bars.json",
    ]);
    expect(files[0]![1]).toBe(
      [
        "{",
        '  "url": "https://vendor.example/v1/quote/BRK.B?range=5d",',
        '  "status": 200,',
        '  "headers": {',
        '    "content-type": "application/json"',
        "  },",
        '  "body": {',
        '    "price": 1.5',
        "  }",
        "}",
        "",
      ].join("\n"),
    );
  });

  it.each([
    '{"price":1.50}',
    '{"id":12345678901234567890}',
    '{ "a": 1 }',
    "Too Many Requests",
    "<html></html>",
    "",
  ])("keeps %j letter for letter", async (body) => {
    const { file, text } = await recorded(respondWith(body), "https://vendor.example/");
    expect([file.body, text]).toEqual([body, body]);
  });

  it.each([
    ["as it is", KEY],
    ["in capitals", KEY.toUpperCase()],
    ["with its slash escaped", KEY.replace("/", "\\/")],
    ["percent-encoded", encodeURIComponent(KEY)],
    ["percent-encoded in small letters", encodeURIComponent(KEY).toLowerCase()],
    ["as of a form", new URLSearchParams({ k: KEY }).toString()],
    ["in base64 after something", Buffer.from(`id:${KEY}`).toString("base64")],
    ["in base64 before something", Buffer.from(`${KEY}:tail`).toString("base64")],
    ["in base64url", Buffer.from(`ab${KEY}`).toString("base64url")],
  ])("hides a key that comes back %s", async (_, echoed) => {
    const { files, text } = await recorded(respondWith(`you said ${echoed}.`), "https://vendor.example/");
    expect(text).toContain(echoed);
    const [written] = Object.values(files);
    expect(written).toContain("REDACTED");
    for (const part of [
      KEY,
      "s3cr3t",
      encodeURIComponent(KEY),
      Buffer.from(KEY).toString("base64").slice(0, 12),
    ])
      expect(written!.toLowerCase()).not.toContain(part.toLowerCase());
  });

  it("writes an error response before the caller discards it", async () => {
    const refusal = respondWith("slow down", { status: 429, headers: { "retry-after": "5" } });
    const files: string[] = [];
    const wire = createHttpClient({
      fetch: recordingFetch(refusal, (_, text) => files.push(text)),
      baseUrl: "https://vendor.example",
    });
    const failure = await wire
      .json("/", { signal: new AbortController().signal })
      .catch((cause: ProviderFailure) => cause);
    expect(failure).toMatchObject({ kind: "rate_limited", retryAfterMs: 5000 });
    expect(JSON.parse(files[0]!)).toMatchObject({
      status: 429,
      headers: { "retry-after": "5" },
      body: "slow down",
    });
  });

  it("returns a response without a body", async () => {
    const { response, file } = await recorded(respondWith(null, { status: 304 }), "https://vendor.example/");
    expect([response.status, response.body, file.body]).toEqual([304, null, ""]);
  });

  it("records a failed connection, and rejects", async () => {
    const files: string[] = [];
    const fetch = recordingFetch(unreachableFetch, (_, text) => files.push(text));
    await expect(fetch("https://vendor.example/")).rejects.toThrow("fetch failed");
    expect(JSON.parse(files[0]!)).toEqual({
      url: "https://vendor.example/",
      status: null,
      headers: {},
      body: null,
    });
  });

  it("redacts keys however they are sent", async () => {
    const url = new URL("https://user:pass@vendor.example/v1/bars?symbol=AAPL");
    for (const name of [
      "apikey",
      "api_key",
      "token",
      "access_token",
      "crumb",
      "X-Signature",
      "x_cg_demo_api_key",
    ])
      url.searchParams.set(name, "open-sesame");
    url.searchParams.set("q", KEY);
    const headers = {
      authorization: "Bearer open-sesame",
      "x-api-key": "open-sesame",
      cookie: "a=open-sesame",
    };
    const { files, file } = await recorded(respondWith("{}"), url, { headers });
    expect(JSON.stringify(files)).not.toMatch(/open-sesame|user|pass|s3cr3t/);
    expect(file.url).toBe(
      "https://vendor.example/v1/bars?symbol=AAPL&apikey=REDACTED&api_key=REDACTED&token=REDACTED&" +
        "access_token=REDACTED&crumb=REDACTED&X-Signature=REDACTED&x_cg_demo_api_key=REDACTED&q=REDACTED",
    );
  });

  it("redacts keys that the provider returns, but returns them to the caller", async () => {
    const body = JSON.stringify({
      Information: `your key ${KEY} has had its calls`,
      access_token: 'open-"sesame',
      apiKey: "open-sesame",
      token: "BTC",
      "X-CG": encodeURIComponent(KEY),
    });
    const headers = { "set-cookie": "a=open-sesame", "x-client-ip": "192.0.2.1", date: KEY };
    const { file, text } = await recorded(respondWith(body, { headers }), `https://vendor.example/${KEY}`);
    expect(JSON.stringify(file)).not.toMatch(/sesame|s3cr3t|192\.0/);
    expect(file).toMatchObject({
      headers: { date: "REDACTED" },
      body: { Information: "your key REDACTED has had its calls", token: "BTC", access_token: "REDACTED" },
    });
    expect(text).toBe(body);
  });

  it("redacts a response that consists only of a key", async () => {
    const { file, text } = await recorded(respondWith("Xy.12"), "https://vendor.example/v1/test/getcrumb");
    expect([file.body, text]).toEqual(["REDACTED", "Xy.12"]);
  });

  it("redacts keys in file names", async () => {
    const { files } = await recorded(
      respondWith("{}"),
      `https://vendor.example/${encodeURIComponent(KEY)}/x`,
    );
    expect(Object.keys(files)).toEqual(["001-vendor.example-REDACTED-x.json"]);
  });

  it("does not read an endless response, which its reader can close", async () => {
    const flood = endlessFetch();
    const files: string[] = [];
    const fetch = recordingFetch(flood, (_, text) => files.push(text));
    const reader = (await fetch("https://vendor.example/")).body!.getReader();
    let size = 0;
    while (size < 12_000_000) size += (await reader.read()).value!.byteLength;
    await reader.cancel();
    expect(JSON.parse(files[0]!)).toMatchObject({ status: 200, body: null });
    expect([flood.cancelled(), flood.sent() < 14_000_000]).toEqual([true, true]);
  });

  it("stops on abort", async () => {
    const leaving = new AbortController();
    const wire = createHttpClient({
      fetch: recordingFetch(
        (_, init) =>
          new Promise((_resolve, reject) =>
            init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
          ),
        () => undefined,
      ),
      baseUrl: "https://vendor.example",
    });
    const requests = wire.json("/", { signal: leaving.signal });
    leaving.abort();
    await expect(requests).rejects.toMatchObject({ kind: "timeout" });
  });
});
