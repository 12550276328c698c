import { randomUUID } from "node:crypto";
import { SCOPES } from "../../src/domain/accounts/access.ts";
import type { Order } from "../../src/domain/trading/trading.ts";
import type { Broker, Brokers, SubmitResult } from "../../src/domain/trading/trading-port.ts";
import { type Installation, install } from "../support/installation.ts";
import { mcpData } from "../support/mcp-data.ts";
import { POSTGRES_URL } from "../support/postgres.ts";
import { movingClock } from "../support/store.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { drawsOf } from "../support/trading-world/draw.ts";
import { a2aCall, hasResult, rpcErrorCode } from "./a2a.ts";
import { ENGINE, SERVERS } from "./place.ts";
import type { Proof } from "./proof.ts";
import { fetchFromServer, mcpCall, requestOf, responseJson, type SiteRequest } from "./proof-server.ts";

const FAILURES = { quick: 5, full: 1_000 } as const;
/** Accounts with failing orders in parallel: a server on PostgreSQL refuses calls that wait long for a connection. */
const AT_ONCE = POSTGRES_URL === null ? 15 : 5;
const CLIENTS = 3;
const TRIES = 3;
const MINUTE_MS = 60_000;
const ONE_COIN = { symbol: "BTC-USD", side: "buy", quantity: "0.01" } as const;

/** Faults while an order is sent; true if the broker has the order afterwards. */
const FAULTS = {
  "lost on its way": false,
  "answered by 500 before": false,
  "lost on the way back": true,
  "answered by 500 after": true,
  "refused though executed": true,
  "brought twice": true,
} as const;
type Fault = keyof typeof FAULTS;

const TRANSPORTS = ["REST", "MCP", "A2A"] as const;
type TransportName = (typeof TRANSPORTS)[number];

