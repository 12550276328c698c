import fc from "fast-check";
import { cachesInUse, setCacheBudget } from "../../src/lib/bounded-cache.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { heapLeft } from "./live.ts";
import type { Proof } from "./proof.ts";
import {
  ACCEPT,
  BROKEN_STATUSES,
  endResponse,
  openProofServer,
  type ProofServer,
  type SiteRequest,
  sendRequest,
} from "./proof-server.ts";
import { type CallerOption, documentedOptions, listOf } from "./spellings.ts";

/** Spellings of each option. */
const SPELLINGS = { quick: 40, full: 2_000 } as const;
/** Time in milliseconds after which no more spellings of an option are sent, because each needs a long computation. */
const OPTION_MS = { quick: 20, full: 4_000 } as const;
/** Number of symbols and days that are spelled. */
const VARIETY = { quick: { symbols: 6, days: 2 }, full: { symbols: 1_000, days: 900 } } as const;
/** Requests sent at once. */
const CHUNK = 2;
/** Memory of all caches of the server, MB: the default. */
const CACHE_MB = 48;
/** Growth of the heap beside the caches, MB. */
const MAX_GROWTH_MB = 32;
/** Budget of the caches of installations that are opened earlier or later in this process, MB. */
const USUAL_CACHE_MB = 2_048;
/** Requests of a key in a minute of the clock. */
const REQUESTS_A_KEY = 300;
const KEYS = 8;
const MINUTE_MS = 60_000;
const MB = 1024 * 1024;
/** Number of options reported after which the heap was largest. */
const MAX_REPORTED = 5;

/** Sends every option that a caller may fill with text of its own in many spellings, and measures all caches. */
export const caches: Proof = {
  name: "caches",
  claim: "No cache and no other memory grows without a bound with the texts that callers send",

  async run({ scale, seed, report }) {
    const server = await openProofServer({}, { ran: false });
    const broken: string[] = [];
    try {
      setCacheBudget(CACHE_MB * MB);
      const options = await optionsOf(server, VARIETY[scale]);
      const send = await senderOf(server, broken);
      // documents, schemas and compiled code that are made once are no growth
      const first = new Map(options.toReversed().map((option) => [option.operation, option]));
      for (const option of first.values()) await send(option, { seed, count: 1 });
      const before = heapLeft();
      const grown: { readonly name: string; readonly bytes: number }[] = [];
      let [sent, complete, last] = [0, 0, before];
      for (const option of options) {
        const count = await send(option, { seed, count: SPELLINGS[scale], ms: OPTION_MS[scale] });
        sent += count;
        if (count === SPELLINGS[scale]) complete++;
        broken.push(...excessive(option.name));
        if (scale === "quick") continue;
        const now = heapLeft();
        grown.push({ name: option.name, bytes: now - last });
        last = now;
      }
      for (const { name, bytes } of grown.toSorted((a, b) => b.bytes - a.bytes).slice(0, MAX_REPORTED))
        report(`${name}: heap ${megabytes(bytes)} larger`);
      const growth = heapLeft() - before;
      if (growth > (CACHE_MB + MAX_GROWTH_MB) * MB) broken.push(`the heap grew by ${megabytes(growth)}`);
      broken.push(...server.errors);
      return {
        figure: `${sent} requests with spellings of ${options.length} options, ${complete} of them in ${SPELLINGS[scale]} spellings: ${cachesInUse().length} caches hold ${megabytes(cachedBytes())} of at most ${CACHE_MB} MB; heap ${megabytes(growth)} larger`,
        broken,
      };
    } finally {
      setCacheBudget(USUAL_CACHE_MB * MB);
      await server.stop();
    }
  },
};

interface Sending {
  readonly seed: number;
  /** Number of spellings. */
  readonly count: number;
  /** Time after which no more are sent. Default: none. */
  readonly ms?: number;
}

/** Returns a function that sends spellings of an option in turn by several keys, and returns how many it sent. */
async function senderOf(server: ProofServer, broken: string[]) {
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push((await server.key("enterprise")).key);
  let sent = 0;
  return async ({ name, values, requestOf }: CallerOption, { seed, count, ms }: Sending): Promise<number> => {
    const started = performance.now();
    const spellings = fc.sample(values, { seed, numRuns: count });
    let done = 0;
    while (done < count && (ms === undefined || done === 0 || performance.now() - started < ms)) {
      const chunk = spellings.slice(done, done + CHUNK);
      done += chunk.length;
      await Promise.all(
        chunk.map(async (value) => {
          if (++sent % (KEYS * REQUESTS_A_KEY) === 0) server.clock.pass(MINUTE_MS);
          const authorization = `Bearer ${keys[sent % KEYS]}`;
          const response = await sendRequest(server, { authorization, ...requestOf(value) });
          if (BROKEN_STATUSES.has(response.status))
            broken.push(`${name}: ${response.status} for ${JSON.stringify(value)}`);
          await endResponse(response);
        }),
      );
    }
    return done;
  };
}

