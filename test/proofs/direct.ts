import { createMcpHandler } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { connectionToolsOf } from "../../src/transports/mcp/connection-tools.ts";
import { createDirectCalls } from "../../src/transports/mcp/direct.ts";
import { hasPlainHeaders, serveDirect } from "../../src/transports/mcp/direct-http.ts";
import { createExchanges } from "../../src/transports/mcp/exchange.ts";
import { respondInForm, responseFormOf } from "../../src/transports/mcp/response-form.ts";
import { mcpServer } from "../../src/transports/mcp/server.ts";
import type { McpServerDeps } from "../../src/transports/mcp/server-deps.ts";
import { input, nastyText, nastyValue } from "./from-schema.ts";
import type { Proof } from "./proof.ts";
import { ACCEPT, openProofServer, type ProofServer } from "./proof-server.ts";
import { type Listed, mostly, usually } from "./rpc.ts";

const REQUESTS = { quick: 400, full: 10_000 } as const;
const CHUNK = 200;
/** Requests of one account, each counted twice; below its limit per minute. */
const REQUESTS_OF_ACCOUNT = 250;
const SHOWN_CHARS = 300;
const HEADERS = ["content-type", "cache-control", "x-accel-buffering"] as const;
const MODERN = "2026-07-28";
const PREFIX = "io.modelcontextprotocol/";
const ENVELOPE = {
  [`${PREFIX}protocolVersion`]: MODERN,
  [`${PREFIX}clientInfo`]: { name: "proof", version: "1.0.0" },
  [`${PREFIX}clientCapabilities`]: {},
};

interface McpRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/**
 * Answers examples and generated requests directly, then through the SDK with tools that repeat their last outcome.
 */
export const direct: Proof = {
  name: "direct",
  claim: "MCP requests that are answered without the SDK get the response of the SDK, byte for byte",

  async run({ scale, seed, report }) {
    const replay = { active: false };
    const server = await openProofServer(
      mapValues<Tool>(catalogue, (tool) => repeatable(tool, replay)),
      { ran: false },
    );
    try {
      const { tools } = server.app.registry;
      const { respondDirectly, respondBySdk, listed } = respondersOf(server);
      const broken: string[] = [];
      let sent = 0;
      let answered = 0;
      let principal: Principal;
      const compare = async (request: McpRequest) => {
        if (sent++ % REQUESTS_OF_ACCOUNT === 0) {
          const { key } = await server.key("enterprise");
          principal = await server.app.authenticate(key, "10.0.0.1");
        }
        replay.active = false;
        const response = await respondDirectly(request, principal);
        if (response === null) return;
        answered++;
        replay.active = true;
        const fault = difference(response, await respondBySdk(request, principal));
        if (fault !== null) broken.push(`${request.body.slice(0, SHOWN_CHARS)}: ${fault}`);
      };
      for (const { name, examples } of tools)
        for (const { input: args } of examples)
          for (const revision of ["2025-03-26", "2025-11-25", MODERN])
            await compare(requestOf(revision, "tools/call", { name, arguments: args }));
      const examples = answered;
      if (examples !== sent) broken.push(`${sent - examples} examples are not answered directly`);
      const requests = fuzzedRequests(listed, tools);
      for (let done = 0; done < REQUESTS[scale]; done += CHUNK) {
        for (const request of fc.sample(requests, { seed: seed + done, numRuns: CHUNK }))
          await compare(request);
        if (done % 1_000 === 0) report(`${done} requests, ${broken.length} broken`);
      }
      const fuzzed = answered - examples;
      if (fuzzed < REQUESTS[scale] / 2) broken.push(`only ${fuzzed} requests are answered directly`);
      broken.push(...server.errors);
      return {
        figure: `${examples} examples and ${REQUESTS[scale]} generated requests, ${fuzzed} of them answered directly: ${broken.length} differences`,
        broken,
      };
    } finally {
      await server.stop();
    }
  },
};

/** Returns the part where the second text first differs; null if they are equal. */
function difference(first: string, second: string): string | null {
  if (first === second) return null;
  const at = Math.max(0, [...first].findIndex((char, i) => char !== second[i]) - 80);
  return `${first.slice(at, at + SHOWN_CHARS)} instead of ${second.slice(at, at + SHOWN_CHARS)}`;
}

/** Returns the tool with a handler that, while `replay` is active, repeats the last outcome for the same input. */
function repeatable(tool: Tool, replay: { readonly active: boolean }): Tool {
  const outcomes = new Map<string, Promise<Record<string, unknown>>>();
  return {
    ...tool,
    handler(given, ports) {
      const key = JSON.stringify(given);
      const known = replay.active ? outcomes.get(key) : undefined;
      if (known !== undefined) return known;
      const outcome = (async () => tool.handler(given, ports))();
      outcomes.set(key, outcome);
      return outcome;
    },
  };
}

