import { afterEach, describe, expect, it } from "vitest";
import { collectingLog, countingMeters } from "../../support/context.ts";
import { directoryOf } from "../../support/market.ts";
import { dialler } from "./clients.ts";
import { setup, until } from "./fixture.ts";

const { connect, connectOld, end } = dialler();
afterEach(end);

describe.each(["auto", "legacy"] as const)("the 2.4 client in %s mode", (mode) => {
  it("negotiates, lists the default toolsets and calls", async () => {
    const client = await connect(setup(), { mode });
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
    expect(client.getServerVersion()).toMatchObject({
      name: "market-signal",
      title: "Market Signal",
      version: "9.9.9",
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "say_text",
      "priced_text",
      "fail_text",
      "save_text",
      "slow_text",
      "call_tool",
      "call_action",
    ]);
    const result = await client.callTool({ name: "say_text", arguments: { text: "hi" } });
    expect(result.structuredContent).toEqual({ text: "hi", account: "pro" });
    expect(result.content).toEqual([{ type: "text", text: "pro says hi\nand more" }]);
  });

  it("labels results of a simulated market", async () => {
    const client = await connect(setup(), { mode });
    const priced = await client.callTool({ name: "priced_text", arguments: { text: "hi" } });
    expect(priced.content).toEqual([{ type: "text", text: "SAMPLE (simulated) | hi" }]);
    expect(client.getInstructions()).toContain("simulated prices");
  });

  it("returns tool errors as results, without details of unexpected errors", async () => {
    const client = await connect(setup(), { mode });
    const known = await client.callTool({ name: "fail_text", arguments: { text: "APPL" } });
    expect(known).toMatchObject({ isError: true });
    expect(known.structuredContent).toBeUndefined();
    expect(known.content).toEqual([
      {
        type: "text",
        text: [
          'UNKNOWN_SYMBOL: No instrument "APPL"',
          "Did you mean AAPL?",
          '{"symbol":"APPL","candidates":["AAPL"]}',
          "Next: Use a listed candidate; if none is listed, ask the user which instrument is meant.",
        ].join("\n"),
      },
    ]);
    const unknown = await client.callTool({ name: "fail_text", arguments: { text: "crash" } });
    expect(JSON.stringify(unknown)).toContain("INTERNAL: The tool failed unexpectedly");
    expect(JSON.stringify(unknown)).not.toContain("postgres");
  });

  it("validates arguments in invoke", async () => {
    const client = await connect(setup(), { mode });
    const wrong = await client.callTool({ name: "say_text", arguments: { text: {}, more: true } });
    expect(wrong).toMatchObject({ isError: true, content: [{ text: /INVALID_INPUT/ }] });
    expect(JSON.stringify(wrong)).toContain("/text");
  });

  it("names an unknown tool as a protocol error", async () => {
    const client = await connect(setup(), { mode });
    await expect(client.callTool({ name: "no_such" })).rejects.toMatchObject({ code: -32602 });
  });

  it("sends requested progress", async () => {
    const made = setup();
    const client = await connect(made, { mode });
    const steps: unknown[] = [];
    const call = client.callTool(
      { name: "slow_text", arguments: { text: "hi" } },
      { onprogress: (step) => void steps.push(step) },
    );
    await until(() => steps.length === 1);
    made.slow.release();
    expect((await call).structuredContent).toEqual({ text: "hi", account: "pro" });
    expect(steps).toEqual([
      { progress: 1, total: 2, message: "halfway" },
      { progress: 2, total: 2, message: "done" },
    ]);
  });

  it.each(["slow", "wait"] as const)("cancels a %s call when its client disconnects", async (which) => {
    const made = setup();
    const client = await connect(made, { mode, path: "/api/mcp?toolsets=all" });
    const call = client.callTool({ name: `${which}_text`, arguments: { text: "hi" } });
    const gone = expect(call).rejects.toThrow();
    await until(() => made[which].state.started === 1);
    await client.close();
    await gone;
    await until(() => made[which].state.aborted === 1);
  });

  it("returns the matching result for each of fifty parallel calls", async () => {
    const client = await connect(setup(), { mode });
    const texts = Array.from({ length: 50 }, (_, i) => `text ${i}`);
    const results = await Promise.all(
      texts.map((text) => client.callTool({ name: "say_text", arguments: { text } })),
    );
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
      texts.map((text) => ({ text, account: "pro" })),
    );
  });

  it("reads resources, fills prompts and completes their arguments", async () => {
    const aapl = directoryOf(["AAPL"]);
    const client = await connect(setup({}, { symbols: { ...aapl, search: () => aapl.members() } }), { mode });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["market-signal://tools", "quota://me"]);
    const { contents } = await client.readResource({ uri: "quota://me" });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({
      plan: "pro",
      windows: [
        // every message counts: server/discover, the list and this request, or initialize, its notification and both
        { name: "burst", remaining: mode === "auto" ? 57 : 56 },
        { name: "daily", remaining: 1000 },
      ],
    });
    await expect(client.readResource({ uri: "quota://you" })).rejects.toMatchObject({ code: -32602 });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["market-signal://tools/{name}"]);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      "analyse_symbol",
      "compare_symbols",
      "plan_trade",
      "review_plan",
    ]);
    const review = await client.getPrompt({ name: "review_plan" });
    expect(review.messages[0]?.content).toMatchObject({
      type: "resource",
      resource: { uri: "quota://me", text: expect.stringContaining('"plan":"pro"') },
    });
    const { messages } = await client.getPrompt({ name: "analyse_symbol", arguments: { symbol: "AAPL" } });
    expect(messages[0]?.content).toMatchObject({ text: /Analyse AAPL on 1d bars/ });
    await expect(client.getPrompt({ name: "analyse_symbol" })).rejects.toMatchObject({ code: -32602 });
    const ref = { type: "ref/prompt", name: "analyse_symbol" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "symbol", value: "app" } });
    expect(completion).toEqual({ values: ["AAPL"], total: 1, hasMore: false });
  });
});

