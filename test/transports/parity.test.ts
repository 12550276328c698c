import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { jsonSchemaOf } from "../../src/kernel/publish.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import type { Schema } from "../proofs/from-schema.ts";
import {
  createReceipt,
  createSubscription,
  createTradingFixture,
  type OwnIds,
  prepareAgents,
  withOwnIds,
} from "../support/account-fixtures.ts";
import { type Installation, install, writeBars } from "../support/installation.ts";
import { movingClock } from "../support/store.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { type Answer, openTransportClients, type TransportClient } from "../support/transport-clients.ts";

const tools: readonly Tool[] = Object.values(catalogue);
const DAILY = ["AAPL", "MSFT", "NVDA", "TSLA", "SPY", "QQQ", "AMD", "BTC-USD", "ETH-USD"];

const NOW = "2026-07-01T14:00:00.000Z";
const MINUTE_MS = 60_000;
/** What an installation answers from: a folder of bars alone, or the simulated market, which has everything. */
const MARKETS = ["files", "sample"] as const;

/** What is bound to one call or its caller. Nothing else may differ by door: what the time is, the clock says. */
const OF_THE_CALL = new Set([
  ...["request_id", "latency_ms", "windows", "plan", "scopes"],
  ...["client_order_id", "account_mask"],
]);
const still = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(still)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([key]) => !OF_THE_CALL.has(key))
            .map(([key, one]) => [key, still(one)]),
        )
      : value;

const namesReceipt = ({ examples }: Tool): boolean => examples.some(({ input }) => "receipt_id" in input);
const namesSubscription = ({ examples }: Tool): boolean =>
  examples.some(({ input }) => "subscription_id" in input);
const trades = ({ toolset }: Tool): boolean => toolset === "trading";

/** What a field may not be by its own schema, a word not offered or a number outside, and what a refusal is to say instead. */
const OUTSIDE = tools.flatMap((tool) =>
  Object.entries(jsonSchemaOf(tool.input, "input").properties ?? {}).flatMap(([field, schema]) =>
    outside(schema as Schema).map(({ value, allowed }) => ({ tool, name: tool.name, field, value, allowed })),
  ),
);

interface Outside {
  readonly value: unknown;
  readonly allowed: string;
}
function outside({ enum: words, minimum, maximum, format }: Schema): readonly Outside[] {
  const found: Outside[] = [];
  if (words !== undefined) found.push({ value: "no_such_word", allowed: String(words.at(-1)) });
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER)
    found.push({ value: minimum - 1, allowed: String(minimum) });
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    found.push({ value: maximum + 1, allowed: String(maximum) });
  if (format?.startsWith("date")) found.push({ value: "yesterday", allowed: "date" });
  return found;
}

