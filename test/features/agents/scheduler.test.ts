import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Principal } from "../../../src/domain/accounts/access.ts";
import { idempotencyKeyOf } from "../../../src/domain/agents/agent-pass.ts";
import type { Ports } from "../../../src/domain/ports.ts";
import { runIdOf } from "../../../src/features/agents/agent-run.ts";
import { invoke } from "../../../src/kernel/invoke.ts";
import { executeTrade } from "../../../tools/execute-trade.ts";
import { type AgentCall, agentMarket, agentTool, buyDecision, refuse } from "../../support/agents.ts";
import { countingMeters } from "../../support/context.ts";
import { CONNECTION, trader } from "../../support/trades.ts";

const HOUR = 3_600_000;
const START = "2026-01-15T15:00:00.000Z";
const idle = { decisions: [{ symbol: "AAPL", action: "hold", why: "Nothing new.", held: "0" }], notes: [] };
let next = 0;
const ids = { uuid: () => `other-${next++}` };

/** Creates one process with a test agent that records its calls. */
async function bench(act: (call: AgentCall, nth: number) => Promise<object> | object = () => idle) {
  const calls: AgentCall[] = [];
  const tool = agentTool((call) => {
    calls.push(call);
    return act(call, calls.length);
  });
  const market = await agentMarket([tool]);
  const { service } = market;
  const startRequest = (input: object = {}) => ({
    agent: "momentum",
    every: "1h",
    input: { symbols: ["AAPL"], ...input },
  });
  const start = (caller: Principal, input?: object) => service.start(caller, startRequest(input));
  const states = async (caller: Principal) =>
    (await service.instances(caller)).map(({ state, reason }) => [state, reason]);
  const runs = (caller: Principal) => service.runs(caller, { limit: 100 });
  return { ...market, calls, start, states, runs, tool };
}

/** Never ends unless its run is aborted. */
const hang = ({ signal }: AgentCall) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
const firstCall = async (calls: readonly AgentCall[]) => {
  while (calls.length === 0) await new Promise((done) => setTimeout(done, 5));
};