const cachedBytes = (): number => cachesInUse().reduce((sum, { bytes }) => sum + bytes, 0);
const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;

/** Returns the caches that exceed their maximum, and the sum of all if it exceeds the budget. */
function excessive(name: string): readonly string[] {
  const large = cachesInUse().filter(({ entries, max }) => entries > max);
  return [
    ...large.map((one) => `${name}: "${one.name}" holds ${one.entries} entries of at most ${one.max}`),
    ...(cachedBytes() > CACHE_MB * MB ? [`${name}: all caches hold ${megabytes(cachedBytes())}`] : []),
  ];
}

/** Options of the OpenAPI document, and those that only a protocol has. */
async function optionsOf(
  server: ProofServer,
  { symbols, days }: { readonly symbols: number; readonly days: number },
): Promise<readonly CallerOption[]> {
  const response = await sendRequest(server, { method: "GET", path: "/openapi.json" });
  const { members } = sampleMarket({ clock: server.clock });
  const documented = documentedOptions(await response.json(), {
    symbols: members.slice(0, symbols).map(({ symbol }) => symbol),
    days,
  });
  const toolsets = [...new Set(server.app.registry.tools.map(({ toolset }) => toolset)), "all"];
  return [...documented, ...protocolOptions(toolsets)];
}

function protocolOptions(toolsets: readonly string[]): readonly CallerOption[] {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
  const option = (name: string, requestOf: (value: string) => SiteRequest, values = text): CallerOption => ({
    operation: name,
    name,
    values,
    requestOf: (value) => requestOf(String(value)),
  });
  const rpc = (path: string, method: string, params: object, headers: SiteRequest["headers"] = {}) => ({
    method: "POST",
    path,
    headers: { ...ACCEPT, ...headers },
    body: { jsonrpc: "2.0", id: 1, method, params },
  });
  const mcp = (method: string, params: object, headers?: SiteRequest["headers"]) =>
    rpc("/api/mcp", method, params, headers);
  const a2a = (part: object) =>
    rpc(
      "/api/a2a",
      "SendMessage",
      { message: { messageId: "m", role: "ROLE_USER", parts: [part] } },
      { "a2a-version": "1.0" },
    );
  const inPath = encodeURIComponent;
  const inHeader = (value: string) => Buffer.from(value).toString("hex");
  const client = (name: string) => ({
    protocolVersion: name,
    capabilities: {},
    clientInfo: { name, version: name },
  });
  return [
    option(
      "MCP toolsets",
      (value) => rpc(`/api/mcp?toolsets=${inPath(value)}`, "tools/list", {}),
      listOf(toolsets).map(String),
    ),
    option("MCP method", (value) => mcp(value, {})),
    option("MCP tool", (value) => mcp("tools/call", { name: value, arguments: {} })),
    option("MCP resource", (value) => mcp("resources/read", { uri: value })),
    option("MCP document", (value) => mcp("resources/read", { uri: `market-signal://tools/${value}` })),
    option("MCP prompt", (value) =>
      mcp("prompts/get", { name: "analyse_symbol", arguments: { symbol: value } }),
    ),
    option("MCP client", (value) => mcp("initialize", client(value))),
    option("MCP revision", (value) => mcp("ping", {}, { "mcp-protocol-version": inHeader(value) })),
    option("MCP session", (value) => mcp("tools/list", {}, { "mcp-session-id": inHeader(value) })),
    option("A2A skill", (value) => a2a({ data: { skill: value } })),
    option("A2A text", (value) => a2a({ text: `What about ${value}?` })),
    option("page", (value) => ({ method: "GET", path: `/${inPath(value)}` })),
    option("path of the API", (value) => ({ method: "GET", path: `/api/v1/${inPath(value)}` })),
    option("query", (value) => ({ method: "GET", path: `/api/v1/quota?${inPath(value)}=${inPath(value)}` })),
    option("host", (value) => ({ method: "GET", path: "/livez", headers: { host: inHeader(value) } })),
    option("languages and types", (value) => ({
      method: "GET",
      path: "/api/v1/quota",
      headers: { accept: `a/${inHeader(value)}`, "accept-encoding": inHeader(value) },
    })),
    option("key", (value) => ({
      method: "GET",
      path: "/api/v1/quota",
      authorization: `Bearer ${inHeader(value)}`,
    })),
  ];
}
