import { createHash } from "node:crypto";
import { Client, SSEClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { skillEntry } from "@modelcontextprotocol/server/ext/skills";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { catalogue } from "../src/app/catalogue.ts";
import { createSkills } from "../src/app/skills.ts";
import type { Skill } from "../src/domain/skills-port.ts";
import { jsonSchemaOf } from "../src/kernel/publish.ts";
import type { Tool } from "../src/kernel/tool.ts";
import { createTradingFixture } from "./support/account-fixtures.ts";
import { useInstallation } from "./support/installation.ts";
import { type McpResult, mcpData } from "./support/mcp-data.ts";
import { refusedInModelText } from "./support/model-texts.ts";
import { connectOverStdio } from "./support/stdio-client.ts";
import { movingClock } from "./support/store.ts";
import { httpClient, info } from "./transports/mcp/clients.ts";

const NOW = "2026-07-01T14:00:00.000Z";
const skills = createSkills().all();
const names = skills.map(({ name }) => name);
const tools = new Map(Object.values<Tool>(catalogue).map((tool) => [tool.name, tool]));
const uriOf = (name: string) => `skill://${name}/SKILL.md`;

/** Words in backticks: names of tools, and of fields of their inputs and answers. */
const wordsOf = ({ instructions }: Skill): readonly string[] => [
  ...new Set([...instructions.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)),
];
const toolsIn = (skill: Skill): readonly Tool[] => wordsOf(skill).flatMap((word) => tools.get(word) ?? []);
const fieldsIn = (skill: Skill): readonly string[] => wordsOf(skill).filter((word) => !tools.has(word));

/** Names of the fields of a schema, at any depth. */
function fieldsOfSchema(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, ...rest } = schema as { properties?: object };
  return [
    ...Object.keys(properties),
    ...[...Object.values(properties), ...Object.values(rest)].flatMap(fieldsOfSchema),
  ];
}

/** Names of the members of an answer, at any depth. */
function fieldsOfAnswer(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(fieldsOfAnswer);
  return Array.isArray(value) ? below : [...Object.keys(value), ...below];
}

