import { describe, expect, it } from "vitest";
import type { Tool } from "../../../src/kernel/tool.ts";
import type { OpenedInstallation } from "../../../src/transports/cli/host.ts";
import { type AgentCall, agentMarket, agentTool, DIP_BUYER } from "../../support/agents.ts";
import { CONNECTION, trader } from "../../support/trades.ts";
import { testCli } from "./test-host.ts";

const HOLD = { decisions: [{ symbol: "AAPL", action: "hold", why: "Nothing new." }], notes: [] };
const PAPER = ["run", "momentum", "--symbols", "AAPL,MSFT", "--paper"] as const;

/** The agent commands over a store with one agent; `elsewhere`: a server runs the scheduler. */
async function testAgents({ elsewhere = false, act = () => HOLD as object } = {}) {
  const calls: AgentCall[] = [];
  const tool: Tool = agentTool((one) => {
    calls.push(one);
    return act();
  });
  const market = await agentMarket([tool]);
  const { service, scheduler, ports, clock } = market;
  const paper = async () => {
    const [connection] = await ports.connections.list(trader.account);
    return { connection: connection!, created: false };
  };
  const cli = testCli({
    tools: [tool],
    ports: { ...(ports as unknown as OpenedInstallation["ports"]), clock },
    scheduler: { ...scheduler, isRunningElsewhere: async () => elsewhere },
    paper,
  });
  const { open } = cli.host;
  const host = { ...cli.host, open: async () => ({ ...(await open()), owner: trader }) };
  Object.assign(cli.host, host);
  return {
    ...cli,
    service,
    calls,
    scheduler,
    clock,
    agent: (...argv: readonly string[]) => cli.run("agent", ...argv),
  };
}

describe("agent run", () => {
  it("runs once as a dry run, or on paper with --paper", async () => {
    const { agent, calls } = await testAgents();
    expect(await agent("run", "momentum", "--symbols", "AAPL,MSFT")).toMatchObject({ code: 0 });
    expect(await agent(...PAPER, "--budget", "1000")).toMatchObject({ code: 0 });
    expect(await agent(...PAPER, "--dry-run")).toMatchObject({ code: 0 });
    expect(calls.map(({ input }) => input)).toEqual([
      { symbols: ["AAPL", "MSFT"], dry_run: true },
      { symbols: ["AAPL", "MSFT"], dry_run: false, connection_id: CONNECTION, budget_usd: "1000" },
      { symbols: ["AAPL", "MSFT"], dry_run: true, connection_id: CONNECTION },
    ]);
    expect(calls[0]!.principal).toEqual(trader);
  });

  it("starts a scheduled agent and leaves its runs to the server", async () => {
    const { agent, calls, service } = await testAgents({ elsewhere: true });
    const { code, out } = await agent(...PAPER, "--every", "90m", "--budget", "1000");
    expect(code).toBe(0);
    expect(out).toContain("momentum  running  ag_");
    expect(out).toContain("  every 90m, counted from its start; places orders\n");
    expect(out).toContain("  budget 1000 USD, 0 spent, 1000 left\n");
    expect(out).toContain("A server on this data folder already runs scheduled agents");
    expect(calls).toEqual([]);
    expect(await service.instances(trader)).toMatchObject([{ agent: "momentum", state: "running" }]);
    const again = await agent(...PAPER, "--every", "90m");
    expect(again).toMatchObject({ code: 1, err: /is already running/ });
  });

  it("runs the schedule itself if there is no server, and prints each decision until interrupted", async () => {
    const { agent, calls, interrupt, service } = await testAgents();
    const running = agent(...PAPER, "--every", "1h");
    while (calls.length === 0) await new Promise((done) => setTimeout(done, 20));
    await new Promise((done) => setTimeout(done, 100));
    interrupt.abort();
    const { code, out } = await running;
    expect(code).toBe(0);
    expect(out).toContain("Scheduled agents run in this terminal until Ctrl-C");
    expect(out).toContain("momentum  due 2026-01-15T15:00:00.000Z  done\n  AAPL      hold  Nothing new.\n");
    expect(out).toContain("Resume them with `market-signal agent keep`");
    expect(await service.instances(trader)).toMatchObject([{ state: "running" }]);
  });

  it("rejects an interval below a minute and an unknown agent", async () => {
    const { agent, service } = await testAgents();
    expect(await agent(...PAPER, "--every", "30s")).toMatchObject({
      code: 2,
      err: /every: must be at least 1m, one minute/,
    });
    expect(await agent("run", "oracle", "--every", "1h")).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no agent named "oracle"'),
    });
    expect(await service.instances(trader)).toEqual([]);
  });
});

describe("agent list, runs and stop", () => {
  it("show agents and decisions, and stop an agent", async () => {
    const { agent, service, scheduler } = await testAgents({ elsewhere: true });
    expect((await agent("runs")).out).toBe("SAMPLE (simulated)\nNo runs yet.\n");
    await service.save(trader, DIP_BUYER);
    await agent(...PAPER, "--every", "1h");
    await scheduler.runDue();
    const { out } = await agent("list");
    expect(out).toContain("momentum  running  ag_");
    expect(out).toContain("dip-buyer  AAPL 1d, every 1d, 2 units, dry run\n");
    expect(out).toContain("1 of 25 slots for saved agents used, 24 left\n");
    expect((await agent("runs", "momentum", "--limit", "1")).out).toContain("hold  Nothing new.");
    const json = JSON.parse((await agent("runs", "--json")).out) as { runs: object[] };
    expect(json.runs).toMatchObject([{ agent: "momentum", outcome: "done" }]);
    expect(await agent("stop", "momentum")).toMatchObject({ code: 0, out: /stopped/ });
    expect(await agent("stop", "momentum")).toMatchObject({ code: 1 });
    expect(await agent("runs", "--limit", "none")).toMatchObject({ code: 2 });
  });
});