describe("a run", () => {
  it("starts once per due time, as its account and with a new id", async () => {
    const { scheduler, clock, calls, start, runs, caller, service } = await bench();
    const ada = await caller("ada");
    const { agent_id } = await start(ada);
    expect(await scheduler.runDue()).toBe(1);
    expect(await scheduler.runDue()).toBe(0);
    clock.pass(HOUR - 1);
    expect(await scheduler.runDue()).toBe(0);
    clock.pass(1);
    expect(await scheduler.runDue()).toBe(1);
    const names = [0, HOUR].map((after) => runIdOf({ id: agent_id }, Date.parse(START) + after));
    expect(calls.map(({ input }) => input.run_id)).toEqual(names);
    expect(new Set(names).size).toBe(2);
    expect(calls[0]!.principal).toEqual({ ...ada });
    expect(await runs(ada)).toMatchObject([
      {
        run_id: names[1],
        agent_id,
        outcome: "done",
        missed: 0,
        resumed: false,
        reason: null,
        due_at: "2026-01-15T16:00:00.000Z",
        ended_at: "2026-01-15T16:00:00.000Z",
        decisions: [{ symbol: "AAPL", action: "hold", why: "Nothing new." }],
      },
      { run_id: names[0], due_at: START },
    ]);
    expect(await service.instances(ada)).toMatchObject([
      { state: "running", next_run: "2026-01-15T17:00:00.000Z", last_run: "2026-01-15T16:00:00.000Z" },
    ]);
  });

  it("is due again if the clock is set back after the next run was scheduled", async () => {
    const { scheduler, clock, calls, start, runs, caller } = await bench();
    const ada = await caller("ada");
    await start(ada);
    clock.pass(30 * 24 * HOUR);
    expect(await scheduler.runDue()).toBe(1);
    clock.pass(-30 * 24 * HOUR);
    expect(await scheduler.runDue()).toBe(0);
    expect(await scheduler.runDue()).toBe(1);
    expect((await runs(ada)).map(({ due_at }) => due_at)).toContain("2026-01-15T15:00:00.000Z");
    expect(calls).toHaveLength(2);
    clock.pass(HOUR);
    expect(await scheduler.runDue()).toBe(1);
  });

  it("replaces all missed runs with one, and notes how many", async () => {
    const { scheduler, clock, calls, start, runs, caller, service } = await bench();
    const ada = await caller("ada");
    await start(ada);
    clock.pass(5 * HOUR + 60_000);
    expect([await scheduler.runDue(), await scheduler.runDue()]).toEqual([1, 0]);
    expect(calls).toHaveLength(1);
    expect(await runs(ada)).toMatchObject([
      {
        missed: 5,
        due_at: START,
        notes: ["5 more runs were due while no scheduler was running: this run replaces them"],
      },
    ]);
    expect(await service.instances(ada)).toMatchObject([{ next_run: "2026-01-15T21:00:00.000Z" }]);
  });

  it("spends the remaining budget and finishes the agent when nothing is left to do", async () => {
    const sold = { ...buyDecision("0", "3").decisions[0]!, action: "sell" };
    const passes = [
      buyDecision("600"),
      { ...idle, budget: { spent: "0" } },
      buyDecision("400"),
      { decisions: [sold], budget: { spent: "0" } },
    ];
    const { scheduler, clock, calls, start, states, runs } = await bench((_, nth) => passes[nth - 1]!);
    await start(trader, { budget_usd: "1000", dry_run: false, connection_id: CONNECTION });
    for (let run = 0; run < 6; run++) {
      await scheduler.runDue();
      clock.pass(HOUR);
    }
    expect(calls.map(({ input }) => input.budget_usd)).toEqual(["1000", "400", "400", "0.000000001"]);
    expect(await states(trader)).toEqual([
      ["finished", "The budget of 1000 USD is spent (1000 USD) and no position is left to sell"],
    ]);
    expect(await runs(trader)).toHaveLength(4);
  });

  it("is retried at the next due time after a failure; five in a row fail the agent", async () => {
    const act = (_: AgentCall, nth: number) => (nth === 3 ? idle : refuse("UPSTREAM_UNAVAILABLE"));
    const { scheduler, clock, start, states, runs, caller, calls } = await bench(act);
    const ada = await caller("ada");
    await start(ada);
    for (let run = 1; run <= 10; run++) {
      await scheduler.runDue();
      clock.pass(HOUR);
      if (run < 8) expect(await states(ada)).toEqual([["running", null]]);
    }
    expect(calls).toHaveLength(8);
    expect(await states(ada)).toEqual([
      ["failed", "5 runs in a row failed; the last: UPSTREAM_UNAVAILABLE: not now"],
    ]);
    const [last, , , , , third] = await runs(ada);
    expect([last!.outcome, last!.reason]).toEqual(["failed", "UPSTREAM_UNAVAILABLE: not now"]);
    expect(third).toMatchObject({ outcome: "done", reason: null });
  });

  it("charges purchases made before a failure to the budget and lists the orders", async () => {
    const act = async ({ principal, input }: AgentCall, nth: number) => {
      if (nth === 2) return idle;
      const run = { agent: "momentum", run_id: String(input.run_id) };
      const trade = { symbol: "AAPL", side: "buy", quantity: "2" };
      const idempotency_key = idempotencyKeyOf(run, "AAPL", "buy");
      // the other order of the same account was not placed by the run
      for (const order of [
        { ...trade, idempotency_key },
        { ...trade, quantity: "1" },
      ])
        await invoke(executeTrade, order, { ports: tradingPorts(), principal, transport: "test" });
      return refuse("UPSTREAM_UNAVAILABLE");
    };
    const { scheduler, clock, calls, start, service, runs, ports } = await bench(act);
    const { meters } = countingMeters({ burst: 1_000 });
    const tradingPorts = () => ({ ...ports, clock, meters }) as Ports;
    await start(trader, { budget_usd: "1000", dry_run: false, connection_id: CONNECTION });
    await scheduler.runDue();
    const orders = await ports.tradeRepository.orders(trader.account, { limit: 10 });
    const [bought] = orders.filter(({ intent }) => intent.quantity === "2");
    // one unit is filled at once, and one waits at the previewed price
    expect([bought!.filled_quantity, bought!.fees]).toEqual(["1", "0"]);
    const paid = Number(bought!.average_price) + 138;
    const [agent] = await service.instances(trader);
    expect(Number(agent!.budget!.spent)).toBeCloseTo(paid, 9);
    expect(await runs(trader)).toMatchObject([
      {
        outcome: "failed",
        notes: [
          `Orders sent before the failure: ${bought!.order_id} (buy 2 AAPL); list_orders shows their state`,
        ],
      },
    ]);
    clock.pass(HOUR);
    await scheduler.runDue();
    expect(Number(calls[1]!.input.budget_usd)).toBeCloseTo(1_000 - paid, 9);
  });

  it("is aborted when its agent is stopped", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { scheduler, start, states, runs, caller, service, calls } = await bench(hang);
    const ada = await caller("ada");
    await start(ada);
    const running = scheduler.runDue();
    await firstCall(calls);
    await service.stop(ada, { agent: "momentum" });
    await vi.advanceTimersByTimeAsync(1_500); // its lease is not renewed
    await running;
    expect(calls).toHaveLength(1);
    expect(await states(ada)).toEqual([["stopped", "Stopped by its owner"]]);
    expect(await runs(ada)).toMatchObject([{ outcome: "failed" }]);
  });
});