describe.each(MARKETS)("one definition, every door, over %s", (market) => {
  const suite = suiteDir();
  /** Stands while the doors answer one question, so that an answer may hold the time. */
  const clock = movingClock(new Date(NOW));
  let house: Installation;
  let doors: readonly TransportClient[];
  beforeAll(async () => {
    const { dir } = suite;
    const bars = [...DAILY.map((symbol) => [symbol, "1d"] as const), ["BTC-USD", "4h"] as const];
    house = await install(
      dir,
      market === "files" ? `files:${await writeBars(dir, bars)}` : market,
      {},
      { clock },
    );
    await house.app.engine.run({ universe: { name: "all" } });
    doors = await openTransportClients(house);
    // what examples ask for again
    for (const { principal } of doors)
      await invoke(
        catalogue.runBacktest,
        { symbol: "AAPL", strategy: "buy_hold", picture: false },
        { ports: house.app.ports, principal, transport: "test" },
      );
  }, 60_000);
  afterAll(async () => {
    await Promise.all(doors.map((door) => door.close()));
    await house.stop();
    suite.remove();
  });

  const left = async (principal: Principal) =>
    Object.fromEntries(
      (await house.app.ports.meters.usage(principal)).map(({ name, remaining }) => [name, remaining]),
    );

  /** The answer of one door, and what it cost. */
  async function ask(door: TransportClient, tool: Tool, input: Record<string, unknown>) {
    const before = await left(door.principal);
    const told = JSON.stringify(await door.call(tool, input));
    const answer = JSON.parse(
      told
        .replaceAll(`--account ${door.principal.account}`, "--account mine")
        .replace(/\b(tk|or|cn|rc|sb|ag|ru)_[0-9a-f]{20}\b/g, "$1_mine")
        // over an id of its own
        .replace(/"signature":"[\w-]{86}"/g, '"signature":"mine"'),
    ) as Answer;
    const after = await left(door.principal);
    return { answer, burst: before.burst! - after.burst!, day: before.daily! - after.daily! };
  }

  /** What the account of each door trades with: as the question before left it where that and this one only read. */
  let kept: readonly OwnIds[] = [];
  async function outfits({ effect }: Tool): Promise<readonly OwnIds[]> {
    const own: OwnIds[] = [...kept];
    if (own.length === 0)
      for (const { principal } of doors) own.push(await createTradingFixture(house.app.ports, principal));
    kept = effect === "read" ? own : [];
    return own;
  }

  /** Asks every door in turn and demands one answer and one price; what is refused unread needs no equipment. */
  async function askEverywhere(tool: Tool, input: Record<string, unknown>, { equipped = true } = {}) {
    clock.pass(MINUTE_MS); // a fresh burst window for each question
    const detail = "detail" in tool.input.shape && !("detail" in input) ? { detail: "full" } : {};
    const asked = [];
    const owns: OwnIds[] = equipped && trades(tool) ? [...(await outfits(tool))] : [];
    const automates = tool.needs.includes("automation");
    for (const { principal } of equipped && namesReceipt(tool) ? doors : [])
      owns.push(await createReceipt(house.app.ports, principal));
    for (const { principal } of equipped && namesSubscription(tool) ? doors : [])
      owns.push(await createSubscription(house.app.ports, principal));
    for (const [i, door] of doors.entries()) {
      // an order of the outfit works at the broker
      const force = "force" in tool.input.shape ? { force: true } : {};
      const named = withOwnIds({ ...input, ...detail, ...force }, owns[i] ?? {});
      if (automates) await prepareAgents(tool, house.app.ports, door.principal);
      asked.push({ door: door.name, ...(await ask(door, tool, named)) });
    }
    const [first, ...others] = asked.map(({ door, answer, ...cost }) => ({
      door,
      answer: still(answer),
      ...cost,
    }));
    for (const other of others)
      expect(other, `${other.door} beside ${first!.door}`).toEqual({ ...first, door: other.door });
    return asked[0]! as { answer: Answer; burst: number; day: number };
  }

  it("opens both MCP eras, SSE, stdio, REST, the command line, and A2A in both versions and bindings", () => {
    expect(doors.map(({ name }) => name)).toEqual([
      "REST",
      "MCP 2026-07-28",
      "MCP 2025-11-25",
      "MCP over SSE",
      "stdio",
      "command line",
      "A2A 1.0 JSON-RPC",
      "A2A 1.0 HTTP+JSON",
      "A2A 0.3 JSON-RPC",
    ]);
  });

  // every example over the simulated market; over files, which lack much of what they ask, the first of each
  const examples = tools.flatMap((tool) =>
    tool.examples
      .slice(0, market === "sample" ? undefined : 1)
      .map(({ ask: question, input }) => ({ tool, question, input, name: tool.name })),
  );
  it.each(examples)("answers alike and costs alike: $name, $question", async ({ tool, input }) => {
    const { answer, burst, day } = await askEverywhere(tool, input as Record<string, unknown>);
    // closes of files are of no age at which anybody trades
    if (market === "sample" || !trades(tool)) expect(answer).toHaveProperty("data");
    expect({ burst, day }).toEqual({ burst: 1, day: 1 });
  });

  /** What a tool asks for beside a symbol, as its first example says it. */
  const needed = ({ input, examples }: Tool) =>
    Object.fromEntries(
      Object.entries(examples[0]!.input).filter(
        ([name]) => input.shape[name]?.safeParse(undefined).success === false,
      ),
    );
  // no market is asked what the schema refuses: one of them is enough
  const refusing = market === "sample";
  const taking = (field: string) => tools.filter((tool) => field in tool.input.shape);
  it.each(taking("symbol"))("refuses an unknown symbol alike: $name", async (tool) => {
    const { answer, burst, day } = await askEverywhere(tool, { ...needed(tool), symbol: "ZZZZQ" });
    expect(answer).toEqual({ code: "UNKNOWN_SYMBOL" });
    expect({ burst, day }).toEqual({ burst: 1, day: 1 });
  });

  it.each(refusing ? taking("timeframe") : [])(
    "refuses an unknown timeframe alike, free of the day: $name",
    async (tool) => {
      const { shape } = tool.input;
      const about =
        "symbol" in shape ? { symbol: "AAPL" } : "symbols" in shape ? { symbols: ["AAPL"] } : { sym: "AAPL" };
      const unknown = { ...needed(tool), ...about, timeframe: "2d" };
      const { answer, burst, day } = await askEverywhere(tool, unknown, { equipped: false });
      expect(answer).toEqual({ code: "INVALID_INPUT" });
      expect({ burst, day }).toEqual({ burst: 1, day: 0 });
    },
  );

  it("refuses half a limit alike", async () => {
    const half = { symbol: "AAPL", limit: 1.5 };
    expect((await askEverywhere(catalogue.getHistory, half)).answer).toEqual({ code: "INVALID_INPUT" });
  });

  it.each(refusing ? OUTSIDE : [])(
    "refuses what is not allowed alike, and says what is: $name, $field $value",
    async ({ tool, field, value, allowed }) => {
      const input = { ...tool.examples[0]!.input, [field]: value };
      const { answer, burst, day } = await askEverywhere(tool, input, { equipped: false });
      expect(answer).toEqual({ code: "INVALID_INPUT" });
      expect({ burst, day }).toEqual({ burst: 1, day: 0 });
      const refusal = invoke(tool, input, {
        ports: house.app.ports,
        principal: house.app.owner,
        transport: "test",
      });
      await expect(refusal).rejects.toMatchObject({ message: expect.stringContaining(allowed) });
    },
  );

  it.each(market === "files" ? ["KO"] : [])("refuses a price it does not hold alike: %s", async (symbol) => {
    const quote = tools.find(({ name }) => name === "get_quote")!;
    expect((await askEverywhere(quote, { symbol })).answer).toEqual({ code: "NO_PRICE" });
  });
});
