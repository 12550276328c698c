import { once } from "node:events";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { compile, serveOn } from "../support/compiled.ts";
import { install, replicaSettings } from "../support/installation.ts";
import { launch } from "../support/program.ts";
import { suiteDir } from "../support/temp-dir.ts";
import type { Worst } from "./fairness-probe.ts";
import { ENGINE, SERVERS } from "./place.ts";
import type { Proof } from "./proof.ts";
import { requestOf } from "./proof-server.ts";

/** Maximum response time of another caller, ms. */
const LIMIT_MS = 250;
/** Rounds of each attack. The median of their longest times counts, because other programs may delay one round. */
const ROUNDS = 3;
/** Share of the requests of the longest attacks that is sent, by scale. */
const SHARE = { quick: 0.1, full: 1 } as const;
/** Number of keys of the other caller, so that it does not reach its own quota. */
const PROBE_KEYS = 8;
const TSX = ["--import", import.meta.resolve("tsx")];
const SYMBOLS = [
  ...["AAPL", "MSFT", "NVDA", "AMZN", "GOOGL", "META", "TSLA", "JPM", "XOM", "KO"],
  ...["V", "QQQ", "BAC", "GE", "HD", "SPY", "AVGO", "JNJ", "PG", "COST"],
];
const TIMEFRAMES = ["1h", "4h", "15m", "30m", "5m"] as const;

interface Attack {
  readonly name: string;
  /** Requests that one key sends at once in a round; `share` of them at the quick scale. */
  readonly requests: (round: number, share: number) => readonly AttackRequest[];
}

