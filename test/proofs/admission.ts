import { createInterface, type Interface } from "node:readline";
import { PassThrough } from "node:stream";
import { NETWORK_LIMITS } from "../../src/access/admission.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { serveMcpStdio } from "../../src/transports/mcp/stdio.ts";
import { measureTurns } from "../support/turns.ts";
import {
  type Arrival,
  type ArrivalCase,
  a2aArrivals,
  type McpMethod,
  mcpArrivals,
  mcpMethods,
  routeArrivals,
} from "./arrivals.ts";
import { heapLeft } from "./live.ts";
import type { Proof } from "./proof.ts";
import {
  anonymousCaller,
  BROKEN_STATUSES,
  endResponse,
  openProofServer,
  type ProofServer,
  remainingCalls,
  type SiteRequest,
  sendRequest,
} from "./proof-server.ts";

/** Messages sent to each method or route. */
const MESSAGES = { quick: 8, full: 61 } as const;
/** Messages after which the cost is compared; fewer than a caller without a key may send in a minute. */
const CHUNK = 20;
const SLOTS = 8;
/** Longest turn of the event loop, in milliseconds of processor time. */
const MAX_TURN_MS = 150;
/** Growth of the heap over all messages, in MB. */
const MAX_GROWTH_MB = 48;
const MINUTE_MS = 60_000;

/** Sends messages of all kinds to every method of every protocol, and compares what they cost. */
export const admission: Proof = {
  name: "admission",
  claim:
    "Every message of every transport costs exactly one message of its window, holds no running slot afterwards and never delays others for long",

  async run({ scale, report }) {
    const server = await openProofServer({}, { ran: false });
    const broken: string[] = [];
    const turns = measureTurns();
    try {
      const { key } = await server.key("enterprise");
      const caller = await server.app.access.identify(key);
      const groups = {
        MCP: mcpArrivals(server),
        A2A: a2aArrivals(),
        routes: routeArrivals(server, key),
      } as const;
      const methods = mcpMethods(server);
      const state: State = { server, caller, key, broken, turns, sent: 0, longestMs: 0, addresses: 0 };
      // documents, schemas and compiled code that are made once are no growth
      for (const cases of Object.values(groups)) for (const one of cases) await sendAll(state, one, 1, 0);
      turns.longestMs();
      state.longestMs = 0;
      const heapBefore = heapLeft() / 1e6;
      for (const [name, cases] of Object.entries(groups)) {
        for (const [i, one] of cases.entries()) await sendAll(state, one, MESSAGES[scale], i);
        report(
          `${name}: ${cases.length} methods and routes, ${state.sent} messages, ${broken.length} broken`,
        );
      }
      await sendOverStdio(state, methods, MESSAGES[scale]);
      await sendOverSse(state, methods, MESSAGES[scale]);
      report(`stdio and SSE: ${state.sent} messages, ${broken.length} broken`);
      const growth = heapLeft() / 1e6 - heapBefore;
      const limits = await checkNetworkWindows(state, groups.routes);
      const refused = await checkRefusals(state, [...groups.MCP, ...groups.A2A, ...groups.routes]);
      if (growth > MAX_GROWTH_MB) broken.push(`the heap grew by ${growth.toFixed(0)} MB`);
      broken.push(...server.errors);
      const count = Object.values(groups).reduce((sum, cases) => sum + cases.length, 2 * methods.length);
      return {
        figure: `${state.sent} messages to ${count} methods and routes over MCP (HTTP at each revision, SSE, stdio), A2A, REST and pages: ${broken.length} counted wrong, no slot held; a network gets ${limits}; an account at its limit is refused by all ${refused}; longest turn ${state.longestMs.toFixed(0)} ms of processor time, heap ${growth.toFixed(0)} MB larger`,
        broken,
      };
    } finally {
      turns.stop();
      await server.stop();
    }
  },
};

interface State {
  readonly server: ProofServer;
  /** The account of all messages with a key. */
  readonly caller: Principal;
  readonly key: string;
  readonly broken: string[];
  readonly turns: ReturnType<typeof measureTurns>;
  sent: number;
  longestMs: number;
  addresses: number;
}

