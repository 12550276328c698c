import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tracedFetch } from "../../src/app/providers/traced-fetch.ts";
import { openTracing } from "../../src/app/tracing.ts";
import { traced } from "../../src/domain/tracing-port.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { storeTransaction } from "../../src/store/transactions.ts";
import { collectingLog } from "../support/context.ts";
import { type Installation, install } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { speaker } from "../transports/a2a/fixture.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const traceparent = `00-${TRACE}-${CALLER}-01`;
const OTHER = "0af7651916cd43dd8448eb211c80319c";

interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, string> }[];
  readonly links?: readonly { readonly traceId: string }[];
  readonly status: { readonly code?: number };
}

/** A receiver of OTLP over HTTP, as a collector is. */
async function openReceiver() {
  const bodies: any[] = [];
  let answer = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push({
      path: request.url,
      type: request.headers["content-type"],
      json: JSON.parse(Buffer.concat(chunks).toString()),
    });
    response.writeHead(answer, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    answerWith: (status: number) => {
      answer = status;
    },
    spans: (): ReceivedSpan[] =>
      bodies.flatMap(({ json }) =>
        json.resourceSpans.flatMap(({ scopeSpans }: any) => scopeSpans.flatMap(({ spans }: any) => spans)),
      ),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe("traces", () => {
  const { dir, remove } = suiteDir();
  const { log, lines } = collectingLog();
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  let installation: Installation;
  let tracer: NonNullable<Awaited<ReturnType<typeof openTracing>>>;

  beforeAll(async () => {
    receiver = await openReceiver();
    tracer = (await openTracing(
      { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/` },
      { log, sendEveryMs: 20 },
    ))!;
    installation = await install(dir, "sample", {}, { log, tracer });
  }, 60_000);
  afterAll(async () => {
    await installation.stop();
    await tracer.close();
    await receiver.close();
    remove();
  });

  const received = (name: string) => receiver.spans().filter((span) => span.name === name);
  /** Waits until a span with this name and trace has arrived. */
  const arrival = async (name: string, traceId?: string): Promise<ReceivedSpan> => {
    const find = () => received(name).find((span) => traceId === undefined || span.traceId === traceId);
    await expect.poll(find, { timeout: 15_000 }).toBeDefined();
    return find()!;
  };

  it("follow the trace of a REST call through its request, its tool and its transactions", async () => {
    const { send } = await speaker(installation, "pro", ["read", "write"]);
    await send("/api/v1/watchlists/secret-name", {
      method: "POST",
      headers: { traceparent, "content-type": "application/json" },
      body: JSON.stringify({ symbols: ["AAPL"] }),
    });
    const request = await arrival("POST /api/v1/watchlists/:name", TRACE);
    const call = await arrival("tool save_watchlist", TRACE);
    const transaction = received("store transaction").find(
      ({ parentSpanId }) => parentSpanId === call.spanId,
    );
    expect([request.parentSpanId, call.parentSpanId]).toEqual([CALLER, request.spanId]);
    expect([request.kind, attributesOf(request)]).toEqual([
      2,
      {
        "http.request.method": "POST",
        "http.response.status_code": 200,
        "http.route": "/api/v1/watchlists/:name",
      },
    ]);
    expect(attributesOf(call)).toEqual({ tool: "save_watchlist", transport: "rest" });
    expect(transaction).toMatchObject({ traceId: TRACE, status: {} });
    const logged = lines.find(({ event, fields }) => event === "call" && fields?.tool === "save_watchlist");
    expect(logged?.fields).toMatchObject({ trace_id: TRACE, span_id: call.spanId });
  });

  it("follow the trace of _meta in MCP, linked to that of the request, and name the code of a failure", async () => {
    const { post } = await speaker(installation);
    await post(
      "/api/mcp",
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "get_quote",
          arguments: { symbol: "NOSUCHSYMBOL" },
          _meta: { traceparent: `00-${OTHER}-${CALLER}-01` },
        },
      },
      { traceparent, accept: "application/json, text/event-stream" },
    );
    const call = await arrival("tool get_quote", OTHER);
    expect(call).toMatchObject({ parentSpanId: CALLER, links: [{ traceId: TRACE }], status: { code: 2 } });
    expect(attributesOf(call)).toEqual({
      tool: "get_quote",
      transport: "mcp",
      "error.type": "UNKNOWN_SYMBOL",
    });
  });

  it("record nothing of a caller who does not record, and nothing of what is asked", async () => {
    const { send, key, account } = await speaker(installation);
    const silent = "11111111111111111111111111111111";
    await send("/api/v1/quote/MSFT", { headers: { traceparent: `00-${silent}-${CALLER}-00` } });
    await send("/api/v1/quote/MSFT?x=secret", {
      headers: { traceparent: `00-${"2".repeat(32)}-${CALLER}-01` },
    });
    await arrival("tool get_quote", "2".repeat(32));
    const text = JSON.stringify(receiver.bodies);
    for (const secret of [silent, "MSFT", "NOSUCHSYMBOL", "secret", key, account])
      expect(text).not.toContain(secret);
    const [{ path, type, json }] = receiver.bodies;
    expect([path, type]).toEqual(["/v1/traces", "application/json"]);
    const { attributes } = json.resourceSpans[0].resource;
    expect(attributes.map(({ key }: { key: string }) => key)).toEqual([
      "service.name",
      "service.version",
      "service.instance.id",
    ]);
  });

  it("record a request to a provider by its name, and send it nothing of the trace", async () => {
    const sent: unknown[] = [];
    const fetching = tracedFetch(
      () => "provider-one",
      async (...call) => {
        sent.push(...call);
        if (sent.length > 2) throw new DOMException("late", "TimeoutError");
        return new Response("", { status: 429 });
      },
      tracer,
    );
    await traced(tracer, "job nightly", {}, () =>
      fetching("https://data.example/AAPL?key=secret", { headers: {} }),
    );
    await expect(fetching("https://data.example/")).rejects.toThrow("late");
    expect(sent.slice(0, 2)).toEqual(["https://data.example/AAPL?key=secret", { headers: {} }]);
    const job = await arrival("job nightly");
    await expect.poll(() => received("provider fetch").length, { timeout: 15_000 }).toBe(2);
    const [first, second] = received("provider fetch");
    expect(first).toMatchObject({ traceId: job.traceId, parentSpanId: job.spanId, kind: 3 });
    expect(attributesOf(first!)).toEqual({
      provider: "provider-one",
      "http.response.status_code": 429,
      "error.type": "429",
    });
    expect(attributesOf(second!)).toEqual({ provider: "provider-one", "error.type": "TimeoutError" });
  });

  it("record a transaction that is rolled back as a failure, and its error is passed on", async () => {
    const failing = storeTransaction(installation.app.store.db, async () => {
      throw new ToolError("CONFLICT", "No");
    });
    await expect(failing).rejects.toThrow("No");
    await expect
      .poll(() => received("store transaction").some(({ status }) => status.code === 2), { timeout: 15_000 })
      .toBe(true);
  });

  it("are lost with one warning while the receiver refuses them, and the server goes on", async () => {
    const { send } = await speaker(installation);
    receiver.answerWith(400);
    const warnings = () => lines.filter(({ event }) => event === "traces_not_sent").length;
    for (let n = 0; n < 2; n++) {
      const before = receiver.bodies.length;
      expect((await send("/api/v1/health")).status).toBe(200);
      await expect.poll(() => receiver.bodies.length, { timeout: 15_000 }).toBeGreaterThan(before);
    }
    await expect.poll(warnings, { timeout: 15_000 }).toBe(1);
    receiver.answerWith(200);
  });
});

it("nothing is traced without the setting", async () => {
  expect(await openTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: undefined }, collectingLog())).toBeNull();
});
