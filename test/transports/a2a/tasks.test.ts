import type { StreamResponse } from "@a2a-js/sdk";
import { SendMessageRequest } from "@a2a-js/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { catalogue } from "../../../src/app/catalogue.ts";
import { defineTool } from "../../../src/kernel/tool.ts";
import { A2A_BINDINGS, a2aClient, dataIn, messageOf, TaskState, textIn } from "../../support/a2a-clients.ts";
import { REPLICAS, useInstallation } from "../../support/installation.ts";
import { movingClock } from "../../support/store.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";
import { type Speaker, sending, speaker } from "./fixture.ts";

const SYMBOLS =
  "AAPL MSFT NVDA TSLA SPY QQQ AMD AMZN GOOGL META JPM XOM KO WMT HD V BTC-USD ETH-USD SOL-USD DOGE-USD".split(
    " ",
  );
const TASKS = "earnings, edge_detection, holding, portfolio_review, scan, signal_analysis, trade_proposal";

/** Pending calls, in order of arrival. */
const waiting: (() => void)[] = [];

/** Blocks each symbol until it is released. */
const holdSymbol = defineTool({
  ...TEST_TOOL,
  name: "hold_symbol",
  title: "Hold",
  route: "GET /api/v1/hold",
  input: z.object({ symbol: z.string().describe("Any") }),
  output: z.object({ symbol: z.string() }),
  examples: [{ ask: "Hold", input: { symbol: "AAPL" } }],
  tasks: ["holding"],
  async handler({ symbol }) {
    await new Promise<void>((go) => waiting.push(go));
    return { symbol };
  },
});
const HELD = { data: { task: "holding", symbols: SYMBOLS } };
const HALF_A_SECOND = 500;

/** Releases `count` calls one after the other, half a second apart. */
async function letThrough(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    for (let turns = 0; waiting.length === 0 && turns < 500; turns++)
      await new Promise((done) => setTimeout(done, 2));
    clock.pass(HALF_A_SECOND);
    waiting.shift()!();
    await new Promise((done) => setTimeout(done, 5));
  }
}

const clock = movingClock(new Date("2026-07-01T14:00:00.000Z"));
const installation = useInstallation("sample", {}, { clock, tools: { ...catalogue, holdSymbol } });
let caller: Speaker;
let top: Speaker;
beforeAll(async () => {
  caller = await speaker(installation);
  top = await speaker(installation, "enterprise");
});

/** Returns the text of a progress report; null for any other event. */
const reported = ({ payload }: StreamResponse): string | null =>
  payload?.$case === "statusUpdate" && payload.value.status?.state === TaskState.TASK_STATE_WORKING
    ? textIn(payload.value.status.message?.parts)
    : null;
const route = async (speaking: Speaker, ...parts: readonly object[]) =>
  (
    await speaking.post("/api/v1/a2a/route", {
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: sending(...parts),
    })
  ).json;
const dataOf = ({ result }: any) =>
  result.task.artifacts[0].parts.find(({ data }: any) => data !== undefined).data;

describe.each(A2A_BINDINGS)("a task over %s", (way) => {
  it("is created by a data part and runs on the dispatcher", async () => {
    const client = await a2aClient(installation.url, caller.key, way);
    const task = await client.sendMessage(messageOf({ data: { task: "scan", symbols: ["AAPL", "NVDA"] } }));
    if (!("status" in task)) throw new Error("no task");
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(dataIn(task.artifacts[0]?.parts)).toMatchObject({
      ok: true,
      task: "scan",
      market: "sample",
      failed: 0,
      results: [{ symbol: null, skill: "scan_symbols", data: { scanned: 2 } }],
    });
    expect(textIn(task.artifacts[0]?.parts)).toMatch(/^SAMPLE \(simulated\) \| symbol /);
  });

  it("reports progress per symbol", async () => {
    const client = await a2aClient(installation.url, caller.key, way);
    const reports: string[] = [];
    const all = letThrough(SYMBOLS.length);
    for await (const event of client.sendMessageStream(messageOf(HELD)))
      if (reported(event) !== null) reports.push(reported(event)!);
    await all;
    expect(reports).toEqual(SYMBOLS.map((symbol, i) => `${i + 1} of 20: ${symbol}`));
  });

  it("reports the first step at once, and at most four per second", async () => {
    const client = await a2aClient(installation.url, caller.key, way);
    const reports: string[] = [];
    const data = { task: "scan", symbols: SYMBOLS.slice(0, 4) };
    for await (const event of client.sendMessageStream(messageOf({ data })))
      if (reported(event) !== null) reports.push(reported(event)!);
    // the test clock does not advance
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatch(/^1 of 4: \S+$/);
  });

  it("can be followed by a second stream, from its current state to its end", async () => {
    const client = await a2aClient(installation.url, caller.key, way);
    const started = await client.sendMessage(
      SendMessageRequest.fromJSON({ ...sending(HELD), configuration: { returnImmediately: true } }),
    );
    if (!("status" in started)) throw new Error("no task");
    await letThrough(3);
    const seen: unknown[] = [];
    for await (const event of client.resubscribeTask({ id: started.id, tenant: "" })) {
      const { payload } = event;
      if (payload?.$case === "task") {
        seen.push("task");
        void letThrough(SYMBOLS.length - 3);
      } else
        seen.push(
          reported(event) ??
            (payload?.$case === "statusUpdate" ? payload.value.status?.state : payload?.$case),
        );
    }
    const steps = SYMBOLS.slice(3).map((symbol, i) => `${i + 4} of 20: ${symbol}`);
    // a server that does not run the task reads its stored progress a few times a second
    const reports = REPLICAS === 1 ? steps : steps.filter((step) => seen.includes(step));
    expect(seen).toEqual(["task", ...reports, "artifactUpdate", TaskState.TASK_STATE_COMPLETED]);
  });
});

