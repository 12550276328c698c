import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { beforeEach, describe, expect, it } from "vitest";
import { serveMcpStdio } from "../../../src/transports/mcp/stdio.ts";
import { useInstallation } from "../../support/installation.ts";
import { describeWithData } from "../../support/test-data.ts";
import { until } from "./fixture.ts";
import { owner } from "./piped.ts";

const LEGACY = ["2025-03-26", "2025-06-18", "2025-11-25"] as const;
const MODERN = "2026-07-28";
const REVISIONS = ["2024-11-05", ...LEGACY, MODERN] as const;
const BOTH = "application/json, text/event-stream";
const PREFIX = "io.modelcontextprotocol/";
const META = {
  [`${PREFIX}protocolVersion`]: MODERN,
  [`${PREFIX}clientInfo`]: { name: "t", version: "1" },
  [`${PREFIX}clientCapabilities`]: {},
};

const installation = useInstallation("sample");
let key: string;
beforeEach(async () => {
  ({ key } = await installation.key("pro")); // each test has its own burst window
}, 60_000);

/** A message of a client; its params have the envelope of 2026-07-28 in that revision. */
interface Message {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: Record<string, unknown> | null;
}

/** Sends a message as a client of a revision does. `accept`: null sends no such header. */
async function post(revision: string, accept: string | null, message: Message | readonly Message[]) {
  const isModern = revision === MODERN;
  const written = (one: Message) => ({
    jsonrpc: "2.0",
    id: 1,
    ...one,
    ...(isModern && { params: { ...one.params, _meta: { ...META, ...(one.params?._meta as object) } } }),
  });
  const { method = "", params } = (Array.isArray(message) ? {} : message) as Partial<Message>;
  const response = await fetch(`${installation.url}/api/mcp?toolsets=all`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      // fetch adds a header of its own unless one is given
      accept: accept ?? "",
      ...(method !== "initialize" && { "mcp-protocol-version": revision }),
      ...(isModern && {
        "mcp-method": method,
        ...(params?.name !== undefined && { "mcp-name": String(params.name) }),
      }),
    },
    body: JSON.stringify(Array.isArray(message) ? message.map(written) : written(message as Message)),
  });
  const type = response.headers.get("content-type")?.split(";")[0] ?? null;
  const text = await response.text();
  const messages = (
    type === "text/event-stream"
      ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
      : [text === "" ? null : JSON.parse(text)]
  ) as any[];
  return { status: response.status, type, messages, last: messages.at(-1) };
}

const initialize = (protocolVersion: string): Message => ({
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } },
});
const quote = { name: "get_quote", arguments: { symbol: "AAPL" } };
const scan = { name: "scan_symbols", arguments: { symbols: ["AAPL", "MSFT"] } };
const CALLS: readonly (readonly [string, Message])[] = [
  ["tools/list", { method: "tools/list" }],
  ["tools/call", { method: "tools/call", params: quote }],
  // progress leads a call through the SDK
  ["tools/call with progress", { method: "tools/call", params: { ...scan, _meta: { progressToken: 1 } } }],
  ["prompts/list", { method: "prompts/list" }],
];
const messagesOf = (revision: string) =>
  revision === MODERN ? CALLS : [["initialize", initialize(revision)] as const, ...CALLS];