const newAddress = (state: State): string => {
  const at = state.addresses++;
  return `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`;
};

async function send({ server, key }: State, request: SiteRequest, address: string): Promise<Response> {
  const isRoute = request.raw === undefined;
  const authorization = request.authorization ?? (isRoute ? null : `Bearer ${key}`);
  return sendRequest(server, { ...request, authorization, address });
}

/** Sends messages of one case in turn, and checks the statuses, what they cost, the slots and the longest turn. */
async function sendAll(
  state: State,
  { name, arrivals }: ArrivalCase,
  messages: number,
  offset: number,
): Promise<void> {
  for (let done = 0; done < messages; done += CHUNK) {
    const chunk = Array.from(
      { length: Math.min(CHUNK, messages - done) },
      (_, i) => arrivals[(offset + done + i) % arrivals.length]!,
    );
    const address = newAddress(state);
    await checkCost(state, `${name}, ${messages} messages`, address, chunk, async () => {
      for (const { request } of chunk) {
        const response = await send(state, request, address);
        if (BROKEN_STATUSES.has(response.status)) state.broken.push(`${name}: ${response.status}`);
        await endResponse(response);
      }
    });
  }
}

/** Runs work that sends these messages, and compares the cost with what they should cost. */
async function checkCost(
  state: State,
  name: string,
  address: string,
  chunk: readonly Pick<Arrival, "request" | "window" | "cost">[],
  work: () => Promise<void>,
): Promise<void> {
  const { server, caller, broken, turns } = state;
  const anonymous = anonymousCaller(address);
  const left = async (one: Principal) => (await remainingCalls(server, one)).burst!;
  if ((await left(caller)) < CHUNK * 11) server.clock.pass(MINUTE_MS);
  const [before, beforeWithout] = [await left(caller), await left(anonymous)];
  turns.longestMs();
  await work();
  const longest = turns.longestMs();
  state.longestMs = Math.max(state.longestMs, longest);
  state.sent += chunk.length;
  const actual = { account: before - (await left(caller)), network: beforeWithout - (await left(anonymous)) };
  const isKeyless = ({ request }: { readonly request: SiteRequest }) =>
    request.raw === undefined && request.authorization === undefined;
  const costOf = (keyless: boolean) =>
    chunk
      .filter((one) => one.window === "burst" && isKeyless(one) === keyless)
      .reduce((sum, { cost }) => sum + cost, 0);
  const expected = { account: costOf(false), network: costOf(true) };
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    broken.push(`${name}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  if (longest > MAX_TURN_MS) broken.push(`${name}: a turn of ${longest.toFixed(0)} ms`);
  await checkSlots(state, name, caller);
  await checkSlots(state, name, anonymous);
}

/** Takes all slots of a caller at once, which fails after a wait if a message still holds one. */
async function checkSlots({ server, broken }: State, name: string, caller: Principal): Promise<void> {
  const { startCall } = server.app.ports.meters;
  for (const kind of ["call", "message"] as const) {
    const started = Array.from({ length: SLOTS }, () => startCall(caller, undefined, kind));
    const ends = await Promise.allSettled(started);
    for (const end of ends) if (end.status === "fulfilled") end.value();
    if (ends.some(({ status }) => status === "rejected"))
      broken.push(`${name}: a ${kind} still holds a slot`);
  }
}

/** Sends lines to a child process's server, which answers the last one after it has counted all. */
async function sendOverStdio(state: State, methods: readonly McpMethod[], messages: number): Promise<void> {
  const { registry, ports } = state.server.app;
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const answered = createInterface({ input: stdout });
  const principal = state.caller;
  const served = serveMcpStdio({ registry, ports, version: "0", principal, stdin, stdout });
  const sendLines = async (name: string, lines: readonly string[]) => {
    for (let done = 0; done < lines.length; done += CHUNK) {
      const id = `last ${state.sent}`;
      const last = JSON.stringify({ jsonrpc: "2.0", id, method: "no/such" });
      const chunk = [...lines.slice(done, done + CHUNK), last];
      const cost = chunk.map(
        () => ({ request: { method: "", path: "", raw: "" }, window: "burst", cost: 1 }) as const,
      );
      await checkCost(state, `stdio ${name}`, newAddress(state), cost, async () => {
        const end = untilLine(answered, (line) => line.includes(id));
        for (const line of chunk) stdin.write(`${line}\n`);
        await end;
      });
    }
  };
  const client = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "proof", version: "1" },
  };
  await sendLines("initialize", [
    JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: client }),
    ...["{", "7", "null", "[]", JSON.stringify({ jsonrpc: "2.0" }), "x".repeat(100_000), "[".repeat(50_000)],
  ]);
  for (const [i, { method, texts }] of methods.entries())
    await sendLines(
      method,
      Array.from({ length: messages }, (_, at) => texts[(i + at) % texts.length]!),
    );
  stdin.end();
  await served;
}

/** Resolves at the first line that is the last one. */
const untilLine = (lines: Interface, isLast: (line: string) => boolean): Promise<void> =>
  new Promise((resolve) => {
    const onLine = (line: string) => {
      if (!isLast(line)) return;
      lines.off("line", onLine);
      resolve();
    };
    lines.on("line", onLine);
  });

/** Posts messages to an open HTTP+SSE stream. */
async function sendOverSse(state: State, methods: readonly McpMethod[], messages: number): Promise<void> {
  const opened = await send(
    state,
    { method: "GET", path: "/api/mcp/sse", authorization: `Bearer ${state.key}` },
    newAddress(state),
  );
  const reader = opened.body!.getReader();
  const { value } = await reader.read();
  const [, path = ""] = /data: (.*)/.exec(new TextDecoder().decode(value)) ?? [];
  const drained = (async () => {
    while (!(await reader.read()).done);
  })();
  for (const [i, { method, texts }] of methods.entries())
    await sendAll(
      state,
      {
        name: `SSE ${method}`,
        arrivals: texts.map((raw) => ({
          request: { method: "POST", path, headers: { "content-type": "application/json" }, raw },
          window: "burst",
          cost: 1,
        })),
      },
      messages,
      i,
    );
  await reader.cancel();
  await drained;
}

/** Uses up the windows of a network with pages, with health checks and with files of pages, in turn. Returns their limits. */
async function checkNetworkWindows(state: State, cases: readonly ArrivalCase[]): Promise<string> {
  const arrivals = cases.flatMap((one) => one.arrivals);
  for (const kind of ["page", "probe", "file"] as const) {
    const own = arrivals.filter(({ window }) => window === kind);
    const address = newAddress(state);
    const { quota } = NETWORK_LIMITS[kind];
    const statuses: number[] = [];
    for (let i = 0; i < quota + 3; i++) {
      const response = await send(state, own[i % own.length]!.request, address);
      await endResponse(response);
      statuses.push(response.status);
    }
    const first = statuses.indexOf(429);
    if (first !== quota) state.broken.push(`${kind}: refused from request ${first}, not ${quota}`);
  }
  return `${NETWORK_LIMITS.page.quota} pages, ${NETWORK_LIMITS.probe.quota} health checks and ${NETWORK_LIMITS.file.quota} files a minute`;
}

/** Sends one message of each case by an account at its limit. Returns the number of messages, which are all refused. */
async function checkRefusals(state: State, cases: readonly ArrivalCase[]): Promise<number> {
  const { server, broken } = state;
  const { key } = await server.key("enterprise");
  const caller = await server.app.access.identify(key);
  while ((await remainingCalls(server, caller)).burst! > 0) await server.app.ports.meters.countBurst(caller);
  let sent = 0;
  for (const [i, { name, arrivals }] of cases.entries()) {
    const { request, window } = arrivals[i % arrivals.length]!;
    if (window !== "burst" || (request.raw === undefined && request.authorization === undefined)) continue;
    const authorization = `Bearer ${key}`;
    const response = await sendRequest(server, { ...request, authorization, address: newAddress(state) });
    const isRefused =
      response.status === 429 ||
      (request.method !== "HEAD" && (await response.text()).includes("RATE_LIMITED"));
    if (!isRefused) broken.push(`${name} at the limit: ${response.status}`);
    sent++;
  }
  return sent;
}
