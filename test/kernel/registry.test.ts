import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createRegistry, filterTools, missingPorts, routesOf } from "../../src/kernel/registry.ts";
import { defineTool, maxEffect, TOOLSETS, type Tool } from "../../src/kernel/tool.ts";
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
  it("splits tools by whether their ports are connected", () => {
    const quoting = tool("get_quote", { needs: ["quotes"] });
    const both = tool("get_both", { needs: ["quotes", "bars"] });
    const catalogue = { base, quoting, both };
    const { tools, unavailable } = createRegistry(catalogue, { quotes: fixedQuotes({}) });
    expect(names(tools)).toEqual(["get_base", "get_quote"]);
    expect(names(unavailable)).toEqual(["get_both"]);
    expect(missingPorts(both, { quotes: fixedQuotes({}) })).toEqual(["bars"]);
  });

  it.each([
    { what: 'name "get_a"', tools: [tool("get_a"), tool("get_a", { route: "GET /other" })] },
    { what: 'command "get-b"', tools: [tool("get_a", { cli: { command: "get-b" } }), tool("get_b")] },
    {
      what: 'command "x"',
      tools: [tool("get_a", { cli: { command: "x" } }), tool("get_b", { cli: { command: "x" } })],
    },
    { what: 'route "GET /get_a"', tools: [tool("get_a"), tool("get_b", { route: "GET /get_a" })] },
    { what: 'route "GET /get_a"', tools: [tool("get_a"), tool("get_b", { http: { aliases: ["/get_a"] } })] },
    { what: 'task "a"', tools: [tool("get_a", { tasks: ["a"] }), tool("get_b", { tasks: ["b", "a"] })] },
    ...(["dispatcher", "router", "interpreter", "demo"] as const).map((role) => ({
      what: `role "${role}"`,
      tools: [tool("get_a", { role }), tool("get_b", { role })],
    })),
    {
      what: 'task "a"',
      tools: [tool("get_a", { tasks: ["a"] }), tool("get_b", { tasks: [{ name: "a", symbols: "none" }] })],
    },
  ])("rejects two tools with the same $what", ({ what, tools }) => {
    expect(() => registryOf(...tools)).toThrow(`Two tools share the ${what}`);
  });

  it("requires run_id, dry_run and decisions of a schedulable tool, and a unique name", () => {
    const agent = {
      schedulable: "a",
      input: z.object({ run_id: z.string(), dry_run: z.boolean() }),
      output: z.object({ decisions: z.array(z.string()) }),
    };
    expect(names(registryOf(tool("run_a", agent)).tools)).toEqual(["run_a"]);
    expect(() => registryOf(tool("run_a", { schedulable: "a" }))).toThrow(
      '"run_a" runs on a schedule but lacks run_id, dry_run, decisions',
    );
    expect(() => registryOf(tool("run_a", agent), tool("run_b", agent))).toThrow(
      'Two tools share the schedulable name "a"',
    );
  });

  it("rejects a tool that trades and serves tasks", () => {
    const taking = { tasks: ["a"], input: z.object({ symbol: z.string() }) };
    const daring = tool("buy_a", { ...taking, effect: "trade", route: "POST /a" });
    expect(() => registryOf(daring)).toThrow('"buy_a" serves tasks but has the effect trade');
    const keeping = tool("keep_a", { ...taking, effect: "write", route: "POST /a" });
    expect(names(registryOf(keeping).tools)).toEqual(["keep_a"]);
  });

  it("treats a dispatcher as a tool that may write", () => {
    expect(maxEffect(tool("run_a", { role: "dispatcher" }))).toBe("write");
    expect(maxEffect(tool("get_a"))).toBe("read");
    expect(maxEffect(tool("buy_a", { effect: "trade" }))).toBe("trade");
  });

  it.each([
    { role: "router", field: "text" },
    { role: "interpreter", field: "query" },
  ] as const)("rejects a $role without the field $field", ({ role, field }) => {
    expect(() => registryOf(tool("get_a", { role }))).toThrow(
      `"get_a" is the ${role} but has no "${field}" field`,
    );
    const input = z.object({ [field]: z.string() });
    expect(names(registryOf(tool("get_a", { role, input })).tools)).toEqual(["get_a"]);
  });

  it("checks each task against its own field: one symbol, a list, or none", () => {
    const input = z.object({ sym: z.string().optional(), symbols: z.array(z.string()).optional() });
    const one = { name: "a", symbols: "each", field: "sym" } as const;
    const all = { name: "b", symbols: "all", field: "symbols" } as const;
    const none = { name: "c", symbols: "none" } as const;
    const kind = { input: input.strict() };
    expect(names(registryOf(tool("get_a", { ...kind, tasks: [one, all, none] })).tools)).toEqual(["get_a"]);
    const wrong = { ...one, field: "symbols" } as const;
    expect(() => registryOf(tool("get_a", { ...kind, tasks: [wrong] }))).toThrow(
      '"get_a" serves tasks, but its input is not valid with "symbols" alone',
    );
    const needing = { input: z.object({ day: z.string() }) };
    expect(() => registryOf(tool("get_a", { ...needing, tasks: [none] }))).toThrow(
      '"get_a" serves tasks, but its input is not valid with no field',
    );
  });

  it("rejects tasks of tools that need more than a symbol or return a file", () => {
    const taking = { tasks: ["a"], input: z.object({ symbol: z.string() }) };
    expect(names(registryOf(tool("get_a", taking)).tools)).toEqual(["get_a"]);
    const wide = z.object({ symbol: z.string(), day: z.string() });
    expect(() => registryOf(tool("get_a", { ...taking, input: wide }))).toThrow(
      '"get_a" serves tasks, but its input is not valid with "symbol" alone',
    );
    const drawing = z.object({ media: z.object({}) });
    expect(() => registryOf(tool("get_a", { ...taking, output: drawing }))).toThrow(
      '"get_a" serves tasks but returns a file',
    );
  });

  it("allows one path with two verbs", () => {
    const save = tool("save_a", { effect: "write", route: "POST /get_a" });
    expect(names(registryOf(tool("get_a"), save).tools)).toEqual(["get_a", "save_a"]);
  });

  it("lists every route of a tool with its verb", () => {
    const routes = routesOf(tool("get_a", { http: { aliases: ["/a", "/b/:c"] } }));
    expect(routes).toEqual(["GET /get_a", "GET /a", "GET /b/:c"]);
  });
});