describe.each(REVISIONS)("the Accept header in revision %s", (revision) => {
  it.each([
    null,
    "application/json",
    "Application/JSON; charset=utf-8",
    "*/*",
    "*",
    "application/*",
    "text/*",
    "text/html, */*;q=0.1",
    "application/json, text/event-stream;q=0",
    "application/json;q=0.5, */*;q=0.001",
  ])("%j is answered by JSON", async (accept) => {
    for (const [name, message] of messagesOf(revision)) {
      const { status, type, messages } = await post(revision, accept, message);
      expect([name, status, type, messages.length], accept ?? "").toEqual([name, 200, "application/json", 1]);
      expect(messages[0].result, name).toBeTypeOf("object");
      expect(messages[0].id).toBe(1);
    }
  });

  it.each([
    "text/html",
    "image/*",
    "application/json;q=0",
    "*/*;q=0",
    "application/json;q=0, text/event-stream;q=0, */*",
  ])("%j is refused with the header to send", async (accept) => {
    for (const [name, message] of messagesOf(revision)) {
      const { status, type, last } = await post(revision, accept, { ...message, id: "a" });
      expect([name, status, type], accept).toEqual([name, 406, "application/json"]);
      expect(last).toEqual({
        jsonrpc: "2.0",
        id: "a",
        error: {
          code: -32000,
          message:
            "Not acceptable: the response is JSON or an event stream. Send the header Accept: application/json, text/event-stream, or application/json alone for JSON without progress",
        },
      });
    }
  });

  it.each(["text/event-stream", "text/event-stream, application/json;q=0", "application/json;q=0, text/*"])(
    "%j is answered by an event stream",
    async (accept) => {
      for (const [name, message] of messagesOf(revision)) {
        const { status, type, last } = await post(revision, accept, message);
        expect([name, status, type], accept).toEqual([name, 200, "text/event-stream"]);
        expect(last.result, name).toBeTypeOf("object");
      }
    },
  );

  it("for both is answered as before, with the progress of a call", async () => {
    const [, , [, slow]] = CALLS as any;
    const { type, messages } = await post(revision, BOTH, slow);
    expect(type).toBe("text/event-stream");
    expect(messages.length).toBeGreaterThan(1);
    const list = await post(revision, BOTH, { method: "tools/list" });
    expect(list.type).toBe(revision === MODERN ? "application/json" : "text/event-stream");
  });
});

describe("a response as JSON", () => {
  it("to a batch is a list, also of one response", async () => {
    const ping: Message = { id: "a", method: "ping" };
    const one = await post("2025-03-26", "application/json", [ping]);
    expect(one.last).toEqual([{ jsonrpc: "2.0", id: "a", result: {} }]);
    const two = await post("2025-03-26", "application/json", [ping, { id: 2, method: "tools/list" }]);
    expect(two.last.map(({ id }: any) => id).sort()).toEqual([2, "a"]);
  });

  it("is refused for a method that is answered by an endless stream", async () => {
    const listen: Message = { method: "subscriptions/listen", params: { notifications: {} } };
    const { status, last } = await post(MODERN, "application/json", listen);
    expect([status, last.error.message]).toEqual([
      406,
      "Not acceptable: subscriptions/listen is answered by an event stream. Send the header Accept: application/json, text/event-stream",
    ]);
  });

  it("never waits for an answer of the user", async () => {
    const opened = await fetch(`${installation.url}/api/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 0,
        ...initialize("2025-06-18"),
        params: { ...initialize("2025-06-18").params, capabilities: { elicitation: {} } },
      }),
    });
    const session = opened.headers.get("mcp-session-id")!;
    const asked = await fetch(`${installation.url}/api/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json",
        "mcp-session-id": session,
        "mcp-protocol-version": "2025-06-18",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_quote", arguments: { symbol: "BTC" } },
      }),
    });
    const { result } = (await asked.json()) as any;
    expect(asked.headers.get("content-type")).toBe("application/json");
    expect(result.content[0].type).toBe("text");
  });
});

interface ReportedMessage {
  readonly id: string;
  readonly headers: { readonly accept: string };
  readonly body: Message & { readonly id: unknown };
}