describe("the principal of an agent", () => {
  it("stops the agent once its key is revoked", async () => {
    const { scheduler, clock, keyring, start, states, caller, calls } = await bench();
    const ada = await caller("ada");
    await start(ada);
    await scheduler.runDue();
    await keyring.revokeKey("ada", ada.keyId!, clock.now().toISOString());
    clock.pass(HOUR);
    await scheduler.runDue();
    expect(calls).toHaveLength(1);
    expect(await states(ada)).toEqual([["stopped", "UNAUTHENTICATED: This API key was revoked"]]);
  });

  it("stops the agent once the plan has lapsed", async () => {
    const { scheduler, clock, keyring, start, states, caller, calls } = await bench();
    const ada = await caller("ada");
    await start(ada);
    await keyring.changeAccount("ada", { plan: "individual" });
    clock.pass(HOUR);
    await scheduler.runDue();
    expect(calls).toHaveLength(0);
    expect(await states(ada)).toMatchObject([["stopped", /^PLAN_REQUIRED: .*"pro" plan/]]);
  });

  it("continues under the key that replaced a rotated one", async () => {
    const { scheduler, clock, keyring, start, states, caller, calls } = await bench();
    const ada = await caller("ada");
    await start(ada);
    const old = (await keyring.key("ada", ada.keyId!))!;
    const grace = new Date(clock.now().getTime() + HOUR / 2).toISOString();
    await keyring.replaceKey("ada", old.id, { ...old, id: "key-2", hash: "ada-2" }, grace);
    clock.pass(HOUR);
    await scheduler.runDue();
    expect(await states(ada)).toEqual([["running", null]]);
    await keyring.revokeKey("ada", "key-2", clock.now().toISOString());
    clock.pass(HOUR);
    await scheduler.runDue();
    expect(calls).toHaveLength(1);
    expect(await states(ada)).toEqual([["stopped", "UNAUTHENTICATED: This API key was revoked"]]);
  });
});

describe("several processes on one data folder", () => {
  it("run each agent once per due time", async () => {
    const act = async () => {
      await new Promise((done) => setTimeout(done, 5));
      return idle;
    };
    const { scheduler, clock, caller, start, calls, process, tool, runs } = await bench(act);
    const [second, third] = [process(ids, [tool]), process(ids, [tool])];
    const callers = await Promise.all(["ada", "bob", "cid"].map((name) => caller(name)));
    for (const account of callers) await start(account);
    for (let run = 0; run < 4; run++) {
      const ran = await Promise.all(
        [scheduler, second.scheduler, third.scheduler].map((instance) => instance.runDue()),
      );
      expect(ran.reduce((a, b) => a + b)).toBe(3);
      clock.pass(HOUR);
    }
    expect(new Set(calls.map(({ input }) => input.run_id)).size).toBe(12);
    expect(calls).toHaveLength(12);
    for (const account of callers) expect(await runs(account)).toHaveLength(4);
  });

  it("resume an interrupted run under the same id after its lease ended", async () => {
    const act = (call: AgentCall, nth: number) => (nth === 1 ? hang(call) : idle);
    const { scheduler, clock, caller, start, calls, process, tool, runs } = await bench(act);
    const ada = await caller("ada");
    await start(ada);
    void scheduler.runDue();
    await firstCall(calls);
    const other = process(ids, [tool]).scheduler;
    expect(await other.runDue()).toBe(0);
    clock.pass(6_001); // the lease was not renewed
    expect(await other.runDue()).toBe(1);
    expect(calls.map(({ input }) => input.run_id)).toEqual([calls[0]!.input.run_id, calls[0]!.input.run_id]);
    await scheduler.close();
    expect(await runs(ada)).toMatchObject([{ outcome: "done", resumed: true }]);
    expect(await runs(ada)).toHaveLength(1);
  });

  it("resume a run interrupted by a shutdown at once", async () => {
    const act = (call: AgentCall, nth: number) => (nth === 1 ? hang(call) : idle);
    const { scheduler, caller, start, calls, process, tool, runs, service } = await bench(act);
    const ada = await caller("ada");
    await start(ada);
    scheduler.start();
    await firstCall(calls);
    await scheduler.close();
    expect(await runs(ada)).toMatchObject([{ outcome: "running", ended_at: null }]);
    expect(await process(ids, [tool]).scheduler.runDue()).toBe(1);
    expect(await runs(ada)).toMatchObject([{ outcome: "done", resumed: true }]);
    expect(await service.instances(ada)).toMatchObject([{ state: "running", failures: 0 }]);
  });

  it("know whether another one runs the schedule, as long as an agent is running", async () => {
    const { scheduler, clock, caller, start, calls, process, tool } = await bench();
    const other = process(ids, [tool]).scheduler;
    expect(await other.isRunningElsewhere()).toBe(false);
    await start(await caller("ada"));
    scheduler.start();
    await firstCall(calls);
    expect(await other.isRunningElsewhere()).toBe(true);
    expect(await scheduler.isRunningElsewhere()).toBe(false);
    clock.pass(12_001);
    await scheduler.close();
    expect(await other.isRunningElsewhere()).toBe(false);
  });
});
