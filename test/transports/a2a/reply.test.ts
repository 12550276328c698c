import { randomUUID } from "node:crypto";
import { SendMessageRequest, type Task } from "@a2a-js/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { TicketId } from "../../../src/domain/trading/trading.ts";
import { A2A_BINDINGS, a2aClient, dataIn, TaskState, textIn } from "../../support/a2a-clients.ts";
import { NOW } from "../../support/context.ts";
import { useInstallation } from "../../support/installation.ts";
import {
  begin,
  CONVERSATION_TOOLS,
  facts,
  lastData,
  newTrader,
  orders,
  preview,
  reply,
  skill,
  stateOf,
  words,
} from "./conversation.ts";
import { eventsIn, type Speaker, speaker } from "./fixture.ts";

const installation = useInstallation("sample", {}, { tools: CONVERSATION_TOOLS, clock: { now: () => NOW } });
let trader: Speaker;
beforeAll(async () => {
  trader = await newTrader(installation);
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

  it("asks nothing of a key without the scope of the trade, which can neither answer nor end a question", async () => {
    const { key } = await installation.app.access.create({
      plan: "pro",
      account: trader.account,
      scopes: ["read", "write"],
    });
    const send = trader.post;
    const authorization = { authorization: `Bearer ${key}` };
    const rpc = async (params: object, method = "SendMessage") =>
      (await send("/api/a2a", { jsonrpc: "2.0", id: 1, method, params }, authorization)).json;
    const input = { symbol: "AAPL", side: "buy", quantity: "1", stop_loss: "1" };
    const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [skill("preview_trade", input)] };
    const shown = (await rpc({ message })).result.task;
    expect([stateOf(shown), lastData(shown).ticket_id]).toEqual(["COMPLETED", expect.stringMatching(/^tk_/)]);
    const before = (await orders(trader)).length;
    const task = await preview(trader);
    const refusals = [
      ...["confirm", "no", "hm"].map((text) =>
        rpc({ message: { messageId: randomUUID(), role: "ROLE_USER", taskId: task.id, parts: [{ text }] } }),
      ),
      rpc({ id: task.id }, "CancelTask"),
    ];
    for (const { error } of await Promise.all(refusals))
      expect([error.code, error.message]).toEqual([
        -32004,
        '"execute_trade" needs the "trade:paper" scope. Use a key with the "trade:paper" scope.',
      ]);
    expect(await orders(trader)).toHaveLength(before);
    const confirmed = await reply(trader, task, { text: "confirm" });
    expect(stateOf(confirmed)).toBe("COMPLETED");
    expect(await orders(trader)).toHaveLength(before + 1);
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
  // an account of its own: the orders above are all that one account may send a minute
  beforeAll(async () => {
    trader = await newTrader(installation);
  });

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
});

describe.each(A2A_BINDINGS)("the official client over %s", (way) => {
  it("holds a conversation of three messages on one task", async () => {
    const client = await a2aClient(installation.url, (await newTrader(installation)).key, way);
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