/** The right answer to each report, as seen in its result. */
const RIGHT: Readonly<Record<string, (result: any) => unknown>> = {
  "accept-json-only": (result) => expect(result.serverInfo.name).toBe("market-signal"),
  "accept-anything": (result) => expect(result.serverInfo.name).toBe("market-signal"),
  "arguments-null": (result) => expect(result.structuredContent).toMatchObject({ ok: true }),
  "params-null": (result) => expect(result.tools.length).toBeGreaterThan(20),
  "guard-tools-call-without-arguments": (result) =>
    expect(result.structuredContent).toMatchObject({ ok: true }),
  "guard-list-as-json-text": (result) =>
    expect(result.structuredContent.results.map(({ symbol }: any) => symbol).sort()).toEqual([
      "AAPL",
      "MSFT",
    ]),
  "n8n-extra-argument": (result) => {
    expect(result.structuredContent).toMatchObject({ ok: true, symbol: "AAPL" });
    expect(result.content[0].text).toMatch(/Not applied: get_quote has no field "toolCallId"/);
  },
  "optional-empty-text": (result) => expect(result.structuredContent.bars).toHaveLength(2),
};

describeWithData("reported messages", ["reports", "messages", "mcp.json"], (path) => {
  const reports = JSON.parse(readFileSync(path, "utf8")) as ReportedMessage[];

  it("each have a right answer", () => {
    expect(reports.map(({ id }) => id).sort()).toEqual(Object.keys(RIGHT).sort());
  });

  it.each(LEGACY.flatMap((revision) => reports.map((report) => [revision, report.id, report] as const)))(
    "are answered in revision %s over HTTP: %s",
    async (revision, id, { headers, body }) => {
      const message =
        body.method === "initialize"
          ? { ...body, params: { ...body.params, protocolVersion: revision } }
          : body;
      const { status, type, last } = await post(revision, headers.accept, message);
      expect([status, last.id]).toEqual([200, body.id]);
      expect(type).toBe(headers.accept === BOTH ? "text/event-stream" : "application/json");
      RIGHT[id]!(last.result);
    },
  );

  it.each(
    reports
      .filter(({ body: { method } }) => method === "tools/call")
      .map((report) => [report.id, report] as const),
  )("are answered in revision 2026-07-28 over HTTP: %s", async (id, { headers, body }) => {
    const { status, last } = await post(MODERN, headers.accept, body);
    expect([status, last.id]).toEqual([200, body.id]);
    RIGHT[id]!(last.result);
  });

  it.each(LEGACY)("are answered in revision %s over stdio", async (revision) => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const { registry, ports } = installation.app;
    const served = serveMcpStdio({
      ...{ registry, ports, version: "0.0.0", principal: owner, stdin, stdout },
      toolsets: ["all"],
    });
    const lines: string[] = [];
    let rest = "";
    stdout.on("data", (chunk) => {
      const [last = "", ...whole] = (rest + String(chunk)).split("\n").reverse();
      rest = last;
      lines.push(...whole.reverse());
    });
    const ask = async (message: object) => {
      const count = lines.length;
      stdin.write(`${JSON.stringify(message)}\n`);
      await until(() => lines.length > count);
      return JSON.parse(lines[count]!);
    };
    await ask({ jsonrpc: "2.0", id: 0, ...initialize(revision) });
    for (const { id, body } of reports) {
      if (body.method === "initialize") continue;
      const answer = await ask({ ...body, id: `${id}` });
      expect(answer.id).toBe(id);
      RIGHT[id]!(answer.result);
    }
    stdin.end();
    await served;
  });
});

describe("an id", () => {
  it.each([0, -1, 1, "1", "", 2 ** 53 - 1])("%j is repeated as it is", async (id) => {
    for (const revision of [...LEGACY, MODERN])
      for (const accept of [BOTH, "application/json"]) {
        expect((await post(revision, accept, { id, method: "tools/list" })).last.id).toBe(id);
        const call = { id, method: "tools/call", params: { ...quote, _meta: { progressToken: 1 } } };
        expect((await post(revision, accept, call)).last.id).toBe(id);
      }
  });

  it.each([2 ** 53, -(2 ** 53), null, true, {}])("%j is refused, and not repeated", async (id) => {
    for (const revision of LEGACY) {
      const { status, last } = await post(revision, "application/json", { id, method: "tools/list" });
      expect([status, last.id, last.error.code < 0]).toEqual([400, null, true]);
    }
  });
});
