import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createRegistry, filterTools, missingPorts, routesOf } from "../../src/kernel/registry.ts";
import { defineTool, TOOLSETS, type Tool } from "../../src/kernel/tool.ts";
import { fixedQuotes } from "../support/market.ts";

const base = defineTool({
  name: "get_base",
  title: "Base",
  description: "Base.",
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "GET /base",
  needs: [],
  input: z.object({}),
  output: z.object({}),
  examples: [{ ask: "?", input: {} }],
  handler: () => ({}),
});
const tool = (name: string, over: Partial<Tool> = {}): Tool => ({
  ...base,
  name,
  route: `GET /${name}`,
  ...over,
});
const names = (tools: readonly Tool[]) => tools.map(({ name }) => name);
const registryOf = (...tools: Tool[]) =>
  createRegistry(Object.fromEntries(tools.map((one, i) => [`tool${i}`, one])), {});

describe("the registry", () => {
  it("puts on the menu what is connected, and keeps the rest apart", () => {
    const quoting = tool("get_quote", { needs: ["quotes"] });
    const both = tool("get_both", { needs: ["quotes", "bars"] });
    const catalogue = { base, quoting, both };
    const { tools, absent } = createRegistry(catalogue, { quotes: fixedQuotes({}) });
    expect(names(tools)).toEqual(["get_base", "get_quote"]);
    expect(names(absent)).toEqual(["get_both"]);
    expect(missingPorts(both, { quotes: fixedQuotes({}) })).toEqual(["bars"]);
  });

  it.each([
    { what: 'name "get_a"', tools: [tool("get_a"), tool("get_a", { route: "GET /other" })] },
    { what: 'command "get-b"', tools: [tool("get_a", { command: "get-b" }), tool("get_b")] },
    { what: 'command "x"', tools: [tool("get_a", { command: "x" }), tool("get_b", { command: "x" })] },
    { what: 'route "GET /get_a"', tools: [tool("get_a"), tool("get_b", { route: "GET /get_a" })] },
    { what: 'route "GET /get_a"', tools: [tool("get_a"), tool("get_b", { aliases: ["/get_a"] })] },
    { what: 'task "a"', tools: [tool("get_a", { tasks: ["a"] }), tool("get_b", { tasks: ["b", "a"] })] },
    {
      what: "charge of interpreting text",
      tools: [tool("get_a", { interprets: "query" }), tool("get_b", { interprets: "text" })],
    },
    {
      what: "charge of routing requests",
      tools: [tool("get_a", { routes: "query" }), tool("get_b", { routes: "text" })],
    },
    {
      what: "charge of handing on tasks",
      tools: [tool("get_a", { dispatches: true }), tool("get_b", { dispatches: true })],
    },
    {
      what: 'task "a"',
      tools: [tool("get_a", { tasks: ["a"] }), tool("get_b", { tasks: [{ name: "a", symbols: "none" }] })],
    },
  ])("refuses two tools with the same $what", ({ what, tools }) => {
    expect(() => registryOf(...tools)).toThrow(`Two tools share the ${what}`);
  });

  it("lets only tools run on a schedule that are told which run it is and tell what they decided, each under one name", () => {
    const agent = {
      schedulable: "a",
      input: z.object({ run_id: z.string(), dry_run: z.boolean() }),
      output: z.object({ decisions: z.array(z.string()) }),
    };
    expect(names(registryOf(tool("run_a", agent)).tools)).toEqual(["run_a"]);
    expect(() => registryOf(tool("run_a", { schedulable: "a" }))).toThrow(
      '"run_a" runs on a schedule and lacks run_id, dry_run, decisions',
    );
    expect(() => registryOf(tool("run_a", agent), tool("run_b", agent))).toThrow(
      'Two tools share the schedulable name "a"',
    );
  });

  it("lets nothing that trades answer tasks, which agents hand on without a second look", () => {
    const taking = { tasks: ["a"], input: z.object({ symbol: z.string() }) };
    const daring = tool("buy_a", { ...taking, effect: "trade", route: "POST /a" });
    expect(() => registryOf(daring)).toThrow('"buy_a" answers tasks and trades');
    const keeping = tool("keep_a", { ...taking, effect: "write", route: "POST /a" });
    expect(names(registryOf(keeping).tools)).toEqual(["keep_a"]);
  });

  it("lets nobody hand on tasks to tools that write who says that it only reads", () => {
    const taking = { tasks: ["a"], input: z.object({ symbol: z.string() }) };
    const keeping = tool("keep_a", { ...taking, effect: "write", route: "POST /a" });
    const handing = tool("run_a", { dispatches: true });
    expect(() => registryOf(keeping, handing)).toThrow(
      '"run_a" hands on tasks to "keep_a" and says it only reads',
    );
    expect(names(registryOf(keeping, { ...handing, reaches: "write" }).tools)).toEqual(["keep_a", "run_a"]);
    expect(names(registryOf(tool("get_a", taking), handing).tools)).toEqual(["get_a", "run_a"]);
  });

  it("holds each task to its own field: one symbol, a list of them, or nothing", () => {
    const input = z.object({ sym: z.string().optional(), symbols: z.array(z.string()).optional() });
    const one = { name: "a", symbols: "each", field: "sym" } as const;
    const all = { name: "b", symbols: "all", field: "symbols" } as const;
    const none = { name: "c", symbols: "none" } as const;
    const kind = { input: input.strict() };
    expect(names(registryOf(tool("get_a", { ...kind, tasks: [one, all, none] })).tools)).toEqual(["get_a"]);
    const wrong = { ...one, field: "symbols" } as const;
    expect(() => registryOf(tool("get_a", { ...kind, tasks: [wrong] }))).toThrow(
      '"get_a" answers tasks and cannot be asked with "symbols" alone',
    );
    const needing = { input: z.object({ day: z.string() }) };
    expect(() => registryOf(tool("get_a", { ...needing, tasks: [none] }))).toThrow(
      '"get_a" answers tasks and cannot be asked with nothing alone',
    );
  });

  it("lets only tools answer tasks that need no more than a symbol and carry no file", () => {
    const taking = { tasks: ["a"], input: z.object({ symbol: z.string() }) };
    expect(names(registryOf(tool("get_a", taking)).tools)).toEqual(["get_a"]);
    const wide = z.object({ symbol: z.string(), day: z.string() });
    expect(() => registryOf(tool("get_a", { ...taking, input: wide }))).toThrow(
      '"get_a" answers tasks and cannot be asked with "symbol" alone',
    );
    const drawing = z.object({ media: z.object({}) });
    expect(() => registryOf(tool("get_a", { ...taking, output: drawing }))).toThrow(
      '"get_a" answers tasks, whose answers carry no file',
    );
  });

  it("allows one path under two verbs", () => {
    const save = tool("save_a", { effect: "write", route: "POST /get_a" });
    expect(names(registryOf(tool("get_a"), save).tools)).toEqual(["get_a", "save_a"]);
  });

  it("lists every route of a tool under its verb", () => {
    expect(routesOf(tool("get_a", { aliases: ["/a", "/b/:c"] }))).toEqual([
      "GET /get_a",
      "GET /a",
      "GET /b/:c",
    ]);
  });
});