const AAPL = { symbol: "AAPL" };
const WEEK = { from: "2026-06-24", to: "2026-07-01" };
/** What the account and the market of the test have. */
interface Own {
  readonly order_id: string;
  readonly connection_id: string;
  /** Price of AAPL. */
  readonly price: number;
}
type Step = readonly [tool: string, input: Readonly<Record<string, unknown>>];
/** The calls that the steps of each skill describe, in their order. */
const STEPS: Readonly<Record<string, (own: Own) => readonly Step[]>> = {
  "check-order-first": ({ price }) => [
    [
      "check_order",
      {
        ...{ ...AAPL, side: "buy", quantity: 400, type: "limit", limit_price: Math.floor(price) },
        ...{
          stop_loss: Math.floor(price * 0.9),
          take_profit: Math.ceil(price * 1.2),
          horizon: 10,
          receipt: true,
        },
        account: { equity: 50_000, buying_power: 40_000 },
        positions: [{ symbol: "MSFT", quantity: 20, average_price: 400, price: 410 }],
        open_orders: [{ symbol: "KO", side: "buy", quantity: 5, limit_price: 50 }],
        recent_trades: [{ symbol: "KO", side: "buy", quantity: 1, price: 60, at: "2026-06-30T15:00:00Z" }],
        quote: { price, bid: price - 0.01, ask: price + 0.01, at: NOW },
      },
    ],
    ["check_order", { ...AAPL, side: "sell", notional: 500 }],
    ["check_order", { ...AAPL, side: "buy", quantity: 1, type: "stop", stop_price: 2_000 }],
    ["check_order", { ...AAPL, side: "sell", quantity: 1, trail_percent: 5, extended_hours: true }],
    ["check_order", { ...AAPL, side: "sell", quantity: 1, trail_amount: 5 }],
  ],
  "plan-a-trade": ({ connection_id }) => [
    ["resolve_symbol", { query: "apple" }],
    ["get_quote", AAPL],
    ["get_signal", { ...AAPL, timeframe: "1d" }],
    ["explain_signal", AAPL],
    ["get_track_record", { grade: "B", direction: "LONG" }],
    ["get_odds", { ...AAPL, stop: "-5%", target: "8%" }],
    ["get_calendar", { symbols: ["AAPL"] }],
    [
      "preview_trade",
      { ...AAPL, connection_id, side: "buy", stop_loss: "1", take_profit: "9000", risk_pct: "1" },
    ],
    ["check_order", { ...AAPL, side: "buy", quantity: 5, account: { equity: 50_000 }, positions: [] }],
  ],
  morning: () => [
    ["get_health", {}],
    ["get_calendar", { from: "2026-07-01", to: "2026-08-01" }],
    ["list_positions", {}],
    ["what_changed", { symbols: ["AAPL", "MSFT"], since: "2026-06-01" }],
    ["get_quotes", { symbols: ["AAPL", "MSFT"] }],
    ["get_news", { ...AAPL, hours: 24 }],
    ["review_portfolio", {}],
    ["get_risk_limits", {}],
    ["get_movers", {}],
  ],
  "earnings-week": () => [
    ["list_positions", {}],
    ["get_calendar", { type: "earnings", symbols: ["AAPL", "MSFT"], from: "2026-07-01", to: "2026-08-01" }],
    ["get_earnings", AAPL],
    ["get_history", { ...AAPL, from: "2026-04-20", to: "2026-05-08" }],
    ["get_odds", { ...AAPL, horizon: 20 }],
    ["get_option_chain", AAPL],
    ["get_prediction_markets", AAPL],
    ["get_news", { ...AAPL, hours: 72 }],
    ["check_order", { ...AAPL, side: "sell", quantity: 2, positions: [{ symbol: "AAPL", quantity: 5 }] }],
  ],
  "review-my-week": ({ order_id }) => [
    ["get_trade_journal", WEEK],
    ["get_history", { ...AAPL, timeframe: "1h", from: "2026-06-24", to: "2026-06-30" }],
    ["get_risk_limits", {}],
    ["list_positions", {}],
    ["review_portfolio", {}],
    ["get_track_record", { horizon: 20 }],
    ["write_journal_note", { order_id, note: "Sold before the plan said so." }],
    ["get_trade_journal", { ...WEEK, to: "2026-07-02" }],
  ],
  "is-this-claim-true": () => [
    ["resolve_symbol", { query: "apple" }],
    ["get_history", { ...AAPL, from: "2026-01-02", to: "2026-06-30" }],
    ["get_history", { symbol: "SPY", from: "2026-01-02", to: "2026-06-30" }],
    ["get_corporate_actions", AAPL],
    ["get_company_facts", { ...AAPL, limit: 1 }],
    ["get_earnings", AAPL],
    ["get_odds", { ...AAPL, levels: "+10%", horizon: 20 }],
    [
      "record_claim",
      { ...AAPL, author: "A post", side: "LONG", target: 1e5, stop: 1, deadline: "in 30 days" },
    ],
    [
      "run_backtest",
      { ...AAPL, strategy: "rules", rules: { entry: "rsi(14) < 30", exit: "rsi(14) > 60" }, picture: false },
    ],
    ["get_claims", { author: "A post" }],
    ["get_track_record", {}],
    ["get_insider_trades", AAPL],
    ["get_congress_trades", { limit: 5 }],
    ["get_prediction_markets", AAPL],
    ["get_news", AAPL],
    ["get_quote", AAPL],
    ["get_short_interest", AAPL],
    ["get_options_flow", AAPL],
    ["find_tools", { query: "did insiders buy this stock" }],
  ],
};
/** Codes of errors that say that a value of the call was wrong, or that the tool failed. */
const BROKEN =
  /^(INVALID_INPUT|INTERNAL|NOT_FOUND|UNKNOWN_SYMBOL|NOT_CONNECTED|PLAN_REQUIRED|SCOPE_REQUIRED)/;
