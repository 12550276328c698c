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
import { type CheckAnswer, CheckInput, CheckSide } from "../../src/domain/check/check.ts";
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

/** An answer that every program accepts for 10 AAPL. */
const ANSWER = {
  ok: true,
  market: "live",
  verdict: "ok",
  summary: "OK",
  order: "buy 10 AAPL, at the market; opens",
  rules: [],
  unknown: [],
  price: { value: 285.38, session: "regular" },
};
const REFUSED_KEY =
  "This is not an API key. A key is ms_live_ or ms_test_ followed by 38 letters and digits; check that it was copied completely.";
const SIDES = CheckSide.options.map((side) => `"${side}"`).join("|");
const UNREADABLE = "the answer cannot be read";
/** Answers that no program counts, each with the reason. */
const NOT_COUNTED: readonly (readonly [name: string, answer: Fields, reason: string])[] = [
  ["only a verdict", { verdict: "ok" }, UNREADABLE],
  ["no market", { ...ANSWER, market: undefined }, UNREADABLE],
  ["another market", { ...ANSWER, market: "paper" }, UNREADABLE],
  ["no ok", { ...ANSWER, ok: undefined }, UNREADABLE],
  ["ok false", { ...ANSWER, ok: false }, UNREADABLE],
  ["ok as text", { ...ANSWER, ok: "true" }, UNREADABLE],
  ["a list of verdicts", { ...ANSWER, verdict: ["ok"] }, UNREADABLE],
  ["the verdict toString", { ...ANSWER, verdict: "toString" }, UNREADABLE],
  ["the verdict __proto__", { ...ANSWER, verdict: "__proto__" }, UNREADABLE],
  ["a verdict in capitals", { ...ANSWER, verdict: "OK" }, UNREADABLE],
  ["another stock", { ...ANSWER, order: "buy 10 MSFT, at the market; opens" }, "the answer is of MSFT"],
  [
    "an amount of another",
    { ...ANSWER, order: "buy 9 USD, about 1 KO, limit 9; opens" },
    "the answer is of KO",
  ],
  [
    "the price of a coin",
    { ...ANSWER, price: { value: 1, session: "always_open" } },
    "the price is of another class",
  ],
];
/** A server that answers every request the same. */
async function answeringServer(answer: unknown): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  });
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
const STOPPED = `Largest quantity that passes the rules on size: 49. Loss at the stop 10190.00 USD (10.19 % of equity); the worst of 1000 nights would have cost 10018.99 USD. ${ODDS}`;

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
      [{ qty: "1", side: "buy" }, {}, "it has no symbol"],
      [
        { ...stockOrder, side: "hold" },
        {},
        `Invalid input for "check_order": side: must be one of ${SIDES}. Fields: ${Object.keys(CheckInput).join(", ")}.`,
      ],
      [stockOrder, { MARKET_SIGNAL_KEY: "ms_live_none" }, REFUSED_KEY],
      [stockOrder, { ALLOW_SAMPLE: "" }, "its prices are simulated"],
      [stockOrder, { MARKET_SIGNAL_URL: nowhere }, "fetch failed"],
      [stockOrder, { ...ALPACA_KEYS, ALPACA_URL: nowhere }, "fetch failed"],
    ];
    const decided = cases.map(([input, given]) => decide(`mcp__alpaca__${stockTool}`, input, given));
    expect(await Promise.all(decided)).toEqual(
      cases.map(([, , reason]) => ({ decision: "deny", reason: `The order was not checked: ${reason}` })),
    );
  });

  /** Decisions on orders of a tool, all at once. */
  const decideAll = (tool: string, inputs: readonly Fields[]) =>
    Promise.all(inputs.map((input) => decide(tool, input)));
  const notChecked = (reason: string) => ({
    decision: "deny",
    reason: `The order was not checked: ${reason}`,
  });

  it.each([
    ["quantity", { qty: "500" }, { quantity: "10" }],
    ["notional", { dollar_amount: "50000" }, { notional: "10" }],
    ["extended_hours", { market_hours: "extended_hours" }, { extended_hours: false }],
  ])("denies an order that sets %s twice, in either order", async (field, one, other) => {
    const order = { symbol: "AAPL", side: "buy" };
    const inputs = [
      { ...order, ...one, ...other },
      { ...order, ...other, ...one },
    ];
    const names = [Object.keys(other)[0], Object.keys(one)[0]];
    expect(await decideAll("mcp__alpaca__place_stock_order", inputs)).toEqual(
      names.map((name) => notChecked(`"${name}" sets ${field} a second time`)),
    );
  });

  it("takes the intent of a position only if it is of the side", async () => {
    const option = { symbol: "AAPL261218C00320000", qty: "1", type: "limit", limit_price: "5" };
    const sides = [
      { side: "buy", position_intent: "sell_to_close" },
      { position_intent: "buy_to_open", side: "sell" },
      { position_intent: "buy_to_open" },
      { side: "sell", position_intent: "sell_to_open" },
      { side: "buy", position_intent: "buy_to_open" },
    ];
    const decided = await decideAll(
      "mcp__alpaca__place_option_order",
      sides.map((side) => ({ ...option, ...side })),
    );
    const differ = notChecked("side and position_intent differ");
    expect(decided).toEqual([
      differ,
      differ,
      differ,
      { decision: "ask", reason: expect.stringContaining("([] if none). Breakeven 325. ") },
      { decision: "ask", reason: expect.stringContaining(". Maximum loss 500.00 USD, breakeven 325. ") },
    ]);
  });

  it.each([
    "stop_loss_limit_price",
    "trail_amount",
    "stop_loss",
    "take_profit",
    "legs",
    "advanced_instructions",
    "as_of",
    "account",
    "constructor",
    "__proto__",
  ])("denies an order with the field %s, which it does not know", async (name) => {
    const input = JSON.parse(`{"symbol":"AAPL","side":"buy","qty":"10","${name}":"900"}`);
    expect(await decide("mcp__alpaca__place_stock_order", input)).toEqual(
      notChecked(`its field "${name}" is not one that is checked`),
    );
  });

  it("takes fields that change no result of the check, and fields that are null", async () => {
    const order = { symbol: "AAPL", side: "buy", qty: "10" };
    const others = {
      account_number: "STANDIN42",
      client_order_id: "one",
      ref_id: "two",
      time_in_force: "gtc",
      order_class: "simple",
      quantity: null,
      stop_loss_limit_price: null,
    };
    const [alone, decided] = await decideAll("mcp__alpaca__place_stock_order", [
      order,
      { ...order, ...others },
    ]);
    expect(decided).toEqual(alone);
    expect(alone).toEqual({ decision: "ask", reason: expect.stringContaining("WARN: stop_missing.") });
  });

  it("sends the type market for an order without a type, as the broker reads it", async () => {
    const input = { symbol: "AAPL", side: "buy", qty: "10", limit_price: "280" };
    expect(await decide("mcp__alpaca__place_stock_order", input)).toEqual(
      notChecked("A market order takes no limit_price. Leave limit_price out, or set another type."),
    );
  });

  it("takes the hours of Robinhood's whole day for extended hours", async () => {
    const input = { symbol: "AAPL", side: "buy", dollar_amount: "100", type: "market" };
    const hours = ["regular_hours", "extended_hours", "all_day_hours"];
    const decided = await decideAll(
      "mcp__robinhood__place_equity_order",
      hours.map((market_hours) => ({ ...input, market_hours })),
    );
    expect(decided.map(({ reason }) => reason.split(".")[0])).toEqual([
      "WARN: stop_missing",
      "WARN: fraction, stop_missing",
      "WARN: fraction, stop_missing",
    ]);
  });

  it.each([
    ["stock", "BTC", "This market has no bars of BTC.US. "],
    ["stock", "Apple", 'No instrument is known as "Apple.US". Did you mean AAPL (Apple)?'],
    ["stock", "FB", "the answer is of META"],
    ["stock", "BTC/USD", 'No instrument is known as "BTC/USD.US". '],
    ["stock", "AAPL261218C00320000", 'No instrument is known as "AAPL261218C00320000.US". '],
    ["crypto", "BTC", "the answer is of BTC-USD"],
    ["crypto", "BTC/USDT", "the answer is of BTC-USD"],
    ["crypto", "bitcoin", "the answer is of BTC-USD"],
    ["option", "AAPL", "the answer is of AAPL"],
    ["option", "AAPL 2026-12-18 320 call", "the answer is of AAPL 2026-12-18 320 call"],
    ["option", "AAPL 12/18/2026 320 C", "the answer is of AAPL 2026-12-18 320 call"],
  ])("denies an order with the %s tool for %s", async (kind, symbol, reason) => {
    const decided = await decide(`mcp__alpaca__place_${kind}_order`, { symbol, side: "buy", qty: "1" });
    expect(decided).toEqual({
      decision: "deny",
      reason: expect.stringContaining(`The order was not checked: ${reason}`),
    });
  });

  it.each([
    ["stock", "AAPL"],
    ["stock", "BRK.B"],
    ["crypto", "BTC/USD"],
    ["option", "AAPL261218P00322500"],
  ])("checks an order with the %s tool for %s", async (kind, symbol) => {
    const decided = await decide(`mcp__alpaca__place_${kind}_order`, { symbol, side: "buy", qty: "1" });
    expect(decided).toEqual({ decision: "ask", reason: expect.stringContaining("WARN: ") });
  });

  it("takes the symbol of a fund with the ticker of a coin as it is answered", async () => {
    const order = "buy 5 USD, about 0.1 BTC.US, at the market; opens";
    const given = { MARKET_SIGNAL_URL: await answeringServer({ ...ANSWER, order }) };
    const input = { symbol: "BTC", side: "buy", notional: "5" };
    expect(await decide("mcp__alpaca__place_stock_order", input, given)).toEqual({
      decision: "none",
      reason: "",
    });
  });

  it.each(NOT_COUNTED)("denies an order on an answer with %s", async (_, answer, reason) => {
    const given = { MARKET_SIGNAL_URL: await answeringServer(answer) };
    expect(await decide("mcp__alpaca__place_stock_order", stockOrder, given)).toEqual(notChecked(reason));
  });

  it("denies an order on an answer that is no object, or has no summary", async () => {
    const answers = [null, [], "ok", { ...ANSWER, summary: { toString: 1 } }];
    const decided = answers.map(async (answer) =>
      decide("mcp__alpaca__place_stock_order", stockOrder, {
        MARKET_SIGNAL_URL: await answeringServer(answer),
      }),
    );
    expect((await Promise.all(decided)).map(({ decision }) => decision)).toEqual(answers.map(() => "deny"));
  });

  it("says nothing on an answer that counts", async () => {
    const given = { MARKET_SIGNAL_URL: await answeringServer(ANSWER) };
    expect(await decide("mcp__alpaca__place_stock_order", stockOrder, given)).toEqual({
      decision: "none",
      reason: "",
    });
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
  const contextOf = (notional_usd: number, changed: Fields) => ({
    symbol: "AAPL",
    side: "buy",
    notional_usd,
    account_equity: 100_000,
    utilization_ratio: 0,
    open_position_count: 1,
    total_exposure_usd: 9_257,
    funding_usd: 100_000,
    ...changed,
  });

  const ROWS_WITH_STOP = { ...ROWS, stop_loss: 265 };

  /** Runs the host with the advisor of the page over orders, each with what the connector knows of it. */
  async function host(
    orders: readonly (readonly [amount: number, rows: Fields | null])[],
    {
      stops = true,
      changed = {},
      given = {},
      source = advisor,
    }: {
      readonly stops?: boolean;
      /** Fields of the context that differ. */
      readonly changed?: Fields;
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
    const sent = orders.map(([amount, rows]) => ({ context: contextOf(amount, changed), rows }));
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

  it("has at most 100 lines and imports only the standard library and the host", () => {
    expect(advisor.trim().split("\n").length).toBeLessThanOrEqual(100);
    expect(advisor.match(/^(?:import|from) .*/gm)).toEqual([
      "import json, os, re, urllib.error, urllib.request",
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
      [{ MARKET_SIGNAL_KEY: "ms_live_none" }, new RegExp(`^not checked: ${REFUSED_KEY}$`)],
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

  /** Runs one order, and returns its verdict with the reason. */
  async function review(rows: Fields | null, options: Parameters<typeof host>[1] = {}) {
    const { results } = await host([[2_853.8, rows]], options);
    return `${results[0].verdict}: ${results[0].summary}`;
  }

  it.each([
    ["quantity", { quantity: 500 }, "amount is 2853.80 in the context, 142690.00 in read"],
    ["quantity as text", { quantity: "9.8" }, "amount is 2853.80 in the context, 2796.72 in read"],
    [
      "quantity at a limit",
      { quantity: 10, limit_price: 280, type: "limit" },
      "amount is 2853.80 in the context, 2800.00 in read",
    ],
    ["amount", { notional: 2_900 }, "amount is 2853.80 in the context, 2900.00 in read"],
    [
      "equity",
      { quantity: 10, account: { equity: "50,000.00", buying_power: "100000" } },
      "equity is 100000.00 in the context, 50000.00 in read",
    ],
    [
      "total value",
      { quantity: 10, account: { total_value: "$98999", cash: "100000" } },
      "equity is 100000.00 in the context, 98999.00 in read",
    ],
    [
      "nested equity",
      { quantity: 10, account: { balances: { netLiquidation: 101_001 } } },
      "equity is 100000.00 in the context, 101001.00 in read",
    ],
    [
      "equity as an amount",
      { quantity: 10, account: { net_liquidation: { amount: 5, currency: "USD" } } },
      "equity is 100000.00 in the context, 5.00 in read",
    ],
    ["symbol", { symbol: "MSFT", quantity: 10 }, "symbol is AAPL in the context, MSFT in read"],
    ["side", { side: "sell", quantity: 10 }, "side is buy in the context, sell in read"],
  ])("returns REVIEW_UNAVAILABLE if the connector has another %s", async (_, rows, reason) => {
    expect(await review({ ...ROWS_WITH_STOP, ...rows })).toBe(`REVIEW_UNAVAILABLE: not checked: ${reason}`);
  });

  it.each([
    [
      "figures within 1 %",
      { ...ROWS_WITH_STOP, quantity: 10, account: { ...ROWS.account, equity: "99100" } },
      {},
    ],
    ["no amount in the context", { ...ROWS_WITH_STOP, quantity: 10 }, { notional_usd: null }],
    ["no equity in the context", { ...ROWS_WITH_STOP, quantity: 10 }, { account_equity: null }],
  ])("reviews an order with %s", async (_, rows, changed) => {
    expect(await review(rows, { changed })).toMatch(/^APPROVE: OK: no rule is broken\./);
  });

  it.each(["BTC", "Apple", "BTC/USD"])("returns REVIEW_UNAVAILABLE for the symbol %s", async (symbol) => {
    const read = symbol === "Apple" ? "AAPL" : "BTC-USD";
    expect(await review(null, { changed: { symbol } })).toBe(
      `REVIEW_UNAVAILABLE: not checked: the answer is of ${read}`,
    );
  });

  it("shows the reason and the hint of a refused request", async () => {
    expect(await review({ ...ROWS_WITH_STOP, qty: 500, quantity: 10 })).toMatch(
      /^REVIEW_UNAVAILABLE: not checked: Invalid input for "check_order": qty: unknown field; quantity is given too\. Fields: symbol, side, /,
    );
    expect(await review({ ...ROWS_WITH_STOP, quantity: 10, notional: 2_853.8 })).toBe(
      "REVIEW_UNAVAILABLE: not checked: Pass one of quantity and notional. Set quantity, or notional in USD.",
    );
    expect(await review(null, { changed: { symbol: "AAPLE" } })).toMatch(
      /^REVIEW_UNAVAILABLE: not checked: No instrument is known as "AAPLE"\. Did you mean AAPL/,
    );
  });

  it.each(NOT_COUNTED)("returns REVIEW_UNAVAILABLE on an answer with %s", async (_, answer, reason) => {
    const given = { MARKET_SIGNAL_URL: await answeringServer(answer) };
    expect(await review(null, { given })).toBe(`REVIEW_UNAVAILABLE: not checked: ${reason}`);
  });

  it("returns APPROVE on an answer that counts", async () => {
    const given = { MARKET_SIGNAL_URL: await answeringServer(ANSWER) };
    expect(await review(null, { given })).toBe("APPROVE: OK");
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
      "The order was not checked: There is no connection to http://127.0.0.1:9. Check that the server runs and that the URL is right.",
    ],
    ["a refused key", { MARKET_SIGNAL_KEY: "ms_live_none" }, `The order was not checked: ${REFUSED_KEY}`],
    ["simulated prices", { ALLOW_SAMPLE: "" }, "The order was not checked: its prices are simulated"],
  ])("the guard refuses with %s", async (_, given, expected) => {
    const { check } = await program(guard, given);
    expect(await check({ ...ORDERS.ok, ...ROWS })).toBe(expected);
  });

  it.each(NOT_COUNTED)("the guard refuses on an answer with %s", async (_, answer, reason) => {
    const { check } = await program(guard, { MARKET_SIGNAL_URL: await answeringServer(answer) });
    expect(await check(ORDERS.ok)).toBe(`The order was not checked: ${reason}`);
  });

  it("the guard returns null on an answer that counts", async () => {
    const { check } = await program(guard, { MARKET_SIGNAL_URL: await answeringServer(ANSWER) });
    expect(await check(ORDERS.ok)).toBeNull();
  });

  it("the guard refuses an order with two spellings of a field, and symbols that are answered otherwise", async () => {
    const { check } = await program(guard);
    const cases: readonly (readonly [changed: Fields, reason: string])[] = [
      [{ qty: 500 }, 'Invalid input for "check_order": qty: unknown field; quantity is given too. '],
      [{ notional: 9 }, "Pass one of quantity and notional. Set quantity, or notional in USD."],
      [
        { stop_loss_limit_price: 900 },
        'Invalid input for "check_order": stop_loss_limit_price: unknown field',
      ],
      [{ symbol: "BTC" }, "the answer is of BTC-USD"],
      [{ symbol: "Apple" }, "the answer is of AAPL"],
    ];
    for (const [changed, reason] of cases)
      expect(await check({ ...ORDERS.ok, ...ROWS, ...changed })).toContain(
        `The order was not checked: ${reason}`,
      );
    expect(await check({ ...ORDERS.ok, ...ROWS, symbol: "AAPL.US" })).toBeNull();
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

    async function run(
      verdict: Verdict,
      agrees: boolean,
      given: Readonly<Record<string, string>> = {},
      changed: Fields = {},
    ) {
      const broker = await connect();
      onTestFinished(() => broker.close());
      writeFileSync(join(suite.dir, `guard-${++files}.mjs`), guard);
      const { placeChecked } = await program(ownCode.replace("./guard.mjs", `./guard-${files}.mjs`), given);
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
      const ran = placeChecked({ ...ORDERS[verdict], ...changed }, connection, agree).catch(
        ({ message }: Error) => message,
      );
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
        ran: "its prices are simulated",
        asked: [],
        placed: 0,
      });
      const { ran, ...rest } = await run("ok", true, { MARKET_SIGNAL_URL: "http://127.0.0.1:9" });
      expect(ran).toContain("127.0.0.1:9");
      expect(rest).toEqual({ asked: [], placed: 0 });
    });

    it.each([
      [{ qty: 500 }, 'Invalid input for "check_order": qty: unknown field; quantity is given too'],
      [{ symbol: "Apple" }, "the answer is of AAPL"],
      [{ symbol: "BTC", stop_loss: undefined }, "the answer is of BTC-USD"],
    ])("places nothing with %j", async (changed, ran) => {
      expect(await run("ok", true, {}, changed)).toEqual({ ran, asked: [], placed: 0 });
    });

    it.each(NOT_COUNTED)("places nothing on an answer with %s", async (_, answer, ran) => {
      const given = { MARKET_SIGNAL_URL: await answeringServer(answer) };
      expect(await run("ok", true, given)).toEqual({ ran, asked: [], placed: 0 });
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