interface AttackRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const post = (path: string, body: unknown): AttackRequest => ({
  method: "POST",
  path,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const times = <T>(count: number, of: (i: number) => T): readonly T[] =>
  Array.from({ length: Math.ceil(count) }, (_, i) => of(i));

/** Attacks that once stopped a server for 1 to 27 seconds. */
const ATTACKS: readonly Attack[] = [
  {
    name: "5 uncached scans of 20 symbols",
    requests: (round) =>
      TIMEFRAMES.map((timeframe, i) =>
        post("/api/v1/scan", { symbols: SYMBOLS.slice(round + i), timeframe }),
      ),
  },
  {
    name: "what_changed of 20 symbols",
    requests: (round, share) =>
      times(100 * share, (i) => ({
        method: "GET",
        path: `/api/v1/signals/changes?since=2026-0${1 + round}-${10 + (i % 18)}&symbols=${SYMBOLS.join(",")}`,
      })),
  },
  {
    name: "bodies of 1 MB",
    requests: (_, share) => [
      ...times(10 * share, () => post("/api/v1/scan", { symbols: times(130_000, () => "AAPL") })),
      ...times(10 * share, () =>
        post("/api/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list", params: { x: "y".repeat(1e6) } }),
      ),
    ],
  },
  {
    name: "20 MCP batches of 100 tools/list",
    requests: () =>
      times(20, () =>
        post(
          "/api/mcp",
          times(100, (id) => ({ jsonrpc: "2.0", id, method: "tools/list" })),
        ),
      ),
  },
  {
    name: "20 MCP batches of 10 tools/list",
    requests: () =>
      times(20, () =>
        post(
          "/api/mcp",
          times(10, (id) => ({ jsonrpc: "2.0", id, method: "tools/list" })),
        ),
      ),
  },
  {
    name: "29 MCP batches of 10 tools/list of all toolsets",
    requests: () =>
      times(29, () =>
        post(
          "/api/mcp?toolsets=all",
          times(10, (id) => ({ jsonrpc: "2.0", id, method: "tools/list" })),
        ),
      ),
  },
  {
    name: "60 If-None-Match headers of 15,000 spaces",
    requests: () =>
      times(60, () => ({
        method: "GET",
        path: "/api/v1/quote/AAPL",
        headers: { "if-none-match": `"a"${" ".repeat(15_000)}"b"` },
      })),
  },
  {
    name: "edge_detection of 20 symbols",
    requests: (_, share) =>
      times(20 * share, (i) =>
        post("/api/v1/a2a", { task: "edge_detection", symbols: SYMBOLS.slice(0, 11 + (i % 10)) }),
      ),
  },
  {
    name: "300 unknown paths",
    requests: (round) => times(300, (i) => ({ method: "GET", path: `/api/v1/nothing/${round}/${i}` })),
  },
  {
    name: "sweeps of 1,950 combinations",
    requests: (_, share) =>
      times(4 * share, (i) =>
        post("/api/v1/backtest", {
          symbol: SYMBOLS[i],
          strategy: "sma_cross",
          sweep: { fast: "2..40", slow: "41..90" },
          picture: false,
        }),
      ),
  },
  {
    name: "backtests of the signal over several symbols",
    requests: (round, share) =>
      times(4 * share, (i) =>
        post("/api/v1/backtest", {
          symbols: SYMBOLS.slice(4 * i, 4 * i + Math.ceil(5 * share)),
          strategy: "signal",
          from: `202${round}-01-01`,
          null_run: 0,
          picture: false,
        }),
      ),
  },
];

/** Returns one attack for each read tool: 60 calls at once with one key. */
const toolAttacks = (): readonly Attack[] =>
  (Object.values(catalogue) as readonly Tool[])
    .filter(({ effect, role }) => effect === "read" && role === undefined)
    .map(({ name, route, examples }) => ({
      name: `60 ${name}`,
      requests: () =>
        times(60, (i) => {
          const { method, path, body } = requestOf(route, examples[i % examples.length]!.input);
          return { method, path, ...(body !== undefined && { body: JSON.stringify(body) }) };
        }),
    }));

/** Attacks a server, or two on PostgreSQL, with one key and measures how long another caller waits. */
export const fairness: Proof = {
  name: "fairness",
  claim: `Whatever one caller sends, another caller gets responses within ${LIMIT_MS} ms`,

  async run({ scale, report }) {
    const share = SHARE[scale];
    const attacks = scale === "quick" ? ATTACKS : [...ATTACKS, ...toolAttacks()];
    const { dir, remove } = suiteDir();
    const broken: string[] = [];
    const installed = await install(dir, "sample");
    const { env } = installed;
    const keys = [];
    for (let i = 0; i < PROBE_KEYS + ROUNDS * attacks.length; i++)
      keys.push((await installed.key("pro")).key);
    await installed.stop();
    const compiled = await compile();
    const servers: Awaited<ReturnType<typeof serveOn>>[] = [];
    for (let n = 1; n <= SERVERS; n++)
      servers.push(await serveOn(compiled.product, n === 1 ? env : replicaSettings(env, n)));
    const ports = servers.map(({ url }) => new URL(url).port);
    const probe = launch(
      [process.execPath, ...TSX, "test/proofs/fairness-probe.ts", ports[0]!, ...keys.splice(0, PROBE_KEYS)],
      {},
    );
    const lines = createInterface({ input: probe.child.stdout })[Symbol.asyncIterator]();
    const command = async (line: string): Promise<Worst> => {
      probe.child.stdin.write(`${line}\n`);
      return JSON.parse((await lines.next()).value as string);
    };
    let longest = 0;
    try {
      for (const { name, requests } of attacks) {
        const rounds: number[] = [];
        let refused = 0;
        for (let round = 0; round < ROUNDS; round++) {
          await command("begin");
          await attack(ports, keys.shift()!, requests(round, share));
          const worst = await command("end");
          rounds.push(Math.max(worst.live, worst.quote) - worst.own);
          refused += worst.refused;
        }
        const median = Math.round(rounds.sort((a, b) => a - b)[1]!);
        longest = Math.max(longest, median);
        report(`${name}: ${median} ms (${rounds.map(Math.round).join(", ")})`);
        if (median > LIMIT_MS) broken.push(`${name}: another caller waited ${median} ms`);
        if (refused > 0) broken.push(`${name}: ${refused} quotes of another caller were not answered`);
      }
    } finally {
      probe.child.kill("SIGKILL");
      for (const { child, ended } of servers) {
        child.kill("SIGTERM");
        await ended;
      }
      compiled.remove();
      remove();
    }
    return {
      figure: `${ENGINE}: ${attacks.length} attacks; another caller waited at most ${longest} ms`,
      broken,
    };
  },
};

/** Sends all requests at once, to the servers in turn, and waits until each has a response or fails. */
async function attack(
  ports: readonly string[],
  key: string,
  requests: readonly AttackRequest[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  await Promise.all(
    requests.map(async ({ method, path, body, headers: more }, i) => {
      const headers = {
        ...more,
        authorization: `Bearer ${key}`,
        accept: "application/json, text/event-stream",
        ...(body !== undefined && { "content-type": "application/json" }),
      };
      const port = ports[i % ports.length];
      const sent = request({ port, path, method, headers, agent });
      sent.end(body);
      try {
        const [response] = await once(sent, "response");
        response.resume();
        await once(response, "end");
      } catch {} // A refused body closes its connection.
    }),
  );
  agent.destroy();
}
