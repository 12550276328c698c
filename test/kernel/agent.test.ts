import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { defineAgent } from "../../src/kernel/agent.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { defineTool, type Tool } from "../../src/kernel/tool.ts";
import { collectingLog, countingMeters, member, pro, testPorts } from "../support/context.ts";

const Out = z.object({ text: z.string() });
const base = {
  title: "t",
  description: "d",
  toolset: "system",
  plan: "member",
  effect: "read",
  needs: [],
  input: z.object({ n: z.number().default(1), detail: z.enum(["concise", "full"]).optional() }),
  output: Out,
  examples: [{ ask: "?", input: {} }],
} as const;
const requestIds: string[] = [];
const readThing = defineTool({
  ...base,
  name: "read_thing",
  route: "GET /thing",
  needs: ["market"],
  handler: ({ n, detail }, { market, requestId }) => {
    requestIds.push(requestId);
    return { text: `${market.id} ${n} ${detail}` };
  },
});
const thing = (name: string, over: Partial<Tool> = {}) =>
  ({ ...readThing, needs: [], name, route: `POST /${name}`, handler: () => ({ text: "" }), ...over }) as Tool;
const openThing = thing("open_thing", { plan: "open" });
const proThing = thing("pro_thing", { plan: "pro" });
const tradeThing = thing("trade_thing", { effect: "trade" });
const writeThing = thing("write_thing", { effect: "write" });
/** A handler that throws this error. */
const failing = (error: Error) =>
  thing("failing_thing", {
    handler: () => {
      throw error;
    },
  });

const shell = {
  name: "ask_twice",
  title: "Call twice",
  description: "Calls twice.",
  route: "POST /api/v1/twice",
  input: z.object({}),
  output: Out,
  examples: [{ ask: "?", input: {} }],
} as const;
const using = (...uses: [Tool, ...Tool[]]) =>
  defineAgent({ ...shell, uses, run: async () => ({ text: "" }) });
/** An agent step that calls one tool. */
const calling = (tool: Tool) =>
  defineAgent({
    ...shell,
    uses: [tool],
    run: async (_, { call }) => (await call(tool, {})) as { text: string },
  });
const twice = defineAgent({
  ...shell,
  uses: [readThing],
  async run(_, { call, progress }) {
    const first = await call(readThing, { n: 1 });
    progress({ done: 1, total: 2 });
    const second = await call(readThing, { n: 2 });
    return { text: `${first.text}, ${second.text}` };
  },
});

function setup(principal: Principal = member) {
  const { log, lines } = collectingLog();
  const { meters, debits } = countingMeters();
  const progress = vi.fn();
  const run = (tool: Tool) =>
    invoke(
      tool,
      {},
      { ports: testPorts({ log, meters }), principal, transport: "test", detail: "concise", progress },
    );
  return { run, lines, debits, progress };
}

describe("an agent", () => {
  it("is a tool with the highest plan and effect of its tools", () => {
    expect(using(openThing)).toMatchObject({ toolset: "agents", plan: "open", effect: "read", listed: true });
    expect(using(openThing, readThing)).toMatchObject({ plan: "member", effect: "read" });
    expect(using(proThing, tradeThing, writeThing)).toMatchObject({ plan: "pro", effect: "trade" });
    expect(using(writeThing, proThing)).toMatchObject({ plan: "pro", effect: "write" });
  });

  it("requires each port of its tools once", () => {
    const needs = [...using(readThing, openThing, proThing).needs].sort();
    expect(needs).toEqual(["clock", "ids", "log", "market", "meters"]);
  });

  it("passes the market to its run", async () => {
    const agent = defineAgent({
      ...shell,
      uses: [openThing],
      run: async (_, { market }) => ({ text: market }),
    });
    expect(await setup().run(agent)).toEqual({ text: "sample" });
  });

  it("runs its steps in full detail under one request id", async () => {
    requestIds.length = 0;
    const { run, progress } = setup();
    expect(await run(twice)).toEqual({ text: "test 1 full, test 2 full" });
    expect(requestIds).toHaveLength(2);
    expect(new Set(requestIds)).toEqual(new Set(["00000000-0000-4000-8000-000000000001"]));
    expect(progress.mock.calls).toEqual([[{ done: 1, total: 2 }]]);
  });

  it("costs one call and one log entry for any number of steps", async () => {
    const { run, lines, debits } = setup();
    await run(twice);
    expect(debits).toEqual({ burst: 1, day: 1 });
    expect(lines).toMatchObject([
      { level: "info", fields: { tool: "ask_twice", transport: "test", code: "OK" } },
    ]);
  });

  it("fails with the error of its step, and one log entry", async () => {
    const agent = calling(failing(new ToolError("NO_PRICE", "None")));
    const { run, lines, debits } = setup();
    await expect(run(agent)).rejects.toMatchObject({ code: "NO_PRICE", message: "None" });
    expect(lines).toMatchObject([{ level: "info", fields: { tool: "ask_twice", code: "NO_PRICE" } }]);
    expect(debits).toEqual({ burst: 1, day: 1 });
  });

  it("has the longest deadline of its tools by default", () => {
    const slow = { ...proThing, deadlineMs: 90_000 };
    expect(using(readThing, slow).deadlineMs).toBe(90_000);
    expect(using(readThing).deadlineMs).toBeUndefined();
    const hurried = defineAgent({
      ...shell,
      uses: [slow],
      deadlineMs: 5_000,
      run: async () => ({ text: "" }),
    });
    expect(hurried.deadlineMs).toBe(5_000);
  });

  it("logs a crashed step once with its cause", async () => {
    const cause = new Error("crash");
    const { run, lines } = setup();
    await expect(run(calling(failing(cause)))).rejects.toMatchObject({ code: "INTERNAL" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: "error",
      fields: { tool: "ask_twice", transport: "test", cause },
    });
  });

  it("requires the plan and scopes of its steps", async () => {
    const { run, debits } = setup(member);
    await expect(run(using(proThing))).rejects.toMatchObject({ code: "PLAN_REQUIRED" });
    await expect(run(using(tradeThing))).rejects.toMatchObject({ code: "SCOPE_REQUIRED" });
    expect(debits).toEqual({ burst: 0, day: 0 });
    await expect(setup(pro).run(using(tradeThing))).resolves.toEqual({ text: "" });
  });

  it("lists its tools", () => {
    expect(twice.uses).toEqual(["read_thing"]);
    expect(using(openThing, proThing).uses).toEqual(["open_thing", "pro_thing"]);
    expect(readThing.uses).toBeUndefined();
  });

  it("cancels its steps when the caller cancels", async () => {
    const reasons: unknown[] = [];
    const waiting = thing("wait_thing", {
      handler: (_, { signal }) => {
        signal.addEventListener("abort", () => reasons.push(signal.reason));
        return new Promise<{ text: string }>(() => {});
      },
    });
    const agent = calling(waiting);
    const leaving = new AbortController();
    const given = { ports: testPorts(), principal: member, transport: "test" };
    const call = invoke(agent, {}, { ...given, signal: leaving.signal });
    setImmediate(() => leaving.abort());
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
    expect(reasons).toMatchObject([{ code: "CANCELLED" }]);
  });
});

