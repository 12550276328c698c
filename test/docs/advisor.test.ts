import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import type { CheckAnswer } from "../../src/domain/check/check.ts";
import { SnapshotInput } from "../../src/domain/check/snapshot.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import type { Fields } from "../../src/lib/fields.ts";
import { alpacaMcp, type BrokerMcp, robinhoodMcp } from "../support/broker-mcp.ts";
import { FAKE_ALPACA_KEY, type FakeAlpaca, startFakeAlpaca } from "../support/fake-alpaca.ts";
import { useInstallation } from "../support/installation.ts";
import { type McpResult, mcpData } from "../support/mcp-data.ts";
import { launch } from "../support/program.ts";
import { suiteDir, tempDir } from "../support/temp-dir.ts";
import { httpClient } from "../transports/mcp/clients.ts";
import { documentText } from "./documents.ts";

const page = documentText("docs/advisor.md");
/** The text below a heading of the page, up to the next heading. */
const sectionOf = (heading: string): string => page.split(`# ${heading}\n`)[1]!.split(/^#+ /m)[0]!;
/** The code blocks of a language below a heading. */
const blocksOf = (heading: string, language: string): readonly string[] =>
  [...sectionOf(heading).matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm"))].map(
    ([, code]) => code!,
  );
/** The rows of the table below a heading whose first column has a given title, as cells. */
function tableOf(heading: string, title: string): readonly (readonly string[])[] {
  const [, table = ""] = sectionOf(heading).split(`| ${title} |`);
  const lines = table.split("\n\n")[0]!.split("\n").slice(2);
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
const ASSISTANT = "An assistant with the broker's MCP server";
const [hook = ""] = blocksOf("What enforces it", "js");
const [advisor = ""] = blocksOf("An advisor of a host", "python");
const [guard = ""] = blocksOf("A guard", "js");
const [ownCode = ""] = blocksOf("Own code", "js");
const settings = JSON.parse(blocksOf("What enforces it", "json")[0]!);
const desktop = JSON.parse(blocksOf(ASSISTANT, "json")[0]!);

const NOW = new Date("2026-07-01T14:00:00.000Z");
const PRICE = { symbol: "AAPL", price: 285.38, at: NOW.toISOString() };
const HELD = { symbol: "MSFT", price: 462.85 };
const ROWS = {
  account: { equity: "100000", buying_power: "90743", last_equity: "100010" },
  positions: [
    { symbol: HELD.symbol, qty: "20", side: "long", avg_entry_price: "400.10", current_price: "462.85" },
  ],
  open_orders: [],
  recent_trades: [],
};

const installation = useInstallation("sample", {}, { clock: { now: () => NOW } });
const suite = suiteDir();
const env: Record<string, string> = {};
let key: string;
beforeAll(async () => {
  ({ key } = await installation.key("pro", ["read"]));
  Object.assign(env, { MARKET_SIGNAL_URL: installation.url, MARKET_SIGNAL_KEY: key, ALLOW_SAMPLE: "1" });
}, 60_000);
afterAll(() => suite.remove());

/** Alpaca's API with an account of 100,000 dollars that holds 20 MSFT. */
async function alpacaAccount(): Promise<FakeAlpaca> {
  const api = await startFakeAlpaca({
    now: () => NOW.getTime(),
    asset: (symbol) => [PRICE, HELD].find((one) => one.symbol === symbol),
  });
  onTestFinished(() => api.close());
  api.account.send({
    client_order_id: "held",
    symbol: HELD.symbol,
    qty: "20",
    side: "buy",
    type: "market",
    time_in_force: "day",
  });
  api.account.settle();
  return api;
}
const alpaca = async () => alpacaMcp((await alpacaAccount()).account, PRICE);
const robinhood = () => robinhoodMcp(PRICE);

/** A server that accepts connections and never responds. */
async function silentServer(): Promise<string> {
  const server = createServer(() => {});
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Orders as they are planned, in the fields of check_order. */
const ORDERS = {
  ok: { symbol: "AAPL", side: "buy", quantity: 10, stop_loss: 265 },
  warn: { symbol: "AAPL", side: "buy", quantity: 10 },
  stop: { symbol: "AAPL", side: "buy", quantity: 500, stop_loss: 265 },
} as const;
type Verdict = keyof typeof ORDERS;
const ODDS =
  "Of 100 cases in 20 sessions: stop first 14 (base rate 30), neither 86 (base rate 70). No view on direction.";
const WARNING = "WARN: stop_missing. To pass stop_missing: stop_loss 275.93. No view on direction.";
const NO_ACCOUNT =
  "Not checked: share of equity, open risk, drawdown; open risk, concentration, correlation; send account.equity and positions ([] if none). No view on direction.";
const LOSS = `Loss at the stop 203.80 USD (0.20 % of equity); the worst of 1000 nights would have cost 200.38 USD. ${ODDS}`;
const STOPPED = `Largest quantity that passes: 49. Loss at the stop 10190.00 USD (10.19 % of equity); the worst of 1000 nights would have cost 10018.99 USD. ${ODDS}`;

/** An order as the order tool of a broker takes it; Robinhood attaches no stop. */
const CALLS: Readonly<Record<string, (order: Fields) => readonly [tool: string, input: Fields]>> = {
  Robinhood: ({ quantity, stop_loss: _, ...order }) => [
    "place_equity_order",
    { account_number: "STANDIN42", type: "market", quantity: String(quantity), ...order },
  ],
  Alpaca: ({ quantity, stop_loss, ...order }) => [
    "place_stock_order",
    {
      ...order,
      qty: String(quantity),
      client_order_id: "one",
      ...(stop_loss !== undefined && { stop_loss_stop_price: String(stop_loss) }),
    },
  ],
};

/** The object or the rows in the result of a tool. */
function unwrapped(field: string, result: any): unknown {
  if (field === "account") return result;
  const rows = result.results ?? result.result ?? result.quotes;
  return field === "quote" ? (rows[PRICE.symbol] ?? rows[0]) : rows;
}
/** What a tool of a broker takes for a field. Default: nothing. */
const INPUTS: Readonly<Record<string, Fields>> = {
  "open_orders get_orders": { status: "open" },
  "recent_trades get_orders": { status: "closed" },
  "quote get_equity_quotes": { symbols: [PRICE.symbol] },
  "quote get_stock_latest_quote": { symbols: PRICE.symbol },
};
/** What a tool of a broker returns for a field of check_order, as the broker writes it. */
const readField = async (broker: BrokerMcp, field: string, tool: string) =>
  unwrapped(field, await broker.call(tool, INPUTS[`${field} ${tool}`]));

async function checkOver(mcp: Client, order: Fields): Promise<CheckAnswer> {
  const result = (await mcp.callTool({ name: "check_order", arguments: { ...order } })) as McpResult;
  if (result.isError === true) throw new Error(result.content[0]!.text);
  return mcpData(result) as unknown as CheckAnswer;
}

describe.each([
  { name: "Robinhood", column: 1, connect: robinhood, unknown: ["loss of the day"], power: ["buying_power"] },
  { name: "Alpaca", column: 2, connect: alpaca, unknown: [], power: [] },
])("an assistant with the MCP server of $name", ({ name, column, connect, unknown, power }) => {
  const fields = tableOf("The instruction", "Field of `check_order`").map((row) =>
    [row[0]!, row[column]!].map((cell) => cell.replaceAll("`", "")),
  ) as [field: string, tool: string][];
  let mcp: Client;
  beforeAll(async () => {
    mcp = await httpClient(new URL(`${installation.url}/api/mcp`), key);
  });
  afterAll(() => mcp.close());

  /** Does what the page says, and returns the answer and the orders that the broker got. */
  async function trade(verdict: Verdict, person: { readonly agrees: boolean }) {
    const broker = await connect();
    onTestFinished(() => broker.close());
    const snapshot: Record<string, unknown> = {};
    for (const [field, tool] of fields) snapshot[field] = await readField(broker, field, tool);
    const answer = await checkOver(mcp, { ...ORDERS[verdict], ...snapshot });
    if (answer.verdict === "ok" || (answer.verdict === "warn" && person.agrees))
      await broker.call(...CALLS[name]!(ORDERS[verdict]));
    return {
      verdict: answer.verdict,
      rules: answer.rules.map(({ rule }) => rule),
      unknown: answer.unknown.map(({ what }) => what),
      price: answer.price.source,
      placed: broker.placed.length,
    };
  }

  it("names a read tool for each field of the account", () => {
    expect(fields.map(([field]) => field).toSorted()).toEqual(Object.keys(SnapshotInput).toSorted());
  });

  it.each([
    ["ok", false, [], 1],
    ["warn", false, ["stop_missing"], 0],
    ["warn", true, ["stop_missing"], 1],
    ["stop", true, [...power, "trade_risk", "max_open_risk_pct", "position_share", "gross"], 0],
  ] as const)(
    "gets %s from its rows (the person agrees: %s), and places the order if it may",
    async (verdict, agrees, rules, placed) => {
      expect(await trade(verdict, { agrees })).toEqual({
        verdict,
        rules,
        unknown,
        price: "your_quote",
        placed,
      });
    },
  );
});

describe("the settings of clients", () => {
  it("start this server in Claude Desktop as mcp.json does", () => {
    const { "market-signal": own } = desktop.mcpServers;
    expect(own).toEqual(JSON.parse(documentText("mcp.json")).mcpServers["market-signal"]);
  });

  it("run the hook for every order tool of both brokers and for no other tool, and ask a person too", async () => {
    expect(settings.permissions.deny).toEqual(["Bash", "Edit", "Write"]);
    const [{ matcher, hooks }] = settings.hooks.PreToolUse;
    expect(hooks).toEqual([
      {
        type: "command",
        command: 'node "$CLAUDE_PROJECT_DIR/.claude/hooks/check-order.mjs"',
        timeout: 30,
        onFailure: "block",
      },
    ]);
    for (const [server, connect] of [
      ["robinhood", robinhood],
      ["alpaca", alpaca],
    ] as const) {
      const broker = await connect();
      onTestFinished(() => broker.close());
      const names = broker.tools.map((tool) => `mcp__${server}__${tool}`);
      const guarded = names.filter((tool) => new RegExp(`^(?:${matcher})$`).test(tool));
      expect(guarded).toEqual([
        `mcp__${server}__${CALLS[server === "alpaca" ? "Alpaca" : "Robinhood"]!({})[0]}`,
      ]);
      expect(settings.permissions.ask).toEqual(expect.arrayContaining(guarded));
    }
  });
});

describe("the hook of Claude Code", () => {
  const ALPACA_KEYS = {
    ALPACA_API_KEY: FAKE_ALPACA_KEY.api_key,
    ALPACA_SECRET_KEY: FAKE_ALPACA_KEY.api_secret,
  };

  /** Runs the hook of the page with the input that Claude Code writes to it. */
  async function decide(
    tool_name: string,
    tool_input: Fields,
    given: Readonly<Record<string, string>> = {},
    source = hook,
  ) {
    const file = join(tempDir(), "check-order.mjs");
    writeFileSync(file, source);
    const { child, seen, ended } = launch([process.execPath, file], { ...env, ...given });
    child.stdin.end(
      JSON.stringify({
        session_id: "one",
        transcript_path: "/transcript.jsonl",
        cwd: "/project",
        permission_mode: "default",
        hook_event_name: "PreToolUse",
        tool_name,
        tool_input,
        tool_use_id: "toolu_1",
      }),
    );
    expect({ code: await ended, err: seen.err }).toEqual({ code: 0, err: "" });
    if (seen.out === "") return { decision: "none", reason: "" };
    const { hookEventName, permissionDecision, permissionDecisionReason } = JSON.parse(
      seen.out,
    ).hookSpecificOutput;
    expect(hookEventName).toBe("PreToolUse");
    return { decision: permissionDecision as string, reason: permissionDecisionReason as string };
  }

  it.each([
    ["ok", { decision: "none", reason: "" }, 1],
    ["warn", { decision: "ask", reason: WARNING }, 0],
    ["stop", { decision: "deny", reason: `STOP: trade_risk. ${STOPPED}` }, 0],
  ] as const)("reads the account at Alpaca and decides on %s", async (verdict, expected, placed) => {
    const api = await alpacaAccount();
    const broker = await alpacaMcp(api.account, PRICE);
    onTestFinished(() => broker.close());
    const [tool, input] = CALLS.Alpaca!(ORDERS[verdict]);
    const decided = await decide(`mcp__alpaca__${tool}`, input, { ALPACA_URL: api.url, ...ALPACA_KEYS });
    if (decided.decision === "none") await broker.call(tool, input);
    expect({ ...decided, placed: broker.placed.length }).toEqual({ ...expected, placed });
    expect(api.calls().map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v2/account",
      "GET /v2/positions",
      "GET /v2/orders?status=open&limit=200",
      "GET /v2/orders?status=closed&limit=500",
    ]);
  });

  it("asks the person about an order at Robinhood, whose account it cannot read", async () => {
    const [tool, input] = CALLS.Robinhood!(ORDERS.ok);
    expect(await decide(`mcp__robinhood__${tool}`, input)).toEqual({
      decision: "ask",
      reason: `WARN: stop_missing. To pass stop_missing: stop_loss 275.93. ${NO_ACCOUNT}`,
    });
    const evening = { dollar_amount: "100", market_hours: "extended_hours" };
    expect(await decide(`mcp__robinhood__${tool}`, { ...input, quantity: null, ...evening })).toEqual({
      decision: "ask",
      reason: `WARN: fraction, stop_missing. ${NO_ACCOUNT}`,
    });
  });

  it.each([
    [
      "a limit far above the price",
      { type: "limit", limit_price: "400", quantity: "1" },
      "STOP: limit_price_off_pct.",
    ],
    [
      "a stop order that would trigger at once",
      { type: "stop_market", stop_price: "280", quantity: "1" },
      "STOP: stop_price_side.",
    ],
  ])("denies %s at Robinhood", async (_, input, reason) => {
    const decided = await decide("mcp__robinhood__place_equity_order", {
      symbol: "AAPL",
      side: "buy",
      ...input,
    });
    expect(decided).toEqual({ decision: "deny", reason: expect.stringContaining(reason) });
  });

  const [stockTool, stockOrder] = CALLS.Alpaca!(ORDERS.ok);
  it("denies every order that it cannot check, and says why", async () => {
    const nowhere = "http://127.0.0.1:9";
    const cases: readonly (readonly [
      input: Fields,
      given: Readonly<Record<string, string>>,
      reason: string,
    ])[] = [
      [{ qty: "1", legs: [] }, {}, "it has several legs"],
      [{ qty: "1", side: "buy" }, {}, 'Invalid input for "check_order": symbol: is required'],
      [stockOrder, { MARKET_SIGNAL_KEY: "ms_live_none" }, "This is not an API key"],
      [stockOrder, { ALLOW_SAMPLE: "" }, "its prices are simulated"],
      [stockOrder, { MARKET_SIGNAL_URL: nowhere }, "fetch failed"],
      [stockOrder, { ...ALPACA_KEYS, ALPACA_URL: nowhere }, "fetch failed"],
    ];
    const decided = cases.map(([input, given]) => decide(`mcp__alpaca__${stockTool}`, input, given));
    expect(await Promise.all(decided)).toEqual(
      cases.map(([, , reason]) => ({ decision: "deny", reason: `The order was not checked: ${reason}` })),
    );
  });

  it("denies an order if no response arrives in time", async () => {
    const given = { MARKET_SIGNAL_URL: await silentServer() };
    expect(hook).toContain("AbortSignal.timeout(8_000)");
    const decided = await decide(`mcp__alpaca__${stockTool}`, stockOrder, given, hook.replace("8_000", "50"));
    expect(decided).toEqual({
      decision: "deny",
      reason: "The order was not checked: The operation was aborted due to timeout",
    });
  });
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;
describe.skipIf(!hasPython)("the advisor", () => {
  const HOST = fileURLToPath(new URL("../support/advisory-host", import.meta.url));
  const context = (notional_usd: number) => ({
    symbol: "AAPL",
    side: "buy",
    notional_usd,
    account_equity: 100_000,
    utilization_ratio: 0,
    open_position_count: 1,
    total_exposure_usd: 9_257,
    funding_usd: 100_000,
  });

  const ROWS_WITH_STOP = { ...ROWS, stop_loss: 265 };

  /** Runs the host with the advisor of the page over orders, each with what the connector knows of it. */
  async function host(
    orders: readonly (readonly [amount: number, rows: Fields | null])[],
    {
      stops = true,
      given = {},
      source = advisor,
    }: {
      readonly stops?: boolean;
      readonly given?: Readonly<Record<string, string>>;
      readonly source?: string;
    } = {},
  ) {
    const dir = tempDir();
    writeFileSync(join(dir, "market_signal_advisory.py"), source);
    const { child, seen, ended } = launch(["python3", join(HOST, "host.py")], {
      ...env,
      PYTHONPATH: dir,
      PYTHONDONTWRITEBYTECODE: "1",
      ...given,
    });
    const sent = orders.map(([amount, rows]) => ({ context: context(amount), rows }));
    child.stdin.end(JSON.stringify({ stops, orders: sent }));
    expect({ code: await ended, err: seen.err }).toEqual({ code: 0, err: "" });
    return JSON.parse(seen.out);
  }
  const result = (verdict: string, summary: unknown, concerns: readonly string[]) => ({
    provider: "market-signal",
    verdict,
    confidence: null,
    summary,
    concerns,
  });

  it("has about 30 lines and imports only the standard library and the host", () => {
    expect(advisor.trim().split("\n").length).toBeLessThanOrEqual(36);
    expect(advisor.match(/^(?:import|from) .*/gm)).toEqual([
      "import json, os, urllib.request",
      "from src.live.advisory import AdvisoryResult, PreTradeAdvisoryInterface, Verdict",
    ]);
  });

  it("returns APPROVE, concerns or REJECT with what the connector knows; a host that stops sends the first", async () => {
    const answer = await host([
      [2_853.8, { ...ROWS_WITH_STOP, quantity: 10 }],
      [2_853.8, ROWS_WITH_STOP],
      [142_690, { ...ROWS_WITH_STOP, quantity: 500 }],
    ]);
    expect(answer).toEqual({
      results: [
        result("APPROVE", `OK: no rule is broken. ${LOSS}`, ["unknown: spread"]),
        result("APPROVE_WITH_CONCERNS", `WARN: fraction. To pass fraction: quantity 10. ${LOSS}`, [
          "fraction: 2853.8 USD, limit whole units",
          "unknown: spread",
        ]),
        result("REJECT", `STOP: buying_power, trade_risk. ${STOPPED}`, [
          "buying_power: 142690 USD, limit 90743 USD",
          "trade_risk: 10.19 % of equity, limit 1 % of equity",
          "max_open_risk_pct: 10190 USD, limit 5797.81 USD",
          "position_share: 142.69 % of equity, limit 20 % of equity",
          "gross: 151.95 % of equity, limit 150 % of equity",
          "unknown: spread",
        ]),
      ],
      sent: [2_853.8],
    });
  });

  it("returns at best APPROVE_WITH_CONCERNS without the connector, and names what is unknown", async () => {
    expect(await host([[2_853.8, null]])).toEqual({
      results: [
        result(
          "APPROVE_WITH_CONCERNS",
          "WARN: stop_missing. To pass stop_missing: stop_loss 275.93. Not checked: open risk, concentration, correlation; send positions ([] if none). No view on direction.",
          [
            "stop_missing: none, limit a stop_loss",
            "unknown: open risk, concentration, correlation",
            "unknown: spread",
            "unknown: duplicates",
            "unknown: buying power",
            "unknown: loss of the day",
          ],
        ),
      ],
      sent: [],
    });
  });

  it("does not stop a host that sends every order", async () => {
    const { results, sent } = await host([[142_690, ROWS_WITH_STOP]], { stops: false });
    expect([results[0].verdict, sent]).toEqual(["REJECT", [142_690]]);
  });

  it("returns REVIEW_UNAVAILABLE without a server, with a refused key, and with simulated prices", async () => {
    const cases = [
      [{ MARKET_SIGNAL_URL: "http://127.0.0.1:9" }, /^not checked: .*refused/],
      [{ MARKET_SIGNAL_KEY: "ms_live_none" }, /^not checked: HTTP Error 401: Unauthorized$/],
      [{ ALLOW_SAMPLE: "" }, /^not checked: its prices are simulated$/],
    ] as const;
    const ran = cases.map(([given]) => host([[2_853.8, ROWS_WITH_STOP]], { given }));
    expect(await Promise.all(ran)).toEqual(
      cases.map(([, summary]) => ({
        results: [result("REVIEW_UNAVAILABLE", expect.stringMatching(summary), [])],
        sent: [],
      })),
    );
  });

  it("returns REVIEW_UNAVAILABLE if no response arrives in time", async () => {
    expect(advisor).toContain("timeout=8)");
    const given = { MARKET_SIGNAL_URL: await silentServer() };
    const source = advisor.replace("timeout=8)", "timeout=0.1)");
    expect(await host([[2_853.8, ROWS_WITH_STOP]], { given, source })).toEqual({
      results: [result("REVIEW_UNAVAILABLE", "not checked: timed out", [])],
      sent: [],
    });
  });
});

describe("the programs with the typed client", () => {
  beforeAll(async () => {
    const installed = join(suite.dir, "node_modules/market-signal");
    const { name, type, exports } = JSON.parse(documentText("package.json"));
    const routes = Object.fromEntries(Object.values<Tool>(catalogue).map((tool) => [tool.name, tool.route]));
    await build({
      entryPoints: [fileURLToPath(new URL("../../src/client/client.ts", import.meta.url))],
      outfile: join(installed, exports["./client"].default),
      bundle: true,
      format: "esm",
      plugins: [
        {
          name: "routes",
          setup: ({ onLoad }) =>
            onLoad({ filter: /src\/client\/tools\.ts$/ }, () => ({
              contents: `export const ROUTES = ${JSON.stringify(routes)}, STREAM_ROUTES = {};`,
            })),
        },
      ],
    });
    writeFileSync(join(installed, "package.json"), JSON.stringify({ name, type, exports }));
  });

  let files = 0;
  /** Imports a program of the page with its settings. */
  async function program(source: string, given: Readonly<Record<string, string>> = {}): Promise<any> {
    for (const [name, value] of Object.entries({ ...env, ...given })) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const file = join(suite.dir, `program-${++files}.mjs`);
    writeFileSync(file, source);
    return import(/* @vite-ignore */ pathToFileURL(file).href);
  }

  it.each([
    ["ok", null],
    ["warn", WARNING],
    ["stop", `STOP: buying_power, trade_risk. ${STOPPED}`],
  ] as const)("the guard returns why an order must not be sent: %s", async (verdict, expected) => {
    const { check } = await program(guard);
    expect(await check({ ...ORDERS[verdict], ...ROWS })).toBe(expected);
  });

  it.each([
    [
      "no server",
      { MARKET_SIGNAL_URL: "http://127.0.0.1:9" },
      "The order was not checked: There is no connection to http://127.0.0.1:9",
    ],
    [
      "a refused key",
      { MARKET_SIGNAL_KEY: "ms_live_none" },
      "The order was not checked: This is not an API key",
    ],
    ["simulated prices", { ALLOW_SAMPLE: "" }, "The order was not checked: its prices are simulated"],
  ])("the guard refuses with %s", async (_, given, expected) => {
    const { check } = await program(guard, given);
    expect(await check({ ...ORDERS.ok, ...ROWS })).toBe(expected);
  });

  it("the guard refuses if no response arrives in time", async () => {
    const given = { MARKET_SIGNAL_URL: await silentServer() };
    const { check } = await program(guard.replace("8_000", "50"), given);
    expect(await check({ ...ORDERS.ok, ...ROWS })).toBe(
      "The order was not checked: The operation was aborted due to timeout",
    );
  });

  describe.each([
    {
      name: "Robinhood",
      connect: robinhood,
      tools: "get_portfolio get_equity_positions get_equity_orders get_equity_quotes",
    },
    {
      name: "Alpaca",
      connect: alpaca,
      tools: "get_account_info get_all_positions get_orders get_stock_latest_quote",
    },
  ])("own code with $name", ({ name, connect, tools }) => {
    const [account, positions, orders, quote] = tools.split(" ") as [string, string, string, string];

    async function run(verdict: Verdict, agrees: boolean, given: Readonly<Record<string, string>> = {}) {
      const broker = await connect();
      onTestFinished(() => broker.close());
      const { placeChecked } = await program(ownCode, given);
      const connection = {
        account: () => readField(broker, "account", account),
        positions: () => readField(broker, "positions", positions),
        orders: () => readField(broker, "open_orders", orders),
        quote: () => readField(broker, "quote", quote),
        place: (order: Fields) => broker.call(...CALLS[name]!(order)),
      };
      const asked: string[] = [];
      const agree = async ({ summary }: CheckAnswer) => {
        asked.push(summary);
        return agrees;
      };
      const ran = placeChecked(ORDERS[verdict], connection, agree).catch(({ message }: Error) => message);
      return { ran: await ran, asked, placed: broker.placed.length };
    }

    it.each([
      ["ok", false, [], 1],
      ["warn", false, [WARNING], 0],
      ["warn", true, [WARNING], 1],
      ["stop", true, [], 0],
    ] as const)(
      "checks %s (the person agrees: %s), and places the order if it may",
      async (verdict, agrees, asked, placed) => {
        const { ran, ...rest } = await run(verdict, agrees);
        expect(ran.answer.verdict).toBe(verdict);
        expect("placed" in ran).toBe(placed === 1);
        expect(rest).toEqual({ asked, placed });
      },
    );

    it("places nothing if the order was not checked", async () => {
      expect(await run("ok", true, { ALLOW_SAMPLE: "" })).toEqual({
        ran: "The prices of the check are simulated",
        asked: [],
        placed: 0,
      });
      const { ran, ...rest } = await run("ok", true, { MARKET_SIGNAL_URL: "http://127.0.0.1:9" });
      expect(ran).toContain("127.0.0.1:9");
      expect(rest).toEqual({ asked: [], placed: 0 });
    });
  });
});

describe("the rows of Alpaca's orders", () => {
  it("are read with their legs beside them, and refused with the legs inside", async () => {
    const api = await alpacaAccount();
    const broker = await alpacaMcp(api.account, PRICE);
    const mcp = await httpClient(new URL(`${installation.url}/api/mcp`), key);
    onTestFinished(async () => {
      await mcp.close();
      await broker.close();
    });
    const bracket = {
      ...CALLS.Alpaca!(ORDERS.ok)[1],
      type: "limit",
      limit_price: "270",
      order_class: "bracket",
    };
    await broker.call("place_stock_order", { ...bracket, take_profit_limit_price: "320" });
    const check = async (nested: boolean) => {
      const { result } = await broker.call("get_orders", { status: "all", nested });
      const { verdict, rules } = await checkOver(mcp, { ...ORDERS.ok, ...ROWS, open_orders: result });
      return { verdict, rules: rules.map(({ rule }) => rule) };
    };
    expect(await check(false)).toEqual({ verdict: "warn", rules: ["duplicate"] });
    await expect(check(true)).rejects.toThrow(/leave out "legs"/);
  });
});