describe("a shelf", () => {
  const tools = [
    ...TOOLSETS.map((toolset) => tool(`in_${toolset}`, { toolset })),
    tool("save_market", { effect: "write" }),
    tool("ask_market", { reaches: "write" }),
    tool("trade_market", { effect: "trade" }),
    tool("hidden_market", { listed: false }),
  ];
  const shown = (shelf: Parameters<typeof filterTools>[1]) => names(filterTools(tools, shelf));

  it("shows market, signal and system unless told otherwise", () => {
    expect(shown({})).toEqual([
      "in_market",
      "in_signal",
      "in_system",
      "save_market",
      "ask_market",
      "trade_market",
    ]);
  });

  it("shows the toolsets that were asked for, in the order of the catalogue, but nothing hidden", () => {
    expect(shown({ toolsets: ["flow", "market"] })).toEqual([
      "in_market",
      "in_flow",
      "save_market",
      "ask_market",
      "trade_market",
    ]);
    expect(shown({ toolsets: [] })).toEqual([]);
  });

  it("shows everything, hidden tools too, for all", () => {
    expect(shown({ toolsets: ["all"] })).toEqual(names(tools));
    expect(shown({ toolsets: ["flow", "all"] })).toEqual(names(tools));
  });

  it("shows reads alone when it is for reading, whatever the toolsets say", () => {
    // one that may have another write is none
    const reads = names(tools.filter(({ effect, reaches }) => effect === "read" && reaches === undefined));
    expect(shown({ toolsets: ["all"], readonly: true })).toEqual(reads);
    expect(shown({ toolsets: ["market"], readonly: true })).toEqual(["in_market"]);
    expect(shown({ readonly: true })).toEqual(["in_market", "in_signal", "in_system"]);
  });

  it.each([["markets"], ["ALL"], [""], ["toString"]])("refuses the toolset %o", (name) => {
    expect(() => filterTools(tools, { toolsets: ["market", name] })).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        message: `No toolset named "${name}"`,
        hint: "Toolsets: market, signal, flow, fundamentals, prediction, trading, agents, system, all.",
      }),
    );
  });

  it("repeats no more than forty letters of what it refuses", () => {
    expect(() => filterTools(tools, { toolsets: ["x".repeat(500)] })).toThrow(
      `No toolset named "${"x".repeat(40)}"`,
    );
  });
});