describe("several steps of an agent", () => {
  /** A tool that throws this error for these numbers. */
  const picky = (fails: readonly number[], failure: Error) =>
    defineTool({
      ...base,
      name: "pick_thing",
      route: "GET /pick",
      handler: async ({ n }) => {
        // Later steps end first.
        await new Promise((resolve) => setTimeout(resolve, 10 / n));
        if (fails.includes(n)) throw failure;
        return { text: String(n) };
      },
    });
  const none = new ToolError("NO_PRICE", "None");
  const unavailable = new ToolError("UPSTREAM_UNAVAILABLE", "Unavailable");
  function eachOf(numbers: readonly number[], fails: readonly number[], failure: Error) {
    const tool = picky(fails, failure);
    const agent = defineAgent({
      ...shell,
      uses: [tool],
      async run(_, { each }) {
        const outcomes = await each(
          tool,
          numbers.map((n) => ({ n })),
        );
        return { text: outcomes.map(({ output, error }) => output?.text ?? error?.code).join(" ") };
      },
    });
    return { ...setup(), agent };
  }

  it("preserve the order, cost one call, and report progress for each", async () => {
    const { run, agent, debits, lines, progress } = eachOf([1, 2, 3, 4, 5, 6], [], none);
    expect(await run(agent)).toEqual({ text: "1 2 3 4 5 6" });
    expect(debits).toEqual({ burst: 1, day: 1 });
    expect(lines).toHaveLength(1);
    expect(progress.mock.calls.map(([step]) => step)).toEqual(
      [1, 2, 3, 4, 5, 6].map((done) => ({ done, total: 6 })),
    );
  });

  it("continue when one fails", async () => {
    const { run, agent } = eachOf([1, 2, 3], [2], none);
    expect(await run(agent)).toEqual({ text: "1 NO_PRICE 3" });
  });

  it("may all fail, unless a provider is unavailable", async () => {
    const { run, agent } = eachOf([1, 2], [1, 2], none);
    expect(await run(agent)).toEqual({ text: "NO_PRICE NO_PRICE" });
    const dark = eachOf([1, 2], [1, 2], unavailable);
    await expect(dark.run(dark.agent)).rejects.toBe(unavailable);
    const half = eachOf([1, 2], [1], unavailable);
    expect(await half.run(half.agent)).toEqual({ text: "UPSTREAM_UNAVAILABLE 2" });
  });

  it("reject with an error that affects the whole call", async () => {
    const { run, agent } = eachOf([1, 2], [2], new ToolError("DEADLINE", "Late"));
    await expect(run(agent)).rejects.toMatchObject({ code: "DEADLINE" });
  });

  it("log a crash with its cause, and return the other results", async () => {
    const cause = new Error("crash");
    const { run, agent, lines } = eachOf([1, 2], [1], cause);
    expect(await run(agent)).toEqual({ text: "INTERNAL 2" });
    expect(lines).toMatchObject([
      { level: "error", event: "step", fields: { tool: "pick_thing", cause } },
      { level: "info", event: "call" },
    ]);
  });
});