describe("a toolset filter", () => {
  const tools = [
    ...TOOLSETS.map((toolset) => tool(`in_${toolset}`, { toolset })),
    tool("save_market", { effect: "write" }),
    tool("ask_market", { role: "dispatcher" }),
    tool("trade_market", { effect: "trade" }),
    tool("hidden_market", { listed: false }),
  ];
  const ACTING = ["save_market", "ask_market", "trade_market"];
  const shown = (filter: Parameters<typeof filterTools>[1]) => names(filterTools(tools, filter));

  it("selects market, signal and system by default", () => {
    expect(shown({})).toEqual(["in_market", "in_signal", "in_system", ...ACTING]);
  });

  it("selects the requested toolsets in catalogue order, without unlisted tools", () => {
    expect(shown({ toolsets: ["flow", "market"] })).toEqual(["in_market", "in_flow", ...ACTING]);
    expect(shown({ toolsets: [] })).toEqual([]);
  });

  it("lists some tools only for their toolset, and some only by default or for it", () => {
    const some = [
      tool("in_signal", { toolset: "signal" }),
      tool("only_signal", { toolset: "signal", listed: "toolset" }),
      tool("usual_trading", { toolset: "trading", listed: "default" }),
    ];
    const namesFor = (toolsets?: readonly string[]) =>
      names(filterTools(some, toolsets === undefined ? {} : { toolsets }));
    expect(namesFor()).toEqual(["in_signal", "usual_trading"]);
    expect(namesFor(["signal"])).toEqual(["in_signal", "only_signal"]);
    expect(namesFor(["trading"])).toEqual(["usual_trading"]);
  });

  it("selects every tool for 'all', including unlisted ones", () => {
    expect(shown({ toolsets: ["all"] })).toEqual(names(tools));
    expect(shown({ toolsets: ["flow", "all"] })).toEqual(names(tools));
  });

  it("selects only read tools in read-only mode, for any toolsets", () => {
    const reads = names(tools.filter((one) => maxEffect(one) === "read"));
    expect(shown({ toolsets: ["all"], readonly: true })).toEqual(reads);
    expect(shown({ toolsets: ["market"], readonly: true })).toEqual(["in_market"]);
    expect(shown({ readonly: true })).toEqual(["in_market", "in_signal", "in_system"]);
  });

  it.each([["markets"], ["ALL"], [""], ["toString"]])("rejects the toolset %o", (name) => {
    expect(() => filterTools(tools, { toolsets: ["market", name] })).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        message: `No toolset named "${name}"`,
        hint: "Toolsets: market, signal, flow, fundamentals, prediction, trading, agents, system, all.",
      }),
    );
  });

  it("truncates the rejected name to forty characters", () => {
    expect(() => filterTools(tools, { toolsets: ["x".repeat(500)] })).toThrow(
      `No toolset named "${"x".repeat(40)}"`,
    );
  });
});
