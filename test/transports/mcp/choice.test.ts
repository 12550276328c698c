import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { nameInstrument, orderInstrument } from "./ambiguous-tool.ts";
import { info, sseOptions } from "./clients.ts";
import { bearer, setup, toolFixture, until } from "./fixture.ts";
import { piped } from "./piped.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const tools = { nameInstrument, orderInstrument };

async function served(path: string) {
  const made = setup({}, {}, tools);
  const server = await made.listen();
  ends.push(server.stop);
  return server.url(path);
}

interface Question {
  readonly message: string;
  readonly requestedSchema: object;
}
interface Answer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string>;
}
type Respond = (question: Question) => Answer | Promise<Answer>;
interface Connected {
  call(input: object, name?: string): Promise<{ readonly [field: string]: unknown }>;
}

async function connectNew(
  transport: Transport,
  mode: "auto" | "legacy",
  respond: Respond | null,
): Promise<Connected> {
  const client = new Client(info, {
    versionNegotiation: { mode },
    capabilities: respond === null ? {} : { elicitation: {} },
  });
  if (respond !== null)
    client.setRequestHandler("elicitation/create", async ({ params }) => ({
      ...(await respond(params as Question)),
    }));
  await client.connect(transport);
  ends.push(() => client.close());
  return { call: (input, name = "name_instrument") => client.callTool({ name, arguments: { ...input } }) };
}

async function connectOld(transport: object, respond: Respond | null): Promise<Connected> {
  const client = new OldClient(info, { capabilities: respond === null ? {} : { elicitation: {} } });
  if (respond !== null)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
      ...(await respond(params as Question)),
    }));
  await client.connect(transport as never);
  ends.push(() => client.close());
  return { call: (input, name = "name_instrument") => client.callTool({ name, arguments: { ...input } }) };
}

const overHttp = async () =>
  new StreamableHTTPClientTransport(await served("/api/mcp?toolsets=all"), { requestInit: bearer("pro") });
const overSse = async () => new SSEClientTransport(await served("/api/mcp/sse?toolsets=all"), sseOptions);
const overStdio = () => {
  const server = piped({ toolsets: ["all"] }, toolFixture({}, tools));
  ends.push(() => server.served);
  return server.transport;
};

const CLIENTS: readonly [string, (respond: Respond | null) => Promise<Connected>][] = [
  [
    "streamable HTTP, 1.32",
    async (respond) => {
      const url = await served("/api/mcp?toolsets=all");
      return connectOld(new OldTransport(url, { requestInit: bearer("pro") }), respond);
    },
  ],
  ["streamable HTTP, 2.4 of 2025-11-25", async (respond) => connectNew(await overHttp(), "legacy", respond)],
  ["streamable HTTP, 2.4 of 2026-07-28", async (respond) => connectNew(await overHttp(), "auto", respond)],
  ["HTTP+SSE, 2.4", async (respond) => connectNew(await overSse(), "legacy", respond)],
  ["stdio, 1.32", (respond) => connectOld(overStdio(), respond)],
  ["stdio, 2.4 of 2025-11-25", (respond) => connectNew(overStdio(), "legacy", respond)],
  ["stdio, 2.4 of 2026-07-28", (respond) => connectNew(overStdio(), "auto", respond)],
];

const chooses =
  (symbol: string): Respond =>
  () => ({ action: "accept", content: { symbol } });

describe.each(CLIENTS)("a client over %s", (_, connect) => {
  it("is asked what an ambiguous symbol means, and gets the result of the choice", async () => {
    const questions: Question[] = [];
    const client = await connect((question) => {
      questions.push(question);
      return { action: "accept", content: { symbol: "BTC.US" } };
    });
    expect(await client.call({ symbol: "BTC", note: "kept" })).toMatchObject({
      structuredContent: { symbol: "BTC.US", note: "kept" },
    });
    expect(questions).toEqual([
      expect.objectContaining({
        message:
          '"BTC" has several meanings: BTC-USD (Bitcoin, crypto), BTC.US (Grayscale Bitcoin Mini Trust, etf). Which one do you mean?',
        requestedSchema: {
          type: "object",
          properties: { symbol: { type: "string", title: "Symbol", enum: ["BTC-USD", "BTC.US"] } },
          required: ["symbol"],
        },
      }),
    ]);
  });

  it("is asked for a symbol under another name, and through call_tool", async () => {
    const client = await connect(chooses("BTC-USD"));
    const chosen = { structuredContent: { symbol: "BTC-USD" } };
    expect(await client.call({ ticker: "BTC" })).toMatchObject(chosen);
    const call = { name: "name_instrument", arguments: JSON.stringify({ symbol: "BTC" }) };
    expect(await client.call(call, "call_tool")).toMatchObject(chosen);
  });

  it.each(["decline", "cancel"] as const)("gets the error if its user answers with %s", async (action) => {
    const client = await connect(() => ({ action }));
    expect(await client.call({ symbol: "BTC" })).toMatchObject({
      isError: true,
      content: [{ text: /INVALID_INPUT: "BTC" names several instruments/ }],
    });
  });

  it("gets the error if it cannot ask", async () => {
    const client = await connect(null);
    expect(await client.call({ symbol: "BTC" })).toMatchObject({
      isError: true,
      content: [{ text: /names several instruments/ }],
    });
  });

  it("is not asked about an unknown symbol, a clear one, or an order", async () => {
    const client = await connect(() => {
      throw new Error("asked");
    });
    expect(await client.call({ symbol: "AAPL" })).toMatchObject({ structuredContent: { symbol: "AAPL" } });
    expect(await client.call({ symbol: "BTCC" })).toMatchObject({ content: [{ text: /UNKNOWN_SYMBOL/ }] });
    expect(await client.call({ symbol: "BTC" }, "order_instrument")).toMatchObject({
      content: [{ text: /INVALID_INPUT/ }],
    });
  });

  it("answers each of several questions", async () => {
    const waiting: (() => void)[] = [];
    const symbols = ["BTC.US", "BTC-USD"];
    const client = await connect(async () => {
      const symbol = symbols.pop()!;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 2) for (const each of waiting.reverse()) each();
      });
      return { action: "accept", content: { symbol } };
    });
    const results = await Promise.all([client.call({ symbol: "BTC" }), client.call({ symbol: "BTC" })]);
    const chosen = results.map(({ structuredContent }) => (structuredContent as { symbol: string }).symbol);
    expect(chosen.sort()).toEqual(["BTC-USD", "BTC.US"]);
  });
});

it("ends a question when the server closes", async () => {
  const made = setup({}, {}, tools);
  const server = await made.listen();
  ends.push(server.stop);
  const transport = new StreamableHTTPClientTransport(server.url("/api/mcp?toolsets=all"), {
    requestInit: bearer("pro"),
  });
  let asked = false;
  const client = await connectNew(transport, "legacy", () => {
    asked = true;
    return new Promise(() => {});
  });
  const call = client.call({ symbol: "BTC" });
  await until(() => asked);
  expect(made.mcp.running()).toBe(1);
  await made.mcp.close();
  expect(await call).toMatchObject({ isError: true, content: [{ text: /names several instruments/ }] });
  expect(made.mcp.running()).toBe(0);
});

it("refuses a choice that was not offered", async () => {
  const client = await connectNew(await overHttp(), "legacy", chooses("AAPL"));
  expect(await client.call({ symbol: "BTC" })).toMatchObject({ isError: true });
});