describe("a task in a message", () => {
  it("with an unknown name is rejected with the known names", async () => {
    const { result } = await caller.ask({ data: { task: "guess", symbols: ["AAPL"] } });
    expect(result.task.status.state).toBe("TASK_STATE_REJECTED");
    expect(result.task.status.message.parts[1].data).toMatchObject({
      code: "INVALID_INPUT",
      hint: `Tasks: ${TASKS}.`,
      tasks: TASKS.split(", "),
    });
  });

  it("with an unknown field or with a skill is rejected", async () => {
    const { result } = await caller.ask({ data: { task: "scan", symbols: ["AAPL"], depth: 1 } });
    expect(result.task.status.message.parts[1].data).toMatchObject({ code: "INVALID_INPUT" });
    const { error } = await caller.ask({ data: { task: "scan", skill: "get_quote" } });
    expect(error.message).toContain('unknown field "task"');
  });

  it("that stores tickets requires the write scope", async () => {
    const reader = await speaker(installation, "pro", ["read"]);
    const refused = await reader.ask({ data: { task: "trade_proposal", symbols: ["AAPL"] } });
    expect(refused.result.task.status.message.parts[1].data).toMatchObject({
      code: "SCOPE_REQUIRED",
      required_scope: "write",
    });
    const { result } = await reader.ask({ data: { task: "scan", symbols: ["AAPL"] } });
    expect(result.task.status.state).toBe("TASK_STATE_COMPLETED");
  });
});