const mapValues = <T>(values: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

/** Calls through `call_tool`, which is listed without a definition. */
const CALL_TOOL_EXAMPLES = [
  { name: "get_quota", arguments: "{}" },
  { name: "get_quote", arguments: { symbol: "AAPL" } },
];

/** Calls and lists of all revisions: mostly plain, sometimes with another envelope, header or field. */
function fuzzedRequests(listed: readonly Listed[], tools: readonly Tool[]): fc.Arbitrary<McpRequest> {
  const examples = (name: string) =>
    tools.find((tool) => tool.name === name)?.examples.map((one) => one.input) ?? CALL_TOOL_EXAMPLES;
  const call = fc.oneof(
    ...listed.map(({ name, inputSchema }) =>
      fc.record(
        {
          name: usually<unknown>(name, nastyValue(), 40),
          arguments: mostly<unknown>(input(inputSchema, examples(name)), nastyValue(), 20),
        },
        { requiredKeys: ["name"] },
      ),
    ),
  );
  const meta = mostly<unknown>(
    fc.constantFrom(undefined, {}, { traceparent: "00-1-2-01" }),
    fc.oneof(
      nastyValue(),
      fc.record({ progressToken: nastyValue() }),
      fc.dictionary(
        fc.constantFrom(...Object.keys(ENVELOPE), `${PREFIX}logLevel`, `${PREFIX}x`),
        nastyValue(),
      ),
    ),
    20,
  );
  return fc
    .record({
      revision: fc.constantFrom("", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN, MODERN),
      isCall: usually(true, fc.constant(false), 20),
      call,
      meta,
      id: mostly<unknown>(fc.oneof(fc.integer(), nastyText()), nastyValue(), 20),
      extra: usually<object>({}, fc.dictionary(nastyText(), nastyValue(), { maxKeys: 2 }), 30),
      headers: usually<Record<string, string>>(
        {},
        fc.dictionary(
          fc.constantFrom("accept", "mcp-method", "mcp-name", "mcp-protocol-version"),
          fc.constantFrom("", "*/*", "application/json", "tools/call", MODERN, "2025-06-18", "1999-01-01"),
        ),
        30,
      ),
    })
    .map(({ revision, isCall, call, meta, id, extra, headers }) => {
      const params = { ...(isCall && call), ...(meta !== undefined && { _meta: meta }) };
      const made = requestOf(revision, isCall ? "tools/call" : "tools/list", params, id);
      const body = { ...JSON.parse(made.body), ...extra };
      return { headers: { ...made.headers, ...headers }, body: JSON.stringify(body) };
    });
}

function requestOf(
  revision: string,
  method: string,
  params: { readonly name?: unknown; readonly _meta?: unknown; readonly arguments?: unknown },
  id: unknown = 1,
): McpRequest {
  const isModern = revision === MODERN;
  const { name, _meta } = params;
  const withMeta = isModern ? { ...params, _meta: { ...ENVELOPE, ...(_meta as object) } } : params;
  return {
    headers: {
      ...ACCEPT,
      "content-type": "application/json",
      ...(revision !== "" && { "mcp-protocol-version": revision }),
      ...(isModern && { "mcp-method": method }),
      ...(isModern && typeof name === "string" && /^\w{1,64}$/.test(name) && { "mcp-name": name }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: withMeta }),
  };
}

const REQUEST_ID = "00000000-0000-4000-8000-000000000001";

function respondersOf({ app }: ProofServer) {
  const deps: McpServerDeps = {
    registry: app.registry,
    ports: app.ports,
    version: "0.0.0",
    toolsFor: connectionToolsOf(app.registry),
    running: new Set(),
  };
  const tools = deps.toolsFor({ toolsets: ["all"] });
  const calls = createDirectCalls(deps);
  const exchanges = createExchanges(app.ports);
  let principal: Principal;
  const { fetch } = createMcpHandler(({ era }) =>
    mcpServer(deps, {
      tools,
      transport: "mcp",
      resolveCaller: () => ({ principal, requestId: REQUEST_ID }),
      canListen: era === "modern",
    }),
  );
  const formOf = ({ headers }: Request) => responseFormOf(headers.get("accept"), null);
  const httpRequest = ({ headers, body }: McpRequest) =>
    new Request("http://127.0.0.1/api/mcp", { method: "POST", headers, body });
  const textOf = async (response: Response) => {
    const headers = HEADERS.map((name) => response.headers.get(name));
    return `${response.status} ${headers.join(" ")}\n${await response.text()}`;
  };
  return {
    listed: tools.listed as unknown as readonly Listed[],
    /** The response as text; null if the request is left to the SDK. */
    async respondDirectly(request: McpRequest, caller: Principal): Promise<string | null> {
      const http = httpRequest(request);
      const plain = calls.parse(JSON.parse(request.body), tools);
      const form = formOf(http);
      if (plain === null || form === null || form === "stream" || !hasPlainHeaders(plain, http)) return null;
      const response = await serveDirect(calls, plain, http, {
        tools,
        caller: { principal: caller, requestId: REQUEST_ID },
        headers: {},
        exchange: exchanges.begin(http, caller.account, null),
        form,
        keepAliveMs: 15_000,
        bufferBytes: 1 << 20,
      });
      return textOf(response);
    },
    async respondBySdk(request: McpRequest, caller: Principal): Promise<string> {
      principal = caller;
      const http = httpRequest(request);
      const parsedBody = JSON.parse(request.body);
      return textOf(
        await respondInForm(formOf(http) ?? "either", http, false, (each) => fetch(each, { parsedBody })),
      );
    },
  };
}
