import { describe, expect, it } from "vitest";
import type { CustomAgent } from "../../../src/domain/agents/automation.ts";
import { agentMarket } from "../../support/agents.ts";
import { CONNECTION, trader } from "../../support/trades.ts";

const market = await agentMarket();
const { service } = market;
const ada = await market.caller("ada");
const bob = await market.caller("bob");
const startRequest = (over: object = {}) => ({
  agent: "momentum",
  every: "4h",
  input: { symbols: ["AAPL"], ...over },
});
const dips = (name = "dips", over: Partial<CustomAgent> = {}): CustomAgent => ({
  name,
  symbols: ["AAPL"],
  timeframe: "1d",
  every: "1d",
  dry_run: true,
  sizing: { quantity: "2" },
  entry: { all: ["rsi(14) < 30"] },
  exit: { any: ["rsi(14) > 60"] },
  ...over,
});

describe("starting an agent", () => {
  it("stores the request, is due at once, and allows one instance per name and account", async () => {
    const started = await service.start(ada, startRequest({ budget_usd: "1000" }));
    expect(started).toMatchObject({
      agent: "momentum",
      tool: "run_momentum_agent",
      state: "running",
      every: "4h",
      dry_run: true,
      runs_at: "interval",
      next_run: "2026-01-15T15:00:00.000Z",
      last_run: null,
      failures: 0,
      budget: { limit: "1000", spent: "0", left: "1000" },
      input: { symbols: ["AAPL"] },
    });
    await expect(service.start(ada, startRequest())).rejects.toMatchObject({
      code: "CONFLICT",
      message: `The agent "momentum" is already running: ${started.agent_id}`,
      hint: expect.stringContaining("stop_agent"),
    });
    const other = await service.start(bob, startRequest());
    expect((await service.instances(ada)).map(({ agent_id }) => agent_id)).toEqual([started.agent_id]);
    await expect(service.stop(ada, { id: other.agent_id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(service.runs(ada, { id: other.agent_id, limit: 1 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const stopped = await service.stop(ada, { agent: "momentum" });
    expect(stopped).toMatchObject({
      state: "stopped",
      next_run: null,
      reason: "Stopped by its owner",
    });
    await expect(service.stop(ada, { agent: "momentum" })).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await service.start(ada, startRequest())).agent_id).not.toBe(started.agent_id);
    await service.stop(ada, { agent: "momentum" });
    await service.stop(bob, { agent: "momentum" });
  });

  it.each([
    ["30s", "every: must be at least 1m, one minute"],
    ["31d", "every: must be at most 30d, 30 days"],
    ["often", "every: must be a length of time such as 90m, 4h or 1d"],
    [undefined, "every: is required for this agent"],
  ])("refuses a schedule of %s", async (every, message) => {
    await expect(service.start(ada, { ...startRequest(), every })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message,
    });
  });

  it("rejects invalid input, an unknown agent, symbol or connection, and stores nothing", async () => {
    const refused = (request: Parameters<typeof service.start>[1]) => service.start(ada, request);
    await expect(refused({ ...startRequest(), input: {} })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(refused(startRequest({ colour: "red" }))).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(refused({ ...startRequest(), agent: "oracle" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      hint: expect.stringContaining("momentum"),
    });
    await expect(refused(startRequest({ symbols: ["ZZZZQ"] }))).rejects.toMatchObject({
      code: "UNKNOWN_SYMBOL",
    });
    await expect(refused(startRequest({ symbols: ["AAPL", "LINK"] }))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "symbols.1: LINK is ambiguous: LINK.US (equity), LINK-USD (crypto)",
      data: { errors: [{ pointer: "/symbols/1" }] },
    });
    await expect(refused(startRequest({ connection_id: CONNECTION }))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const member = await market.caller("mem", "member");
    await expect(service.start(member, startRequest())).rejects.toMatchObject({ code: "PLAN_REQUIRED" });
    const reader = { ...ada, scopes: ["read"] } as const;
    await expect(service.start(reader, startRequest())).rejects.toMatchObject({ code: "SCOPE_REQUIRED" });
    expect((await service.instances(ada)).filter(({ state }) => state === "running")).toEqual([]);
  });

  it("accepts a connection of the account", async () => {
    const started = await service.start(trader, startRequest({ connection_id: CONNECTION, dry_run: false }));
    expect(started).toMatchObject({ dry_run: false });
    await service.stop(trader, { id: started.agent_id });
  });
});

describe("saved agents", () => {
  it("fill the slots of the plan; the error names the next plan", async () => {
    const cid = await market.caller("cid", "individual");
    for (const name of ["a", "b", "c"])
      expect(await service.save(cid, dips(name))).toMatchObject({ created: true, agent: { in_slot: true } });
    expect(await service.save(cid, dips("b", { symbols: ["MSFT"] }))).toMatchObject({
      created: false,
      slots: { limit: 3, used: 3, left: 0 },
      agent: { definition: { symbols: ["MSFT"] } },
    });
    await expect(service.save(cid, dips("d"))).rejects.toMatchObject({
      code: "PLAN_REQUIRED",
      message: "This account uses all 3 of its slots for saved agents",
      hint: 'delete_agent frees one; the "pro" plan has 5.',
      data: { required_plan: "pro", slots: 3 },
    });
    const downgraded = { ...cid, plan: "member" } as const;
    expect((await service.saved(downgraded)).agents.map(({ in_slot }) => in_slot)).toEqual([
      false,
      false,
      false,
    ]);
    expect(await service.remove(cid, "a")).toEqual({ limit: 3, used: 2, left: 1 });
    await service.save(cid, dips("d"));
    expect((await service.saved(cid)).agents.map(({ name }) => name)).toEqual(["b", "c", "d"]);
    expect((await service.saved(bob)).agents).toEqual([]);
    await expect(service.remove(bob, "b")).rejects.toMatchObject({ code: "NOT_FOUND" });
    const owner = { account: "owner", plan: "enterprise", scopes: ["read", "write", "trade:paper"] } as const;
    for (let n = 0; n < 25; n++) await service.save(owner, dips(`n${n}`));
    await expect(service.save(owner, dips("one-more"))).rejects.toMatchObject({ code: "REFUSED" });
  });

  it("require unambiguous symbols", async () => {
    const dan = await market.caller("dan", "individual");
    await expect(service.save(dan, dips("coins", { symbols: ["LINK"] }))).rejects.toMatchObject({
      code: "INVALID_INPUT",
      data: { errors: [{ pointer: "/symbols/0" }] },
    });
    const { agent } = await service.save(dan, dips("coins", { symbols: ["LINK.US", "link/usd"] }));
    expect(agent.definition.symbols).toEqual(["LINK", "LINK-USD"]);
  });

  it("are rejected with a pointer to every problem", async () => {
    const pointers = async (definition: CustomAgent) =>
      service.save(ada, definition).then(
        () => [],
        ({ code, data }) => [code, ...(data.errors as { pointer: string }[]).map(({ pointer }) => pointer)],
      );
    expect(await pointers(dips("x", { entry: { all: ["rsi(14) < 30", "rsj(14) < 30"] } }))).toEqual([
      "INVALID_INPUT",
      "/entry/all/1",
    ]);
    expect(await pointers(dips("x", { exit: {}, stop: "far" }))).toEqual(["INVALID_INPUT", "/exit", "/stop"]);
    expect(await pointers(dips("x", { sizing: {} }))).toEqual(["INVALID_INPUT", "/sizing"]);
    expect(await pointers(dips("x", { sizing: { quantity: "1", risk_pct: "1" } }))).toEqual([
      "INVALID_INPUT",
      "/sizing",
    ]);
    expect(await pointers(dips("x", { entry: { all: ["grade >= B+"] }, timeframe: "4h" }))).toEqual([
      "INVALID_INPUT",
      "/timeframe",
    ]);
    expect(await pointers(dips("momentum"))).toEqual(["INVALID_INPUT", "/name"]);
    await expect(service.save(ada, dips("x", { symbols: ["ZZZZQ"] }))).rejects.toMatchObject({
      code: "UNKNOWN_SYMBOL",
    });
    expect((await service.saved(ada)).agents).toEqual([]);
  });

  it("start with their own schedule and budget, and cannot be deleted while running", async () => {
    await service.save(ada, dips("dips", { budget_usd: "500", every: "90m" }));
    const started = await service.start(ada, { agent: "dips", input: {} });
    expect(started).toMatchObject({
      agent: "dips",
      tool: "run_custom_agent",
      every: "90m",
      dry_run: true,
      budget: { limit: "500" },
      input: { agent: "dips", dry_run: true },
    });
    await expect(service.start(ada, { agent: "dips", input: { symbols: ["AAPL"] } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    await expect(service.remove(ada, "dips")).rejects.toMatchObject({ code: "CONFLICT" });
    await service.stop(ada, { agent: "dips" });
    expect(await service.remove(ada, "dips")).toMatchObject({ used: 0 });
    await expect(service.start(ada, { agent: "dips", input: {} })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