describe("the router's endpoint", () => {
  it("responds to a task with signals, analysis and recommendations", async () => {
    const answer = dataOf(
      await route(top, {
        data: { task: "signal_analysis", symbols: ["AAPL"], context: { timeframe: "1d" } },
      }),
    );
    expect(answer).toMatchObject({
      ok: true,
      task: "signal_analysis",
      symbols: ["AAPL"],
      market: "sample",
      signals: [{ symbol: "AAPL" }],
      analysis: [{ symbol: "AAPL", skill: "get_signal", error: null }],
      recommendations: [{ symbol: "AAPL", ticket: null }],
      hint: null,
    });
  });

  it("routes plain text, and calls an explicitly named skill", async () => {
    expect(dataOf(await route(top, { text: "What is the signal on Apple?" }))).toMatchObject({
      task: null,
      symbols: ["AAPL"],
      recommendations: [{ symbol: "AAPL" }],
    });
    const sent = { skill: "get_quote", input: { symbol: "AAPL" }, sessionId: "s1" };
    const quote = await route(top, { data: sent });
    expect(dataOf(quote)).toMatchObject({ ok: true, symbol: "AAPL" });
  });

  it("returns tickets of the built-in paper account, and places no order", async () => {
    const symbols = ["HD", "SPY", "AAPL", "DOGE-USD"];
    const answer = dataOf(
      await route(top, { data: { task: "scan", symbols, context: { risk_pct: "0.01" } } }),
    );
    const TICKET = expect.stringMatching(/^tk_[0-9a-f]{20}$/);
    expect(
      answer.recommendations.map(({ symbol, direction, ticket, reason }: any) => [
        ...[symbol, direction, ticket?.intent.side ?? null, ticket?.ticket_id ?? reason],
      ]),
    ).toEqual([
      ["HD", "LONG", "buy", TICKET],
      ["SPY", "SHORT", "sell", TICKET],
      ["AAPL", "WAIT", null, expect.stringMatching(/^The signal is WAIT: /)],
      ["DOGE-USD", "SHORT", null, "Refused by oversell"],
    ]);
    const orders = await top.ask({ data: { skill: "list_orders", input: {} } });
    expect(dataOf(orders)).toMatchObject({ orders: [] });
  });

  it.each(["/api/v1/a2a/route", "/api/v1/a2a/route/"])("answers a plain envelope at %s", async (path) => {
    const { status, json } = await top.post(path, {
      task: "signal_analysis",
      symbols: ["AAPL"],
      context: { timeframe: "daily" },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ ok: true, task: "signal_analysis", symbols: ["AAPL"], market: "sample" });
    expect(json.signals).toMatchObject([{ symbol: "AAPL" }]);
  });

  it("answers a plain text", async () => {
    const { status, json } = await top.post("/api/v1/a2a/route", { text: "What is the signal on Apple?" });
    expect(status).toBe(200);
    expect(json).toMatchObject({ ok: true, symbols: ["AAPL"] });
  });

  it.each([
    ["no task", {}, 400, "INVALID_INPUT"],
    ["an unknown field", { task: "scan", symbols: ["AAPL"], no_such_field: 1 }, 400, "INVALID_INPUT"],
    ["an unknown task", { task: "no_such_task", symbols: ["AAPL"] }, 400, "INVALID_INPUT"],
    ["no object", ["AAPL"], 400, "INVALID_INPUT"],
  ])("fails a plain envelope with %s with the status of the error", async (_, body, status, code) => {
    const answer = await top.post("/api/v1/a2a/route", body);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ ok: false, code, status });
  });

  it.each([
    ["an unknown method", { jsonrpc: "2.0", id: 7, method: "NoSuchMethod" }, -32601, 7],
    ["no method", { jsonrpc: "2.0", id: 7 }, -32600, 7],
    ["no version", { id: 7, method: "SendMessage" }, -32600, 7],
    ["a batch", [{ jsonrpc: "2.0", id: 7, method: "SendMessage" }], -32600, null],
  ])("fails a JSON-RPC request with %s with a JSON-RPC error", async (_, body, code, id) => {
    const { json } = await top.post("/api/v1/a2a/route", body);
    expect(json).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
  });

  it("ends the task of a message with an unknown task in a failed state", async () => {
    const { result } = await route(top, { data: { task: "no_such_task", symbols: ["AAPL"] } });
    expect(result.task.status.message.parts[1].data).toMatchObject({ code: "INVALID_INPUT" });
    expect(result.task.status.state).toMatch(/^TASK_STATE_(FAILED|REJECTED)$/);
  });

  it("requires the enterprise plan and the write scope", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: sending({ text: "AAPL" }) };
    const low = await caller.post("/api/v1/a2a/route", message);
    expect(low.status).toBe(403);
    expect(low.json).toMatchObject({
      id: 1,
      error: { code: -32000, data: [{ code: "PLAN_REQUIRED", required_plan: "enterprise" }] },
    });
    const reader = await speaker(installation, "enterprise", ["read"]);
    const { result } = await route(reader, { data: { task: "scan", symbols: ["AAPL"] } });
    expect(result.task.status.message.parts[1].data).toMatchObject({ code: "SCOPE_REQUIRED" });
  });

  it("rejects a text with a secret", async () => {
    const { error } = await route(top, { text: "Connect with the API key PKX7Q2M9W4TZ8RB5LN3C" });
    expect(error.message).toContain("looks like a secret");
  });

  it("is described in the agent card and in the OpenAPI document", async () => {
    const card = (await caller.get("/.well-known/agent-card.json")).json;
    expect(card.description).toContain("Sent to /api/v1/a2a/route (plan enterprise)");
    const skill = (id: string) => card.skills.find((found: any) => found.id === id);
    expect(skill("run_task").examples).toContain('{"task":"portfolio_review"}');
    expect(skill("scan_symbols").tags).toContain("scan");
    expect(skill("propose_trade").tags).toContain("trade_proposal");
    expect(skill("route_request").tags).toEqual(
      expect.arrayContaining(["write", "plan:enterprise", "uses:propose_trade"]),
    );
    const { paths } = (await caller.get("/openapi.json")).json;
    const { description, requestBody } = paths["/api/v1/a2a/route"].post;
    expect(description).toContain("execution recommendations");
    expect(description).toContain("plain envelope");
    expect(requestBody.content["application/json"].examples.envelope.value).toMatchObject({
      task: "signal_analysis",
    });
    expect(requestBody.content["application/json"].examples.send.value.params.message.parts).toEqual([
      { data: expect.objectContaining({ task: "signal_analysis" }) },
    ]);
    expect(paths["/api/v1/scan"].post["x-tasks"]).toEqual(["scan"]);
  });
});