/** Fields of the rows of a record: a new installation has none, and says so in `reason`. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  "is-this-claim-true": ["hit_rate", "base_rate"],
  "plan-a-trade": ["hit_rate", "base_rate"],
  "review-my-week": ["hit_rate", "base_rate"],
};

const clock = movingClock(new Date(NOW));
const installation = useInstallation("sample", {}, { clock });
let client: Client;
let overSse: Client;
let overStdio: Client;
let key: string;
let own: Own;
beforeAll(async () => {
  const { app, url } = installation;
  await app.engine.run({ universe: { name: "all" } });
  ({ key } = await installation.key("enterprise", ["read", "write", "trade:paper"]));
  client = await httpClient(new URL(`${url}/api/mcp?toolsets=all`), key);
  overStdio = await connectOverStdio(installation, { name: info.name });
  overSse = await sseClient();
  const call = async (name: string, input: object) =>
    mcpData((await client.callTool({ name, arguments: { ...input } })) as McpResult) as any;
  const { connection_id } = await createTradingFixture(app.ports, await app.authenticate(key, "127.0.0.1"));
  const trade = async (order: object) => {
    const { ticket_id } = await call("preview_trade", { connection_id, ...order });
    const { order: placed } = await call("execute_trade", { ticket_id });
    return placed.order_id as string;
  };
  const order_id = await trade({ ...AAPL, side: "buy", quantity: "5" });
  clock.pass(120_000);
  await trade({ ...AAPL, side: "sell", quantity: "2" });
  const { data } = await call("get_quote", AAPL);
  own = { connection_id: connection_id!, order_id, price: data.price };
}, 180_000);
afterAll(async () => {
  await client?.close();
  await overSse?.close();
  await overStdio?.close();
});

/** A client of the same installation over HTTP+SSE. */
async function sseClient(): Promise<Client> {
  const authorization = { authorization: `Bearer ${key}` };
  const made = new Client(info);
  await made.connect(
    new SSEClientTransport(new URL(`${installation.url}/api/mcp/sse`), {
      requestInit: { headers: authorization },
      eventSourceInit: {
        fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...authorization } }),
      },
    }),
  );
  return made;
}

it("serves the six skills, each in the folder of its name", () => {
  expect(names).toEqual(Object.keys(STEPS).sort());
});