/** An account whose next order fails. */
interface Case {
  readonly transport: TransportName;
  readonly fault: Fault;
  /** True while the broker is also unreachable. */
  unreachable: boolean;
  sent: number;
  readonly key: string;
  readonly account: string;
  /** The same input for every retry. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly orders: Order[];
}

/** Retries orders with unclear outcomes over every transport of a real server, or of two on PostgreSQL. */
export const once: Proof = {
  name: "once",
  claim:
    "A trade with an unclear outcome is placed once or not at all, however often it is retried over any transport",

  async run({ scale, seed, report }) {
    const { dir, remove } = suiteDir();
    const clock = movingClock();
    const server = await install(dir, "sample", {}, { clock, servers: SERVERS });
    const broken: string[] = [];
    const { chance, one } = drawsOf(seed);
    const cases = new Map<string, Case>();
    const injured = injure(
      server.apps.map(({ ports }) => ports.brokers),
      cases,
    );
    const count = { failures: 0, requests: 0, placed: 0, twice: 0, unknown: 0 };
    const total = FAILURES[scale] * TRANSPORTS.length;

    async function begin(transport: TransportName): Promise<Case> {
      const { key, account } = await server.key("enterprise", SCOPES);
      const credentials = { api_key: "any-key", api_secret: "any-secret" };
      const connect = { broker: "paper", account_type: "paper", credentials };
      const connected = await ask(server, key, "REST", "connect_broker", connect);
      const previewed = chance(0.5) ? await ask(server, key, transport, "preview_trade", ONE_COIN) : null;
      const ticket = (previewed?.value as { ticket_id?: string } | undefined)?.ticket_id;
      if (connected.code !== null || (previewed !== null && ticket === undefined))
        broken.push(
          `no trade could be prepared over ${transport}: ${JSON.stringify(previewed ?? connected)}`,
        );
      count.requests += 2;
      const input =
        ticket === undefined ? { ...ONE_COIN, idempotency_key: randomUUID() } : { ticket_id: ticket };
      const fault = one(Object.keys(FAULTS) as Fault[]);
      const made: Case = {
        transport,
        fault,
        key,
        account,
        input,
        unreachable: chance(0.5),
        sent: 0,
        orders: [],
      };
      cases.set(account, made);
      return made;
    }

    /** Retries until a response arrives; the second client of an account rotates over the transports. */
    async function insists(one: Case, client: number): Promise<void> {
      for (let tries = 0; tries < TRIES; tries++) {
        const transport = client === 1 ? TRANSPORTS[tries % TRANSPORTS.length]! : one.transport;
        const { value, code } = await ask(server, one.key, transport, "execute_trade", one.input);
        count.requests++;
        const order = (value as { order?: Order } | null)?.order;
        if (order !== undefined) one.orders.push(order);
        else if (code !== "CONFLICT") broken.push(`${one.fault} over ${transport}: ${code}`);
      }
    }

    async function judge(one: Case): Promise<void> {
      const { transport, fault, key } = one;
      const where = `${fault}${one.unreachable ? ", then unreachable" : ""} over ${transport}`;
      const firstly = one.orders.map(({ state, broker_status }) => ({ state, broker_status }));
      one.unreachable = false;
      const back = await ask(server, key, transport, "reconcile_orders", {});
      const { value } = await ask(server, key, transport, "execute_trade", one.input);
      count.requests += 2;
      const order = (value as { order?: Order } | null)?.order;
      if (back.code !== null || order === undefined) {
        broken.push(`${where}: ${back.code ?? "the order is not reported"}`);
        return;
      }
      const there = await injured.placed(one.account, order);
      const right = FAULTS[fault] ? 1 : 0;
      if (there !== right || one.sent !== 1)
        broken.push(`${where}: sent ${one.sent} times, there ${there} times`);
      const has =
        order.broker_status !== "rejected" && (order.state === "accepted" || order.state === "reconciled");
      if (has !== (right === 1)) broken.push(`${where}: reported as ${order.state}, ${order.broker_status}`);
      for (const { state, broker_status } of firstly) {
        const open = state === "unknown" || state === "submitting";
        if (open) count.unknown++;
        else if ((state === "rejected" || broker_status === "rejected") === (right === 1))
          broken.push(`${where}: first reported as ${state}, ${broker_status}`);
      }
      count.placed += there;
      if (there > 1 || one.sent > 1) count.twice++;
      count.failures++;
    }

    try {
      for (let done = 0; done < total; done += AT_ONCE) {
        const group: Case[] = [];
        for (let i = done; i < Math.min(done + AT_ONCE, total); i++)
          group.push(await begin(TRANSPORTS[i % TRANSPORTS.length]!));
        await Promise.all(
          group.flatMap((each) => Array.from({ length: CLIENTS }, (_, client) => insists(each, client))),
        );
        clock.pass(2 * MINUTE_MS);
        for (const each of group) await judge(each);
        if (done % 150 === 0)
          report(`${count.failures} failures, ${count.placed} placed, ${broken.length} broken`);
      }
      return {
        figure: `${ENGINE}: ${count.failures} unclear failures (${Object.keys(FAULTS).length} kinds, REST, MCP and A2A, ${CLIENTS} clients each, ${count.requests} requests): ${count.placed} orders placed, ${count.twice} twice; ${count.unknown} reported as unknown, and all of those reconciled`,
        broken,
      };
    } finally {
      await server.stop();
      remove();
    }
  },
};

/** Injects each account's fault between the servers and their brokers. */
function injure(all: readonly Brokers[], cases: ReadonlyMap<string, Case>) {
  const opened = new Map<string, Broker>();
  for (const brokers of all) {
    const open = brokers.open.bind(brokers);
    const injured: Pick<Brokers, "open"> = {
      open(at, credentials) {
        const broker = open(at, credentials);
        opened.set(at.account, broker);
        const one = cases.get(at.account);
        return one === undefined ? broker : injuredBroker(broker, one);
      },
    };
    Object.assign(brokers, injured);
  }
  return {
    /** Number of orders the broker has with this client order id. */
    async placed(account: string, { client_order_id }: Order): Promise<number> {
      const all = await opened.get(account)!.orders({ since: "2000-01-01T00:00:00.000Z" });
      return all.filter(({ clientOrderId }) => clientOrderId === client_order_id).length;
    },
  };
}

const lost = (): never => {
  throw new Error("socket hang up");
};

function injuredBroker(broker: Broker, one: Case): Broker {
  return {
    ...broker,
    find: (id) => (one.unreachable && one.sent > 0 ? Promise.resolve().then(lost) : broker.find(id)),
    async submit(order): Promise<SubmitResult> {
      one.sent++;
      switch (one.fault) {
        case "lost on its way":
          return lost();
        case "answered by 500 before":
          return { outcome: "unknown", reason: "HTTP 500" };
        case "lost on the way back":
          await broker.submit(order);
          return lost();
        case "answered by 500 after":
          await broker.submit(order);
          return { outcome: "unknown", reason: "HTTP 502" };
        case "refused though executed":
          await broker.submit(order);
          return { outcome: "rejected", reason: "unprocessable" };
        default:
          await Promise.all([broker.submit(order), broker.submit(order)]);
          return { outcome: "rejected", reason: "client_order_id must be unique" };
      }
    },
  };
}

interface Answer {
  readonly value: unknown;
  readonly code: string | null;
}

/** Calls a tool over a transport and the network. */
async function ask(
  { url, app }: Installation,
  key: string,
  transport: TransportName,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const tool = app.registry.tools.find((one) => one.name === name)!;
  const request: SiteRequest =
    transport === "REST"
      ? requestOf(tool.route, input)
      : transport === "MCP"
        ? mcpCall(name, input)
        : a2aCall(name, input);
  const response = await fetchFromServer(url, { ...request, authorization: `Bearer ${key}` });
  const body = await responseJson(response);
  if (body.code !== undefined) return { value: null, code: String(body.code) };
  if (body.error !== undefined) return { value: null, code: rpcErrorCode(body.error) };
  if (transport === "REST") return { value: body, code: null };
  if (transport === "MCP") {
    const { isError, content } = body.result;
    return isError === true
      ? { value: null, code: /^\w+/.exec(content[0].text)![0] }
      : { value: mcpData(body.result), code: null };
  }
  const { status, artifacts } = body.result.task;
  const parts = [...(artifacts ?? []).flatMap((one: any) => one.parts), ...(status.message?.parts ?? [])];
  const data = parts.find((part: any) => part.data !== undefined)?.data;
  return hasResult(body.result.task)
    ? { value: data, code: null }
    : { value: null, code: String(data?.code ?? status.state) };
}
