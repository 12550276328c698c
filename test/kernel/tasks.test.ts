import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { TaskCaller, TaskRequest } from "../../src/domain/ports.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { tasksOf } from "../../src/kernel/tasks.ts";
import { defineTool, type Tool } from "../../src/kernel/tool.ts";
import { collectingLog, countingMeters, member, pro, testPorts } from "../support/context.ts";

/** Weighs a symbol; fails on NONE and crashes on BROKEN. */
const weigh = defineTool({
  name: "weigh_symbol",
  title: "Weigh",
  description: "Weighs.",
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/weigh/:symbol",
  needs: [],
  input: z.object({
    symbol: z.string(),
    timeframe: z.string().default("1d"),
    detail: z.enum(["concise", "full"]).optional(),
  }),
  output: z.object({ weight: z.number(), timeframe: z.string(), detail: z.string().nullable() }),
  examples: [{ ask: "Weigh", input: { symbol: "AAPL" } }],
  tasks: ["weighing"],
  terminal: ({ weight }) => `weight ${weight}`,
  handler({ symbol, timeframe, detail = null as never }, { signal }) {
    signal.throwIfAborted();
    if (symbol === "NONE") throw new ToolError("UNKNOWN_SYMBOL", "No NONE", { hint: "Pass another." });
    if (symbol === "BROKEN") throw new Error("the inside of it");
    return { weight: symbol.length, timeframe, detail };
  },
});

/** Tasks of one tool, with the side effects of their calls. */
function setup(over: Partial<TaskCaller> = {}, tool: Tool = weigh) {
  const { log, lines } = collectingLog();
  const { meters, debits } = countingMeters();
  const steps: unknown[] = [];
  const tasks = tasksOf(
    () => [tool],
    () => testPorts({ log, meters }),
  );
  const caller: TaskCaller = {
    principal: pro,
    requestId: "00000000-0000-4000-8000-00000000abcd",
    signal: new AbortController().signal,
    progress: (step) => void steps.push(step),
    ...over,
  };
  const run = (symbols: readonly string[], more: { task?: string; context?: object; detail?: "full" } = {}) =>
    tasks.run({ task: "weighing", symbols, ...more } as TaskRequest, caller);
  return { tasks, caller, run, lines, debits, steps };
}

describe("tasks", () => {
  it("are those declared by tools", () => {
    expect(setup().tasks.names()).toEqual(["weighing"]);
  });

  it("return a result per symbol in request order, duplicates included", async () => {
    const { run, steps } = setup();
    const symbols = ["MSFT", "F", "MSFT"];
    const weighed = (symbol: string) => ({
      symbol,
      skill: "weigh_symbol",
      data: { weight: symbol.length, timeframe: "4h", detail: "full" },
      error: null,
    });
    expect(await run(symbols, { context: { timeframe: "4h" }, detail: "full" })).toEqual(
      symbols.map(weighed),
    );
    expect(steps).toEqual(symbols.map((message, i) => ({ done: i + 1, total: 3, message })));
  });

  it("are not metered", async () => {
    const { run, debits } = setup();
    await run(["MSFT", "F"]);
    expect(debits).toEqual({ burst: 0, day: 0 });
  });

  it("return one symbol's failure with the results of the others", async () => {
    const [none, good] = await setup().run(["NONE", "F"]);
    expect(none).toEqual({
      symbol: "NONE",
      skill: "weigh_symbol",
      data: null,
      error: { code: "UNKNOWN_SYMBOL", message: "No NONE", hint: "Pass another." },
    });
    expect(good).toMatchObject({ symbol: "F", data: { weight: 1 }, error: null });
  });

  it("require symbols, and name the missing field", async () => {
    await expect(setup().run([])).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: 'The task "weighing" needs symbols',
      data: { errors: [{ pointer: "/symbols", detail: "is required" }] },
    });
  });

  it("fail with the first symbol's error when all fail", async () => {
    await expect(setup().run(["NONE", "BROKEN"])).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
  });

  it("log an internal failure and return it without its cause", async () => {
    const { run, lines } = setup();
    const [broken] = await run(["BROKEN", "F"]);
    expect(broken!.error).toEqual({ code: "INTERNAL", message: "The tool failed unexpectedly", hint: null });
    expect(lines).toEqual([
      {
        level: "error",
        event: "task",
        fields: {
          request_id: "00000000-0000-4000-8000-00000000abcd",
          task: "weighing",
          symbol: "BROKEN",
          cause: new Error("the inside of it"),
        },
      },
    ]);
  });

  it("reject an unknown name and list the known ones", async () => {
    await expect(setup().run(["F"], { task: "guessing" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      hint: "Tasks: weighing.",
      data: { tasks: ["weighing"] },
    });
  });

  it("reject a timeframe if the tool takes none", async () => {
    const timeless = { ...weigh, input: z.object({ symbol: z.string() }).strict() } as unknown as Tool;
    const { run } = setup({}, timeless);
    await expect(run(["F"], { context: { timeframe: "4h" } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      data: { errors: [{ pointer: "/context/timeframe", detail: "unknown field" }] },
    });
  });

  it.each([
    ["PLAN_REQUIRED", member],
    ["SCOPE_REQUIRED", { ...pro, scopes: ["write"] } as const],
  ])("require the plan and scope of the tool: %s", async (code, principal) => {
    await expect(setup({ principal }).run(["F", "NONE"])).rejects.toMatchObject({ code });
  });

  it("count failed symbols as done", async () => {
    const { run, steps } = setup();
    await run(["NONE", "F"]);
    expect(steps).toEqual([
      { done: 1, total: 2, message: "NONE" },
      { done: 2, total: 2, message: "F" },
    ]);
  });

  it("fail with INTERNAL without the cause when every symbol crashed", async () => {
    await expect(setup().run(["BROKEN", "BROKEN"])).rejects.toMatchObject({
      code: "INTERNAL",
      message: "The tool failed unexpectedly",
    });
  });

  it("end when the caller cancels", async () => {
    const gone = new AbortController();
    const { run, steps } = setup({
      signal: gone.signal,
      progress: (step) => {
        steps.push(step);
        gone.abort();
      },
    });
    const cancelled = run(["F", "MSFT", "AAPL", "NVDA", "TSLA", "SPY"]);
    await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
    expect(steps).toHaveLength(1);
  });
});

