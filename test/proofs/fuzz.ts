import { once } from "node:events";
import { Agent } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { startIssuer } from "../support/issuer.ts";
import { a2aRequests } from "./fuzz-a2a.ts";
import { mcpRequests } from "./fuzz-mcp.ts";
import { describe, type FuzzRequest, sendFuzzRequest } from "./fuzz-request.ts";
import { restRequests } from "./fuzz-rest.ts";
import { signInRequests } from "./fuzz-sign-in.ts";
import { handles, heapLeft } from "./live.ts";
import { openPeople } from "./people.ts";
import type { Proof } from "./proof.ts";
import {
  mcpCall,
  openProofServer,
  type ProofServer,
  requestOf,
  responseJson,
  sendRequest,
} from "./proof-server.ts";

const REQUESTS = { quick: 1_200, full: 100_000 } as const;
const CHUNK = 500;
const ABREAST = 8;
/** Calls per minute of the highest plan. */
const CALLS_A_KEY = 600;
const LEAST_KEYS = 10;
/** Sessions that requests of sign-in send. */
const SIGNED_IN = 6;

/** Generates valid and invalid requests from the server's own published schemas, over real connections. */
export const fuzz: Proof = {
  name: "fuzz",
  claim: "No input crashes the server: every response is one that its own documents describe",

  async run({ scale, seed, report }) {
    const issuer = await startIssuer();
    const server = await openProofServer({}, { env: { TRUST_PROXY: "1", ...issuer.settings } });
    const agent = new Agent({ keepAlive: true, maxSockets: ABREAST });
    const broken: string[] = [];
    const rejected = (cause: unknown) => void broken.push(`unhandled: ${(cause as Error)?.stack ?? cause}`);
    process.on("unhandledRejection", rejected);
    const statuses = new Map<string, number>();
    let fired = 0;
    try {
      const shots = await shotsAt(server, Math.max(LEAST_KEYS, REQUESTS[scale] / CALLS_A_KEY));
      await eachInParallel(fc.sample(shots, { seed: seed - 1, numRuns: CHUNK / 5 }), (shot) =>
        sendFuzzRequest(server.url, agent, shot).catch(() => {}),
      );
      const before = handles();
      const heapBefore = heapLeft();
      for (let chunk = 0; fired < REQUESTS[scale]; chunk++) {
        await eachInParallel(fc.sample(shots, { seed: seed + chunk, numRuns: CHUNK }), async (shot) => {
          fired++;
          try {
            const reply = await sendFuzzRequest(server.url, agent, shot);
            const kind = `${shot.transport} ${reply.status === 429 ? "429" : `${Math.floor(reply.status / 100)}xx`}`;
            statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
            const fault = judged(shot, reply);
            if (fault !== null) broken.push(`${fault}: ${describe(shot)} -> ${reply.text.slice(0, 200)}`);
          } catch (cause) {
            broken.push(`no answer (${cause}): ${describe(shot)}`);
          }
        });
        if (fired % 10_000 === 0) report(`${fired} requests, ${broken.length} broken`);
      }
      const garbled = await garbage(server, seed, REQUESTS[scale] / 100);
      broken.push(...garbled, ...server.errors);
      agent.destroy();
      await sleep(300);
      const after = handles();
      if (after > before) broken.push(`${before} handles before, ${after} after`);
      const { key } = await server.key("pro");
      const last = await sendRequest(server, {
        ...requestOf("GET /api/v1/quote/AAPL", {}),
        authorization: `Bearer ${key}`,
      });
      const probe = await fetch(`${server.url}/livez`);
      if (!last.ok || !probe.ok)
        broken.push(`the server is not healthy at the end: ${last.status}, ${probe.status}`);
      const counts = [...statuses].sort().map(([kind, times]) => `${kind} ${times}`);
      return {
        figure: `${fired} requests (${counts.join(", ")}) and ${REQUESTS[scale] / 100} that are not HTTP: ${broken.length} undocumented responses; heap ${mega(heapBefore)} before, ${mega(heapLeft())} after`,
        broken,
      };
    } finally {
      process.off("unhandledRejection", rejected);
      agent.destroy();
      await server.stop();
      issuer.close();
    }
  },
};

const mega = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

