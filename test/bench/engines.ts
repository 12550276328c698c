import { readConfig } from "../../src/app/config.ts";
import { install } from "../support/installation.ts";
import { POSTGRES_URL } from "../support/postgres.ts";
import { suiteDir } from "../support/temp-dir.ts";

const CALLS = 50;
const ROUNDS = 8;
const WARM_UP = 20;
const TARGET = 1.3;

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!;

interface Case {
  readonly name: string;
  readonly path: string;
  readonly body?: object;
}
const CASES: readonly Case[] = [
  { name: "quote", path: "/api/v1/quote/AAPL" },
  { name: "signal", path: "/api/v1/signals/AAPL" },
  {
    name: "MCP get_quote",
    path: "/api/mcp",
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_quote", arguments: { symbol: "AAPL" } },
    },
  },
  { name: "watchlist write", path: "/api/v1/watchlists/mine", body: { symbols: ["AAPL"] } },
];

/** Time of warm calls with the data in PostgreSQL against SQLite, in turns: `.ci/postgres npm run bench -- engines`. */
export async function run(): Promise<void> {
  if (POSTGRES_URL === null)
    throw new Error("TEST_DATABASE_URL is missing: .ci/postgres npm run bench -- engines");
  const [lite, server] = [suiteDir(), suiteDir()];
  const sites = [
    await install(lite.dir, "sample", { DATABASE_URL: "" }),
    await install(server.dir, "sample"),
  ] as const;
  if (readConfig({ DATABASE_URL: "" }).DATABASE_URL !== undefined) throw new Error("both are PostgreSQL");
  /** A key of its own for each case: an account has a limit of calls a minute. */
  const createCaller = async (site: (typeof sites)[number]) => ({
    url: site.url,
    key: (await site.key("enterprise", ["read", "write"])).key,
  });
  const call = async (
    { url, key }: Awaited<ReturnType<typeof createCaller>>,
    { path, body }: Case,
  ): Promise<number> => {
    const begun = performance.now();
    const response = await fetch(`${url}${path}`, {
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return performance.now() - begun;
  };
  console.log(
    `warm calls one after another, medians of ${CALLS * ROUNDS}, in turns; target of those that read: ${TARGET} times:`,
  );
  for (const one of CASES) {
    const callers = await Promise.all(sites.map(createCaller));
    const times: [number[], number[]] = [[], []];
    for (const caller of callers) for (let n = 0; n < WARM_UP; n++) await call(caller, one);
    for (let round = 0; round < ROUNDS; round++)
      for (const i of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
        for (let n = 0; n < CALLS; n++) times[i].push(await call(callers[i]!, one));
    const [before, after] = times.map((all) => quantile(all, 0.5)) as [number, number];
    const [slow, slower] = times.map((all) => quantile(all, 0.99)) as [number, number];
    console.log(
      `  ${one.name.padEnd(16)} SQLite ${before.toFixed(2)} ms, PostgreSQL ${after.toFixed(2)} ms: ${(after / before).toFixed(2)} times (99th: ${slow.toFixed(1)}, ${slower.toFixed(1)})`,
    );
  }
  for (const site of sites) await site.stop();
  lite.remove();
  server.remove();
}
