import { beforeAll, describe, expect, it } from "vitest";
import { NOW } from "../../support/context.ts";
import { useInstallation } from "../../support/installation.ts";
import {
  APPLE,
  begin,
  CONVERSATION_TOOLS,
  facts,
  lastData,
  newTrader,
  reply,
  skill,
  stateOf,
  words,
} from "./conversation.ts";
import type { Speaker } from "./fixture.ts";

const installation = useInstallation("sample", {}, { tools: CONVERSATION_TOOLS, clock: { now: () => NOW } });
let trader: Speaker;
beforeAll(async () => {
  trader = await newTrader(installation);
});

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

  it("does not store a secret of a reply", async () => {
    const task = await begin(trader, skill("list_known", { symbols: ["Appel"] }));
    const input = { symbols: ["AAPL"], credentials: { api_key: "PKX7Q2M9W4TZ8RB5LN3C" } };
    const done = await reply(trader, task, skill("list_known", input));
    expect(JSON.stringify(done)).not.toContain("PKX7Q2M9W4TZ8RB5LN3C");
    expect(JSON.stringify((await trader.rpc("GetTask", { id: task.id })).result)).not.toContain("PKX7Q2M9");
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