/** Every kind of request, each with one of many credentials. */
async function shotsAt(server: ProofServer, accounts: number): Promise<fc.Arbitrary<FuzzRequest>> {
  const keys: { readonly authorization: string }[] = [];
  while (keys.length < accounts)
    keys.push({ authorization: `Bearer ${(await server.key("enterprise")).key}` });
  const { authorization } = keys[0]!;
  const site = openPeople(server);
  const { cookie } = await site.person("fuzzed");
  const sessions = [{ cookie, origin: server.url }, { cookie }];
  const { client, access: token } = await site.connected(cookie);
  const tokens = [{ authorization: `Bearer ${token}` }];
  const cookies: string[] = [];
  while (cookies.length < SIGNED_IN) cookies.push((await site.person(`fuzzed${cookies.length}`)).cookie);
  // by a link, so that no request knows the password of the owner
  cookies.push((await site.signedIn()).cookie);
  const signIn = { cookies, client, ...(await requestedAndBegun(server, site)), url: server.url };
  const document = await responseJson(await sendRequest(server, { method: "GET", path: "/openapi.json" }));
  const list = { ...mcpCall("", {}), body: { jsonrpc: "2.0", id: 1, method: "tools/list" }, authorization };
  const { tools: listed } = (await responseJson(await sendRequest(server, list))).result;
  const card = await responseJson(
    await sendRequest(server, { method: "GET", path: "/.well-known/agent-card.json" }),
  );
  return fc.oneof(
    { weight: 5, arbitrary: restRequests(document, [...keys, ...sessions], server.app.registry) },
    { weight: 3, arbitrary: mcpRequests(listed, [...keys, ...tokens], server.app.registry.tools) },
    { weight: 2, arbitrary: a2aRequests(card, keys, listed) },
    { weight: 2, arbitrary: signInRequests(signIn) },
  );
}

/** Requests a change of the owner's limits, and begins sign-ins by the external issuer. */
async function requestedAndBegun(server: ProofServer, { post }: ReturnType<typeof openPeople>) {
  const { key } = await server.app.access.create({ account: "owner", plan: "pro" });
  const input = { changes: ["max_notional_usd=900"] };
  const asked = requestOf("POST /api/broker/request-limits", input);
  const answer = await sendRequest(server, { ...asked, authorization: `Bearer ${key}` });
  const begun: { readonly state: string; readonly cookie: string; readonly issuer: string }[] = [];
  while (begun.length < SIGNED_IN) {
    const { body, cookies } = await post("/sign-in/issuer", "", {});
    const { origin, searchParams } = new URL(JSON.parse(body).url);
    const cookie = cookies.map((one) => one.split(";")[0]!).join("; ");
    begun.push({ state: searchParams.get("state")!, cookie, issuer: origin });
  }
  return { request: (await responseJson(answer)).request_id as string, issuer: begun[0]!.issuer, begun };
}

function judged(shot: FuzzRequest, reply: Parameters<FuzzRequest["judge"]>[0]): string | null {
  try {
    return shot.judge(reply);
  } catch (cause) {
    return `an answer that cannot be read (${cause})`;
  }
}

/** Processes all items, a fixed number at a time. */
async function eachInParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    Array.from({ length: ABREAST }, async () => {
      for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item);
    }),
  );
}

const HEADS = [
  "GET / HTTP/1.1\r\n\r\n",
  "GET /api/v1/health HTTP/9.9\r\nhost: 127.0.0.1\r\n\r\n",
  "POST /api/mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
  "POST /api/mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\nzz\r\n",
  "POST /api/v1/interpret HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\nffffffffff\r\n",
  "GET http://[::1 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
  "GET * HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
  "CONNECT 127.0.0.1:1 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
  "GET //// HTTP/1.1\r\nhost: [::1]:999999\r\n\r\n",
  "GET /api/v1/health HTTP/1.1\r\nhost: \u00ff\u00fe\r\n\r\n",
  `GET /${"a".repeat(20_000)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n${"x: y\r\n".repeat(3_000)}\r\n`,
  "GET /api/v1/health HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000\u0001",
] as const;

/** Sends malformed HTTP; the server must reject it or disconnect, and stay up. */
async function garbage({ listening }: ProofServer, seed: number, many: number): Promise<readonly string[]> {
  const broken: string[] = [];
  const bytes = fc.oneof(
    fc.constantFrom(...HEADS).map((head) => Buffer.from(head, "latin1")),
    fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some)),
    fc
      .tuple(fc.constantFrom(...HEADS), fc.nat())
      .map(([head, at]) => Buffer.from(head.slice(0, at % head.length), "latin1")),
  );
  await eachInParallel(fc.sample(bytes, { seed, numRuns: many }), async (sent) => {
    const socket = connect(listening.port, "127.0.0.1");
    socket.on("error", () => {});
    let received = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
    });
    const closed = once(socket, "close");
    socket.end(sent);
    await Promise.race([closed, sleep(1_000)]);
    socket.destroy();
    const [, status = "none"] = /^HTTP\/1\.1 (\d+)/.exec(received) ?? [];
    if (status.startsWith("5"))
      broken.push(`${status} to the bytes ${JSON.stringify(sent.toString("latin1").slice(0, 120))}`);
  });
  return broken;
}