describe.each(skills)("the skill $name", (skill) => {
  it("has a description that says when to use it, and 12 to 25 short steps", () => {
    const { description, instructions, fields } = skill;
    expect(description).toMatch(/ Use it when/);
    expect(description.length).toBeLessThanOrEqual(1_024);
    expect(fields.license).toBe("MIT");
    const steps = instructions.match(/^\d+\. .*/gm) ?? [];
    expect(steps.length).toBeGreaterThanOrEqual(12);
    expect(steps.length).toBeLessThanOrEqual(25);
    expect(steps.map((step) => Number.parseInt(step, 10))).toEqual(steps.map((_, i) => i + 1));
    expect(steps.filter((step) => step.length > 320)).toEqual([]);
  });

  it("has the entry that the library makes of its file", async () => {
    expect(await skillEntry(skill.name, { "SKILL.md": skill.file })).toEqual(
      await entryOver(client, skill.name),
    );
  });

  it("names the simulated market, and contains no command line, path or URL parameter", () => {
    expect(skill.instructions).toMatch(/simulated/);
    expect(refusedInModelText(skill.file)).toEqual([]);
  });

  it("names only tools of the catalogue, and fields of the tools that it names", () => {
    const known = new Set(
      toolsIn(skill).flatMap(({ input, output }) => [
        ...fieldsOfSchema(jsonSchemaOf(input, "input")),
        ...fieldsOfSchema(jsonSchemaOf(output, "output")),
      ]),
    );
    expect(fieldsIn(skill).filter((field) => !known.has(field))).toEqual([]);
    const words = skill.instructions.replaceAll(/`[^`]+`/g, "").match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
    expect(words.filter((word) => tools.has(word))).toEqual([]);
  });

  it("has steps that work on the sample market, with every field that they name", async () => {
    const steps = STEPS[skill.name]!(own);
    expect(new Set(steps.map(([name]) => name))).toEqual(new Set(toolsIn(skill).map(({ name }) => name)));
    const present = new Set<string>();
    const failed: string[] = [];
    for (const [name, input] of steps) {
      clock.pass(60_000);
      const result = (await client.callTool({ name, arguments: { ...input } })) as McpResult & {
        readonly isError?: boolean;
      };
      const text = result.content.find(({ type }) => type === "text")?.text ?? "";
      if (result.isError && BROKEN.test(text)) failed.push(`${name}: ${text}`);
      for (const field of fieldsOfAnswer(input)) present.add(field);
      if (!result.isError) for (const field of fieldsOfAnswer(mcpData(result))) present.add(field);
    }
    expect(failed).toEqual([]);
    expect(fieldsIn(skill).filter((field) => !present.has(field))).toEqual(LEFT_OUT[skill.name] ?? []);
  });
});

const AnyResult = z.looseObject({});
const listOver = async (from: Client) =>
  ((await from.request({ method: "skills/list", params: {} }, AnyResult)) as any).skills as readonly any[];
const entryOver = async (from: Client, name: string) =>
  ((await from.request({ method: "skills/get", params: { uri: uriOf(name) } }, AnyResult)) as any).skill;

describe.each([
  ["HTTP", () => client],
  ["HTTP+SSE", () => overSse],
  ["stdio", () => overStdio],
])("skills over %s", (_, connected) => {
  it("are declared, listed and returned one by one, with the digest of the bytes that are read", async () => {
    const from = connected();
    expect(from.getServerCapabilities()).toMatchObject({
      resources: {},
      extensions: { "io.modelcontextprotocol/skills": {} },
    });
    const listed = await listOver(from);
    expect(listed.map(({ frontmatter }) => frontmatter.name)).toEqual(names);
    for (const entry of listed) {
      expect(await entryOver(from, entry.frontmatter.name)).toEqual(entry);
      for (const { uri, digest, size } of entry.resources) {
        const [content] = (await from.readResource({ uri })).contents;
        const bytes = Buffer.from((content as { text: string }).text);
        expect([content!.mimeType, bytes.length]).toEqual(["text/markdown", size]);
        expect(digest).toBe(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
      }
    }
  });

  it("pass the checks with which a client of the extension loads them", async () => {
    const host = new SkillsClient(connected());
    expect(host.supported).toBe(true);
    const { skills: entries } = await host.list();
    const loaded = await Promise.all(entries.map((entry) => host.read(entry)));
    expect(loaded.map(({ verified }) => verified)).toEqual(skills.map(() => true));
    expect(loaded.map(({ body }) => body?.trim())).toEqual(skills.map(({ instructions }) => instructions));
  });

  it("are resources and prompts with the same text", async () => {
    const from = connected();
    const { resources } = await from.listResources();
    const { prompts } = await from.listPrompts();
    for (const { name, title, description, instructions } of skills) {
      expect(resources.find(({ uri }) => uri === uriOf(name))).toMatchObject({ name, title, description });
      expect(prompts.find((prompt) => prompt.name === name)).toMatchObject({ title, description });
      const { messages } = await from.getPrompt({ name });
      expect(messages).toEqual([{ role: "user", content: { type: "text", text: instructions } }]);
    }
  });

  it.each([
    ["skills/get", { uri: "skill://no-such/SKILL.md" }, 'No skill has the URI "skill://no-such/SKILL.md"'],
    ["skills/get", {}, 'skills/get requires "uri"'],
    ["skills/get", { uri: "market-signal://tools" }, "No skill has the URI"],
    ["skills/list", { cursor: "next" }, "This cursor is not from skills/list"],
    ["resources/read", { uri: "skill://morning/none.md" }, "not found"],
  ])("refuse %s with %j", async (method, params, message) => {
    await expect(connected().request({ method, params }, AnyResult)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });
});

it("says to clients of 2026-07-28 how long a list may be cached, and to no others", async () => {
  const request = { method: "skills/list", params: {} };
  const legacy = await httpClient(new URL(`${installation.url}/api/mcp`), key, "legacy");
  expect(await client.request(request, AnyResult)).toMatchObject({ ttlMs: 60_000, cacheScope: "private" });
  expect(Object.keys(await legacy.request(request, AnyResult))).toEqual(["skills"]);
  await legacy.close();
});