/** Counts its symbols in one call. */
const count = defineTool({
  name: "count_symbols",
  title: "Count",
  description: "Counts.",
  toolset: "signal",
  plan: "pro",
  needs: [],
  route: "POST /api/v1/count",
  effect: "write",
  input: z.object({ names: z.array(z.string()).optional() }),
  output: z.object({ names: z.array(z.string()) }),
  examples: [{ ask: "Count", input: { names: ["AAPL"] } }],
  tasks: [
    { name: "counting", symbols: "all", field: "names" },
    { name: "resting", symbols: "none" },
  ],
  handler({ names = ["nothing"] }, { progress }) {
    if (names.includes("NONE")) throw new ToolError("UNKNOWN_SYMBOL", "No NONE");
    for (const [i, message] of names.entries()) progress({ done: i + 1, total: names.length, message });
    return { names };
  },
});

describe("a task of one call", () => {
  const counting = (over: Partial<TaskCaller> = {}) => {
    const { run, steps } = setup(over, count);
    return { run: (task: string, symbols: readonly string[]) => run(symbols, { task }), steps };
  };

  it("passes all symbols at once, and reports progress", async () => {
    const { run, steps } = counting();
    expect(await run("counting", ["F", "MSFT"])).toEqual([
      { symbol: null, skill: "count_symbols", data: { names: ["F", "MSFT"] }, error: null },
    ]);
    expect(steps).toEqual([
      { done: 1, total: 2, message: "F" },
      { done: 2, total: 2, message: "MSFT" },
    ]);
  });

  it("accepts no symbols if the tool takes none", async () => {
    const { run } = counting();
    expect(await run("resting", [])).toEqual([
      { symbol: null, skill: "count_symbols", data: { names: ["nothing"] }, error: null },
    ]);
    await expect(run("resting", ["F"])).rejects.toMatchObject({
      message: 'The task "resting" takes no symbols',
      data: { errors: [{ pointer: "/symbols", detail: "not accepted" }] },
    });
  });

  it("fails with the error of its call", async () => {
    await expect(counting().run("counting", ["NONE"])).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
  });

  it("requires the write scope for a tool that writes", async () => {
    const reader = { ...pro, scopes: ["read"] } as const;
    await expect(counting({ principal: reader }).run("counting", ["F"])).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
      data: { required_scope: "write" },
    });
  });
});

describe("a call of one skill", () => {
  const callOf = (request: { skill?: string; input?: object } = {}, over: Partial<TaskCaller> = {}) => {
    const { tasks, caller, ...seen } = setup(over);
    const { skill = "weigh_symbol", input = { symbol: "MSFT" } } = request;
    return { ...seen, answer: tasks.callSkill({ skill, input: { ...input }, detail: "concise" }, caller) };
  };

  it("returns its output, and is not metered", async () => {
    const { answer, debits } = callOf({ input: { symbol: "MSFT", timeframe: "4h" } });
    expect(await answer).toEqual({
      data: { weight: 4, timeframe: "4h", detail: "concise" },
      error: null,
      text: "weight 4",
    });
    expect(debits).toEqual({ burst: 0, day: 0 });
  });

  it("returns its error", async () => {
    expect(await callOf({ input: { symbol: "NONE" } }).answer).toEqual({
      data: null,
      error: { code: "UNKNOWN_SYMBOL", message: "No NONE", hint: "Pass another." },
      text: null,
    });
    expect((await callOf({ input: { weight: 1 } }).answer).error).toMatchObject({ code: "INVALID_INPUT" });
  });

  it("returns NOT_CONNECTED for an unknown skill", async () => {
    expect((await callOf({ skill: "sing" }).answer).error).toEqual({
      code: "NOT_CONNECTED",
      message: '"sing" is not connected',
      hint: "The owner of the server connects it with a setting.",
    });
  });

  it("logs an internal failure and returns it without its cause", async () => {
    const { answer, lines } = callOf({ input: { symbol: "BROKEN" } });
    expect((await answer).error).toMatchObject({ code: "INTERNAL", message: "The tool failed unexpectedly" });
    expect(lines).toMatchObject([{ level: "error", event: "skill", fields: { skill: "weigh_symbol" } }]);
  });

  it.each([
    ["trades", { effect: "trade" }],
    ["writes", { effect: "write" }],
    ["interprets itself", { role: "interpreter" }],
  ])("never reaches a tool that %s", async (_, over) => {
    const handler = () => ({ weight: 1, timeframe: "1d", detail: null });
    const { tasks, caller, lines } = setup({}, { ...weigh, ...over, handler } as Tool);
    const answer = await tasks.callSkill({ skill: "weigh_symbol", input: { symbol: "F" } }, caller);
    expect(answer).toMatchObject({ data: null, error: { code: "INTERNAL" } });
    expect(lines).toHaveLength(1);
  });

  it("rejects when the caller cancels, and returns that the caller lacks the plan of one skill", async () => {
    const cancelled = callOf({}, { signal: AbortSignal.abort() });
    await expect(cancelled.answer).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await callOf({}, { principal: member }).answer).toMatchObject({
      data: null,
      error: { code: "PLAN_REQUIRED" },
    });
  });
});