it("serves the 1.32 client, including ping and log level", async () => {
  const client = await connectOld(setup(), "/api/mcp/");
  expect((await client.listTools()).tools).toHaveLength(7);
  const result = await client.callTool({ name: "say_text", arguments: { text: "hi" } });
  expect(result.structuredContent).toEqual({ text: "hi", account: "pro" });
  expect(await client.ping()).toEqual({});
  expect(await client.setLoggingLevel("warning")).toEqual({});
});

it("lists tools as privately cacheable, each with its annotations", async () => {
  const client = await connect(setup());
  const list = await client.listTools();
  expect(list).toMatchObject({ ttlMs: 60_000, cacheScope: "private" });
  const hints = Object.fromEntries(list.tools.map(({ name, annotations }) => [name, annotations]));
  expect(hints.say_text).toEqual({ readOnlyHint: true });
  expect(hints.save_text).toMatchObject({ readOnlyHint: false, destructiveHint: false });
});

describe("toolsets", () => {
  const names = async (path: string) => {
    const client = await connect(setup(), { path });
    return { client, names: (await client.listTools()).tools.map(({ name }) => name) };
  };

  it("lists the selected toolsets", async () => {
    expect((await names("/api/mcp?toolsets=signal,flow")).names).toEqual([
      "fail_text",
      "rich_text",
      "call_tool",
      "call_action",
    ]);
    expect((await names("/api/mcp?toolsets=all")).names).toHaveLength(10);
  });

  it("serves a tool of another toolset by its name", async () => {
    const { client } = await names("/api/mcp?toolsets=signal");
    const result = await client.callTool({ name: "say_text", arguments: { text: "hi" } });
    expect(result).toMatchObject({ structuredContent: { text: "hi" } });
  });

  it("applies readonly to every toolset", async () => {
    const { client, names: shown } = await names("/api/mcp?toolsets=all&readonly=1");
    expect(shown).not.toContain("save_text");
    await expect(client.callTool({ name: "save_text", arguments: { text: "hi" } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it("returns NOT_CONNECTED for an unconnected tool", async () => {
    const client = await connect(setup());
    const result = await client.callTool({ name: "engine_text", arguments: { text: "hi" } });
    expect(result).toMatchObject({ isError: true, content: [{ text: /NOT_CONNECTED/ }] });
  });

  it("returns PLAN_REQUIRED for a tool above the plan", async () => {
    const client = await connect(setup(), { path: "/api/mcp?toolsets=flow" });
    const result = await client.callTool({ name: "rich_text", arguments: { text: "hi" } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^PLAN_REQUIRED: .*"enterprise"/) }],
    });
  });
});

describe("call_tool", () => {
  const call = async (input: Record<string, unknown>, path = "/api/mcp") => {
    const client = await connect(setup(), { path });
    return client.callTool({ name: "call_tool", arguments: input });
  };

  it.each([{ text: "hi" }, '{"text":"hi"}'])("returns the result of the named tool for %j", async (given) => {
    expect(await call({ name: "say_text", arguments: given })).toMatchObject({
      structuredContent: { text: "hi" },
      content: [{ type: "text" }],
    });
  });

  it("returns the errors of the named tool", async () => {
    expect(await call({ name: "fail_text", arguments: { text: "APPL" } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^UNKNOWN_SYMBOL: No instrument "APPL"/) }],
    });
    expect(await call({ name: "say_text", arguments: "not JSON" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^INVALID_INPUT: /) }],
    });
  });

  it.each([{ name: "no_such" }, {}, { name: "call_tool", arguments: { name: "say_text" } }])(
    "names the nearest tools for %j",
    async (input) => {
      expect(await call(input)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^INVALID_INPUT: Unknown tool "\w*"\. Nearest: \w+/) }],
      });
    },
  );

  it("calls nothing that changes something if readonly", async () => {
    const refused = await call({ name: "save_text", arguments: { text: "hi" } }, "/api/mcp?readonly=1");
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("only tools that change nothing") }],
    });
  });
});

describe("the instructions", () => {
  it("mention simulated prices and other toolsets", async () => {
    const text = (await connect(setup())).getInstructions();
    expect(text).toContain('begin with "SAMPLE (simulated)"');
    expect(text).toMatch(
      /Not every tool is listed: .* finds the others \(flow\), call_tool calls those that read, call_action those that change records; a trade has its own name\./,
    );
    expect(text).not.toMatch(/\w_text/);
  });

  it("mention neither on a live market with every toolset", async () => {
    const made = setup({}, { market: { mode: "live", id: "l" } });
    const text = (await connect(made, { path: "/api/mcp?toolsets=all" })).getInstructions();
    expect(text).not.toContain("simulated");
    expect(text).not.toContain("is listed");
  });
});

it("logs a failing resource and returns no details", async () => {
  const { log, lines } = collectingLog();
  const meters = {
    ...countingMeters().meters,
    usage: () => Promise.reject(new Error("postgres://secret@db")),
  };
  const client = await connect(setup({}, { log, meters }));
  const read = client.readResource({ uri: "quota://me" });
  await expect(read).rejects.toMatchObject({ code: -32603, message: "Internal error" });
  expect(lines).toContainEqual({
    level: "error",
    event: "mcp",
    fields: { method: "resources/read", cause: new Error("postgres://secret@db") },
  });
});
