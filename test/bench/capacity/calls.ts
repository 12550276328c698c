import { setTimeout as sleep } from "node:timers/promises";
import { compile, serveOn } from "../../support/compiled.ts";
import type { Installation } from "../../support/installation.ts";
import { openDatabaseTime, processorMs } from "./processor-time.ts";
import type { Sent, StatementCounter } from "./statements.ts";

/** Callers, so that each makes few calls a second, as a person does: the calls of such a caller are counted one by one. */
const CALLERS = 200;
const CALLS = 600;
const WARM_UP = 200;
const CONCURRENT = 2;
/** Time after which what a call has caused is written: signals after 2 s, answers on bars after 0.5 s. */
const WRITTEN_MS = 3_000;

interface CallCase {
  readonly name: string;
  /** Path and body of a call by its number. */
  readonly request: (n: number, symbol: string) => { readonly path: string; readonly body?: object };
}

/** The calls whose costs are measured, repeated over ten symbols. */
const CASES: readonly CallCase[] = [
  { name: "quote", request: (_, symbol) => ({ path: `/api/v1/quote/${symbol}` }) },
  { name: "signal", request: (_, symbol) => ({ path: `/api/v1/signals/${symbol}` }) },
  {
    name: "MCP quote",
    request: (n, symbol) => ({
      path: "/api/mcp",
      body: {
        jsonrpc: "2.0",
        id: n,
        method: "tools/call",
        params: { name: "get_quote", arguments: { symbol } },
      },
    }),
  },
  { name: "screener", request: () => ({ path: "/api/v1/screener" }) },
  {
    name: "watchlist write",
    request: (_, symbol) => ({ path: "/api/v1/watchlists/mine", body: { symbols: [symbol] } }),
  },
];

/** Costs of one call of a kind: processor time of the server and of PostgreSQL, ms, and what the server sends to it. */
export interface CallCost extends Sent {
  readonly serverMs: number;
  readonly databaseMs: number;
}

/** Callers of a market, and symbols that it has. */
export interface Callers {
  readonly keys: readonly string[];
  readonly symbols: readonly string[];
}
type Call = (path: string, options: RequestInit) => Promise<Response>;

export async function newCallers({ app }: Installation, symbols: readonly string[]): Promise<Callers> {
  const keys: string[] = [];
  for (let n = 0; n < CALLERS; n++)
    keys.push((await app.access.create({ plan: "enterprise", scopes: ["read", "write"] })).key);
  return { keys, symbols };
}

/** Makes calls of a case, each by the next caller. */
async function make({ request }: CallCase, count: number, { keys, symbols }: Callers, call: Call) {
  let next = 0;
  const caller = async () => {
    for (let n = next++; n < count; n = next++) {
      const { path, body } = request(n, symbols[n % symbols.length]!);
      const response = await call(path, {
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
        headers: {
          authorization: `Bearer ${keys[n % keys.length]}`,
          host: "127.0.0.1",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, caller));
}

/** Counts what a server in this process sends for a call of each kind. */
export async function measureStatements(
  { site, url }: Installation,
  callers: Callers,
  counted: StatementCounter,
): Promise<ReadonlyMap<string, Sent>> {
  const call: Call = async (path, options) => site.fetch(new Request(`${url}${path}`, options));
  const costs = new Map<string, Sent>();
  for (const one of CASES) {
    await make(one, WARM_UP, callers, call);
    await sleep(WRITTEN_MS);
    counted.take();
    await make(one, CALLS, callers, call);
    await sleep(WRITTEN_MS);
    costs.set(one.name, counted.take(CALLS));
  }
  return costs;
}

/** Measures the processor time of a compiled server, and of PostgreSQL, for a call of each kind. */
export async function measureTimes(env: Readonly<Record<string, string>>, callers: Callers) {
  const built = await compile();
  const program = await serveOn(built.product, { ...env, BACKUP_EVERY: "off" });
  const time = await openDatabaseTime(env.DATABASE_URL!);
  const read = async () => ({ server: processorMs(program.child.pid!), database: await time.read() });
  const call: Call = (path, options) => fetch(`${program.url}${path}`, options);
  const costs = new Map<string, Pick<CallCost, "serverMs" | "databaseMs">>();
  try {
    for (const one of CASES) {
      await make(one, WARM_UP, callers, call);
      await sleep(WRITTEN_MS);
      const before = await read();
      await make(one, CALLS, callers, call);
      await sleep(WRITTEN_MS);
      const after = await read();
      costs.set(one.name, {
        serverMs: (after.server - before.server) / CALLS,
        databaseMs: (after.database - before.database) / CALLS,
      });
    }
  } finally {
    program.child.kill("SIGKILL");
    await time.close();
    built.remove();
  }
  return costs;
}
