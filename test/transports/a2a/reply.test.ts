import { randomUUID } from "node:crypto";
import { SendMessageRequest, type Task } from "@a2a-js/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { catalogue } from "../../../src/app/catalogue.ts";
import { SymbolText } from "../../../src/domain/answers.ts";
import { TicketId } from "../../../src/domain/trading/trading.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { defineTool } from "../../../src/kernel/tool.ts";
import { A2A_BINDINGS, a2aClient, dataIn, TaskState, textIn } from "../../support/a2a-clients.ts";
import { NOW } from "../../support/context.ts";
import { useInstallation } from "../../support/installation.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";
import { eventsIn, type Speaker, speaker } from "./fixture.ts";

const APPLE = { symbol: "AAPL", name: "Apple Inc.", asset_class: "equity" } as const;
const BITCOIN = { symbol: "BTC-USD", name: "Bitcoin", asset_class: "crypto" } as const;
const FUND = { symbol: "BTC", name: "Bitcoin Fund", asset_class: "etf" } as const;

/** Refuses the name BTC unless its class is given; a trade, so a reply must name one of the candidates. */
const buyCoin = defineTool({
  ...TEST_TOOL,
  name: "buy_coin",
  title: "Buy",
  plan: "pro",
  effect: "trade",
  route: "POST /api/v1/buy-coin",
  input: z.object({
    symbol: SymbolText,
    asset_class: z.enum(["etf", "crypto"]).optional().describe("Class"),
  }),
  output: z.object({ ok: z.boolean(), bought: z.string() }),
  examples: [{ ask: "Buy", input: { symbol: "BTC-USD" } }],
  handler({ symbol, asset_class }) {
    if (symbol === "BTC" && asset_class === undefined)
      throw new ToolError("INVALID_INPUT", '"BTC" names several instruments', {
        data: { candidates: [FUND, BITCOIN] },
      });
    return { ok: true, bought: `${symbol} ${asset_class ?? ""}`.trim() };
  },
});

/** Knows AAPL alone, in a list of symbols. */
const listQuotes = defineTool({
  ...TEST_TOOL,
  name: "list_known",
  title: "List",
  route: "POST /api/v1/list-known",
  input: z.object({ symbols: z.array(SymbolText).describe("Symbols") }),
  output: z.object({ ok: z.boolean(), symbols: z.array(z.string()) }),
  examples: [{ ask: "List", input: { symbols: ["AAPL"] } }],
  handler({ symbols }) {
    const unknown = symbols.find((symbol) => symbol !== "AAPL" && symbol !== "BTC-USD");
    if (unknown !== undefined)
      throw new ToolError("UNKNOWN_SYMBOL", `No instrument is known as "${unknown}"`, {
        data: { symbol: unknown, candidates: unknown === "ZZZZ" ? [] : [APPLE, BITCOIN] },
      });
    return { ok: true, symbols };
  },
});

const tools = { ...catalogue, buyCoin, listQuotes };
const installation = useInstallation("sample", {}, { tools, clock: { now: () => NOW } });
let trader: Speaker;
beforeAll(async () => {
  trader = await newTrader();
});

/** Returns an account with a paper broker. */
async function newTrader(): Promise<Speaker> {
  const opened = await speaker(installation, "pro", ["read", "write", "trade:paper"]);
  const credentials = { api_key: "any-key", api_secret: "any-secret" };
  const input = { broker: "paper", account_type: "paper", credentials };
  const made = await opened.ask({ data: { skill: "connect_broker", input } });
  expect(made.result.task.status.state).toBe("TASK_STATE_COMPLETED");
  return opened;
}

/** Sends one message on a task; returns the task, or the error. */
const reply = async (
  { rpc }: Speaker,
  { id, contextId }: { readonly id: string; readonly contextId?: string },
  ...parts: readonly object[]
) => {
  const message = { messageId: randomUUID(), role: "ROLE_USER", taskId: id, contextId, parts };
  const { result, error } = await rpc("SendMessage", { message });
  return result?.task ?? error;
};
const begin = async ({ ask }: Speaker, ...parts: readonly object[]) => (await ask(...parts)).result.task;
const skill = (name: string, input: object) => ({ data: { skill: name, input } });
const stateOf = ({ status }: any): string => status.state.replace("TASK_STATE_", "");
const words = ({ status }: any): string => status.message.parts[0].text;
const facts = ({ status }: any) => status.message.parts[1].data;
const lastData = ({ artifacts }: any) =>
  artifacts.at(-1).parts.find(({ data }: any) => data !== undefined).data;
const preview = (speaking: Speaker, quantity = "1") =>
  begin(speaking, skill("preview_trade", { symbol: "AAPL", side: "buy", quantity, stop_loss: "1" }));
const orders = async (speaking: Speaker) => lastData(await begin(speaking, skill("list_orders", {}))).orders;

describe("a symbol that is not known", () => {
  it("is asked back with its candidates, and the reply completes the task", async () => {
    const task = await begin(trader, skill("get_quote", { symbol: "APPL" }));
    expect(stateOf(task)).toBe("INPUT_REQUIRED");
    expect(words(task)).toMatch(
      /^No instrument is known as "APPL"\. Which instrument is meant: .*AAPL \(.*, equity\).*\? Answer with its symbol\.$/,
    );
    expect(facts(task)).toMatchObject({ question: "symbol", answers: expect.arrayContaining(["AAPL"]) });
    const done = await reply(trader, task, { text: "aapl" });
    expect([done.id, done.contextId, stateOf(done)]).toEqual([task.id, task.contextId, "COMPLETED"]);
    expect(lastData(done)).toMatchObject({ ok: true, symbol: "AAPL" });
    expect(done.history.map(({ role, parts }: any) => [role, parts[0].text ?? parts[0].data])).toEqual([
      ["ROLE_USER", { skill: "get_quote", input: { symbol: "APPL" } }],
      ["ROLE_AGENT", words(task)],
      ["ROLE_USER", "aapl"],
    ]);
    const stored = (await trader.rpc("GetTask", { id: task.id })).result;
    expect(stored).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" }, metadata: { question: null } });
  });

  it.each([
    ["the symbol as data", { data: { symbol: "AAPL" } }],
    ["the name of a candidate", { text: APPLE.name }],
    ["the whole call again", skill("list_known", { symbols: ["BTC-USD", "AAPL"] })],
  ])("is completed by %s", async (_, part) => {
    const task = await begin(trader, skill("list_known", { symbols: ["BTC-USD", "Appel"] }));
    expect(stateOf(task)).toBe("INPUT_REQUIRED");
    const done = await reply(trader, task, part);
    expect([stateOf(done), lastData(done).symbols]).toEqual(["COMPLETED", ["BTC-USD", "AAPL"]]);
  });

  it("is asked again after a reply that names no instrument, and after words that say nothing", async () => {
    const task = await begin(trader, skill("list_known", { symbols: ["Appel"] }));
    const again = await reply(trader, task, { text: "ZZZZ" });
    expect([stateOf(again), words(again)]).toEqual([
      "INPUT_REQUIRED",
      'No instrument is known as "ZZZZ". Which instrument is meant: AAPL (Apple Inc., equity) or BTC-USD (Bitcoin, crypto)? Answer with its symbol.',
    ]);
    const unclear = await reply(trader, again, { data: { name: "Apple" } });
    expect([stateOf(unclear), words(unclear)]).toEqual([
      "INPUT_REQUIRED",
      expect.stringMatching(/^The message does not answer the question\. Which instrument is meant: /),
    ]);
    const done = await reply(trader, unclear, { text: "AAPL" });
    expect(stateOf(done)).toBe("COMPLETED");
  });

  it("is asked back for a field under another name", async () => {
    const task = await begin(trader, skill("get_quote", { ticker: "APPL" }));
    const done = await reply(trader, task, { text: "AAPL" });
    expect([stateOf(task), stateOf(done), lastData(done).symbol]).toEqual([
      "INPUT_REQUIRED",
      "COMPLETED",
      "AAPL",
    ]);
  });

  it("without candidates ends the task as before", async () => {
    const task = await begin(trader, skill("list_known", { symbols: ["ZZZZ"] }));
    expect([stateOf(task), facts(task).code]).toEqual(["REJECTED", "UNKNOWN_SYMBOL"]);
  });

  it("of a trade takes one of the candidates alone, with its class", async () => {
    const task = await begin(trader, skill("buy_coin", { symbol: "BTC" }));
    expect(words(task)).toMatch(/^"BTC" names several instruments\. Which instrument is meant: BTC \(/);
    for (const unclear of ["ETH-USD", "bitcoin please", "yes", ""]) {
      const again = await reply(trader, task, { text: unclear });
      expect([unclear, stateOf(again)]).toEqual([unclear, "INPUT_REQUIRED"]);
    }
    const done = await reply(trader, task, { text: "BTC" });
    expect([stateOf(done), lastData(done).bought]).toEqual(["COMPLETED", "BTC etf"]);
  });
});

describe("a ticket", () => {
  it.each([
    ["confirm", (_: string) => ({ text: "confirm" })],
    ["yes with a full stop", (_: string) => ({ text: " Yes. " })],
    ["the ticket id", (ticket: string) => ({ text: ticket })],
    ["confirm and the ticket id", (ticket: string) => ({ text: `confirm ${ticket}` })],
    ["data that confirms", (_: string) => ({ data: { confirm: true } })],
    ["the ticket id as data", (ticket: string) => ({ data: { ticket_id: ticket } })],
    ["the call itself", (ticket: string) => skill("execute_trade", { ticket_id: ticket })],
  ])("is sent once by %s", async (_, partOf) => {
    const before = (await orders(trader)).length;
    const task = await preview(trader);
    const ticket = TicketId.parse(lastData(task).ticket_id);
    expect([stateOf(task), words(task), facts(task)]).toEqual([
      "INPUT_REQUIRED",
      `Send the trade of ticket ${ticket}? Answer "confirm" or the ticket id to send it once, or "no" to leave it.`,
      { question: "confirm", ticket_id: ticket, answers: ["confirm", ticket, "no"] },
    ]);
    expect(await orders(trader)).toHaveLength(before);
    const done = await reply(trader, task, partOf(ticket));
    expect(stateOf(done)).toBe("COMPLETED");
    expect(done.artifacts.map(({ name }: any) => name)).toEqual(["preview_trade", "execute_trade"]);
    expect(lastData(done)).toMatchObject({ repeated: false, order: { ticket_id: ticket } });
    expect(await orders(trader)).toHaveLength(before + 1);
    expect((await reply(trader, task, { text: "confirm" })).message).toMatch(/^The task has ended\./);
    expect(await orders(trader)).toHaveLength(before + 1);
  });

  it.each([
    ["another ticket", { text: `tk_${"0".repeat(20)}` }],
    ["another ticket as data", { data: { ticket_id: `tk_${"0".repeat(20)}` } }],
    ["confirmation of another ticket", { data: { confirm: true, ticket_id: `tk_${"0".repeat(20)}` } }],
    ["a yes with a condition", { text: "yes, but only half of it" }],
    ["a question", { text: "yes?" }],
    ["ok", { text: "ok" }],
    ["a changed trade", { data: { confirm: true, quantity: "100" } }],
    ["the word as data", { data: { confirm: "yes" } }],
    ["an empty object", { data: {} }],
    ["the call with another ticket", skill("execute_trade", { ticket_id: `tk_${"0".repeat(20)}` })],
    ["the call of a symbol", skill("execute_trade", { symbol: "AAPL", side: "buy", quantity: "9" })],
  ])("is not sent by %s: the question is asked again", async (_, part) => {
    const before = (await orders(trader)).length;
    const task = await preview(trader);
    const again = await reply(trader, task, part);
    expect([stateOf(again), words(again)]).toEqual([
      "INPUT_REQUIRED",
      `The message does not answer the question. ${words(task)}`,
    ]);
    expect(await orders(trader)).toHaveLength(before);
  });

  it("is not sent by data whose text contradicts it", async () => {
    const before = (await orders(trader)).length;
    const task = await preview(trader);
    const again = await reply(trader, task, { text: "wait a moment" }, { data: { confirm: true } });
    expect(stateOf(again)).toBe("INPUT_REQUIRED");
    const done = await reply(trader, task, { text: "no" }, { data: { confirm: true } });
    expect(stateOf(done)).toBe("CANCELED");
    expect(await orders(trader)).toHaveLength(before);
  });

  it.each([{ text: "no" }, { text: "Cancel." }, { data: { confirm: false } }])(
    "is declined by %j",
    async (part) => {
      const before = (await orders(trader)).length;
      const done = await reply(trader, await preview(trader), part);
      expect([stateOf(done), words(done)]).toEqual(["CANCELED", "The trade was declined. Nothing was sent."]);
      expect(await orders(trader)).toHaveLength(before);
    },
  );

  it("cannot be confirmed by another account, which does not find the task", async () => {
    const task = await preview(trader);
    const other = await speaker(installation, "pro", ["read", "write", "trade:paper"]);
    expect(await reply(other, task, { text: "confirm" })).toMatchObject({ code: -32001 });
  });

  it("asks nothing of a key without the scope of the trade, and is refused to one that replies", async () => {
    const { key } = await installation.app.access.create({
      plan: "pro",
      account: trader.account,
      scopes: ["read", "write"],
    });
    const send = trader.post;
    const authorization = { authorization: `Bearer ${key}` };
    const rpc = async (params: object) =>
      (await send("/api/a2a", { jsonrpc: "2.0", id: 1, method: "SendMessage", params }, authorization)).json
        .result.task;
    const input = { symbol: "AAPL", side: "buy", quantity: "1", stop_loss: "1" };
    const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [skill("preview_trade", input)] };
    const shown = await rpc({ message });
    expect([stateOf(shown), lastData(shown).ticket_id]).toEqual(["COMPLETED", expect.stringMatching(/^tk_/)]);
    const before = (await orders(trader)).length;
    const task = await preview(trader);
    const refused = await rpc({
      message: { messageId: randomUUID(), role: "ROLE_USER", taskId: task.id, parts: [{ text: "confirm" }] },
    });
    expect([stateOf(refused), facts(refused).code]).toEqual(["REJECTED", "SCOPE_REQUIRED"]);
    expect(await orders(trader)).toHaveLength(before);
  });

  it("is sent once by two confirmations at the same time", async () => {
    const before = (await orders(trader)).length;
    const task = await preview(trader);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => reply(trader, task, { text: "confirm" })),
    );
    expect(replies.filter(({ status }) => status !== undefined).map(stateOf)).toEqual(["COMPLETED"]);
    for (const { code } of replies.filter(({ status }) => status === undefined)) expect(code).toBe(-32004);
    expect(await orders(trader)).toHaveLength(before + 1);
  });

  it("keeps its question over a cancellation of the task", async () => {
    const task = await preview(trader);
    expect(stateOf((await trader.rpc("CancelTask", { id: task.id })).result)).toBe("CANCELED");
    expect((await reply(trader, task, { text: "confirm" })).message).toMatch(/^The task has ended\./);
  });
});

describe("a task that asks", () => {
  it("goes on from an ambiguous symbol over the preview to the order", async () => {
    const input = { symbol: "Appl", side: "buy", quantity: "1", stop_loss: "1" };
    const asked = await begin(trader, skill("preview_trade", input));
    expect(facts(asked).question).toBe("symbol");
    const shown = await reply(trader, asked, { text: "AAPL" });
    expect([stateOf(shown), facts(shown).question]).toEqual(["INPUT_REQUIRED", "confirm"]);
    const done = await reply(trader, shown, { text: "confirm" });
    expect([stateOf(done), lastData(done).order.intent.symbol]).toEqual(["COMPLETED", "AAPL"]);
    expect(done.history).toHaveLength(5);
  });

  it("refuses another skill and another context", async () => {
    const task = await preview(trader);
    expect(await reply(trader, task, skill("get_quote", { symbol: "AAPL" }))).toMatchObject({
      code: -32602,
      message:
        "This task waits for an answer about execute_trade. Call another skill in a message without taskId.",
    });
    expect(await reply(trader, { id: task.id, contextId: "other" }, { text: "confirm" })).toMatchObject({
      code: -32602,
    });
    expect(stateOf(await reply(trader, task, { text: "no" }))).toBe("CANCELED");
  });

  it("streams its question as the last event, and the reply from the task on", async () => {
    const stream = async (message: object) =>
      eventsIn(
        (
          await trader.post("/api/a2a", {
            jsonrpc: "2.0",
            id: 3,
            method: "SendStreamingMessage",
            params: { message: { messageId: randomUUID(), role: "ROLE_USER", ...message } },
          })
        ).text,
      ).map(({ result }) => result);
    const asked = await stream({ parts: [skill("get_quote", { symbol: "APPL" })] });
    expect(asked.at(-1).statusUpdate.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const { id } = asked[0].task;
    const replied = await stream({ taskId: id, parts: [{ text: "AAPL" }] });
    expect(replied[0].task).toMatchObject({ id, status: { state: "TASK_STATE_WORKING" } });
    expect(replied.at(-1).statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("does not store a secret of a reply", async () => {
    const task = await begin(trader, skill("list_known", { symbols: ["Appel"] }));
    const input = { symbols: ["AAPL"], credentials: { api_key: "PKX7Q2M9W4TZ8RB5LN3C" } };
    const done = await reply(trader, task, skill("list_known", input));
    expect(JSON.stringify(done)).not.toContain("PKX7Q2M9W4TZ8RB5LN3C");
    expect(JSON.stringify((await trader.rpc("GetTask", { id: task.id })).result)).not.toContain("PKX7Q2M9");
  });
});

describe.each(A2A_BINDINGS)("the official client over %s", (way) => {
  it("holds a conversation of three messages on one task", async () => {
    const client = await a2aClient(installation.url, (await newTrader()).key, way);
    const send = async (part: object, task?: Task): Promise<Task> => {
      const message = {
        messageId: randomUUID(),
        role: "ROLE_USER",
        parts: [part],
        taskId: task?.id,
        contextId: task?.contextId,
      };
      const sent = await client.sendMessage(SendMessageRequest.fromJSON({ message }));
      if (!("status" in sent)) throw new Error("no task");
      return sent;
    };
    const input = { symbol: "Appl", side: "buy", quantity: "1", stop_loss: "1" };
    const asked = await send(skill("preview_trade", input));
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(textIn(asked.status?.message?.parts)).toMatch(/Which instrument is meant/);
    const shown = await send({ data: { symbol: "AAPL" } }, asked);
    expect(dataIn(shown.status?.message?.parts)).toMatchObject({ question: "confirm" });
    const done = await send({ text: "confirm" }, shown);
    expect([done.id, done.status?.state]).toEqual([asked.id, TaskState.TASK_STATE_COMPLETED]);
    expect(dataIn(done.artifacts.at(-1)?.parts)).toMatchObject({ repeated: false });
  });
});

describe("text beside data", () => {
  it("is kept in the history and in the metadata of the answer; the data is the call", async () => {
    const task = await begin(
      trader,
      { text: "How is Tesla doing?" },
      skill("get_quote", { symbol: "AAPL" }),
      { text: "Please." },
    );
    expect([stateOf(task), lastData(task).symbol]).toEqual(["COMPLETED", "AAPL"]);
    expect(task.artifacts[0].metadata).toEqual({
      market: "sample",
      market_id: expect.any(String),
      request_text: "How is Tesla doing?\nPlease.",
    });
    expect(task.history[0].parts.map(({ text }: any) => text)).toEqual([
      "How is Tesla doing?",
      undefined,
      "Please.",
    ]);
  });

  it("is the input of a skill that requires a text, unless the data has one", async () => {
    const asked = await begin(trader, { text: "What is the signal on Apple?" }, skill("interpret_query", {}));
    expect(lastData(asked)).toMatchObject({ symbols: ["AAPL"] });
    const own = await begin(
      trader,
      { text: "What is the signal on Apple?" },
      skill("interpret_query", { query: "What is the signal on Nvidia?" }),
    );
    expect(lastData(own)).toMatchObject({ symbols: ["NVDA"] });
  });

  it("with a secret is rejected, and is not kept when the data has one", async () => {
    const { error } = await trader.ask(
      { text: "My API key is PKX7Q2M9W4TZ8RB5LN3C" },
      skill("get_quote", { symbol: "AAPL" }),
    );
    expect(error.message).toContain("looks like a secret");
    const credentials = { api_key: "any-key", api_secret: "any-secret" };
    const input = { broker: "paper", account_type: "paper", credentials };
    const task = await begin(trader, { text: "Connect it" }, skill("connect_broker", input));
    expect(JSON.stringify(task)).not.toContain("Connect it");
  });
});
