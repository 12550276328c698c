import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { formatAgent, formatAgentList, formatRun } from "../../domain/agents/agents.text.ts";
import type { AgentInstance } from "../../domain/agents/automation.ts";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { invoke } from "../../kernel/invoke.ts";
import type { Tool } from "../../kernel/tool.ts";
import { asCommands, inCommandTerms } from "./command-terms.ts";
import { commandWithExamples } from "./command-with-examples.ts";
import type { CliHost, OpenedInstallation } from "./host.ts";
import { painter, progressBar, wrapToScreen, writeFailure } from "./screen.ts";

/** How long it is waited for a server to say that it keeps the schedule, and how often it is asked. */
const SERVER_WAIT_MS = 2_500;
const SERVER_POLL_MS = 250;
const AGENT_POLL_MS = 1_000;
const DEFAULT_RUNS = 10;

interface AgentOptions {
  readonly symbols?: string;
  readonly every?: string;
  readonly paper?: boolean;
  readonly budget?: string;
  readonly dryRun?: boolean;
  readonly timeframe?: string;
  readonly quantity?: string;
  readonly riskPct?: string;
  readonly connection?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** agent run | list | stop | runs | keep: agents that run by themselves, at the terminal of their owner. */
export function agentCommand(host: CliHost, finish: (code: number) => void): Command {
  const { out, err } = host;
  const paint = painter(out);
  const work =
    (task: (open: OpenedInstallation, name: string | undefined, typed: AgentOptions) => Promise<void>) =>
    async (...given: readonly unknown[]) => {
      const typed = given.at(-2) as AgentOptions;
      const name = typeof given[0] === "string" ? given[0] : undefined;
      const open = await host.open();
      try {
        await task(open, name, typed);
        finish(0);
      } catch (thrown) {
        const { json = false } = typed;
        finish(writeFailure(json ? thrown : withToolNamesAsCommands(thrown, host), { out, err, json }));
      } finally {
        await open.close();
      }
    };
  const say = (lines: readonly string[]) => out.write(wrapToScreen(out, `${lines.join("\n")}\n`));
  const print = ({ ports }: OpenedInstallation, json: boolean, data: object, lines: readonly string[]) => {
    if (json) return out.write(`${JSON.stringify(data, null, 2)}\n`);
    const label = ports.market.mode === "sample" ? [paint("yellow", SAMPLE_LABEL)] : [];
    return say([...label, ...lines]);
  };

  const run = commandWithExamples("run", "run an agent on symbols, once or on a schedule", [
    "market-signal agent run momentum --symbols AAPL,MSFT",
    "market-signal agent run momentum --symbols AAPL,MSFT --every 1d --paper --budget 1000",
    "market-signal agent run dip-buyer --every 4h --paper --dry-run",
  ])
    .argument("<agent>", "its name: market-signal agent list shows them")
    .option("--symbols <list>", "symbols to evaluate, comma-separated; a saved agent has its own")
    .option(
      "--every <time>",
      "time between runs: 90m, 4h; 1d runs once on each daily bar. Without: one pass now",
    )
    .option("--paper", "place paper orders; connects the paper broker if none is connected")
    .option("--dry-run", "place no orders (the default without --paper)")
    .option("--budget <usd>", "maximum total cost of its purchases")
    .option("--timeframe <text>", "timeframe of the bars it evaluates")
    .option("--quantity <number>", "units of each purchase")
    .option("--risk-pct <number>", "percent of equity each purchase risks")
    .option("--connection <id>", "id of a connection other than the paper broker")
    .option("--json", "print JSON on stdout")
    .action(
      work(async (open, name, typed) => {
        const input = await inputOf(typed, open);
        const { json = false } = typed;
        if (typed.every === undefined) return onePass(open, name!, input, json);
        const agent = await open.ports.automation.start(open.owner, {
          agent: name!,
          every: typed.every,
          input,
        });
        print(open, json, { ok: true, agent }, formatAgent(agent, paint));
        await keepUntil(open, agent, json);
      }),
    );

  const list = commandWithExamples("list", "list saved and running agents, and the slots of your plan", [
    "market-signal agent list",
  ])
    .option("--json", "print JSON on stdout")
    .action(
      work(async (open, _, { json = false }) => {
        const { automation } = open.ports;
        const [agents, saved] = [await automation.instances(open.owner), await automation.saved(open.owner)];
        const templates = automation.templates().map(({ name, title }) => ({ name, title }));
        const listed = { agents, saved: saved.agents, templates, slots: saved.slots };
        print(open, json, { ok: true, ...listed }, formatAgentList(listed, paint));
      }),
    );

  const stop = commandWithExamples("stop", "stop a running agent", ["market-signal agent stop momentum"])
    .argument("<agent>", "its name or its id")
    .option("--json", "print JSON on stdout")
    .action(
      work(async (open, name, { json = false }) => {
        const wanted = /^ag_/.test(name!) ? { id: name } : { agent: name };
        const agent = await open.ports.automation.stop(open.owner, wanted);
        print(open, json, { ok: true, agent }, formatAgent(agent, paint));
      }),
    );

  const runs = commandWithExamples("runs", "show what agents decided, newest first", [
    "market-signal agent runs momentum --limit 3",
  ])
    .argument("[agent]", "only runs of the agent with this name or id")
    .option("--limit <n>", "maximum number of runs to show", String(DEFAULT_RUNS))
    .option("--json", "print JSON on stdout")
    .action(
      work(async (open, name, { json = false, limit = "" }) => {
        const most = Number(limit);
        if (!(Number.isInteger(most) && most >= 1 && most <= 100))
          throw new ToolError("INVALID_INPUT", "--limit takes a whole number from 1 to 100");
        const wanted = name === undefined ? {} : /^ag_/.test(name) ? { id: name } : { agent: name };
        const found = await open.ports.automation.runs(open.owner, { ...wanted, limit: most });
        const lines = found.flatMap((one) => formatRun(one, paint));
        print(open, json, { ok: true, runs: found }, lines.length === 0 ? ["No run yet."] : lines);
      }),
    );

  const keep = commandWithExamples("keep", "run scheduled agents in this terminal until Ctrl-C", [
    "market-signal agent keep",
  ])
    .option("--json", "print JSON on stdout")
    .action(work((open, _, { json = false }) => keepUntil(open, null, json)));

  async function onePass(
    open: OpenedInstallation,
    name: string,
    input: Record<string, unknown>,
    json: boolean,
  ): Promise<void> {
    const tool = toolOf(name, open.registry.tools);
    const own = tool.schedulable === name ? input : { ...input, agent: name };
    const now = () => open.ports.clock.now().getTime();
    const bar = progressBar(err, now(), now);
    try {
      const { ports, owner: principal } = open;
      const result = await invoke(tool, own, {
        ports,
        principal,
        transport: "cli",
        signal: host.signal,
        detail: "full",
        progress: bar.step,
      });
      bar.end();
      const told = tool.terminal?.(result, paint);
      print(open, json, result, [
        told === undefined ? JSON.stringify(result) : asCommands(told, host.catalogue),
      ]);
    } catch (thrown) {
      throw inCommandTerms(thrown, tool, json ? [] : host.catalogue);
    } finally {
      bar.end();
    }
  }

  /** Keeps the schedule at this terminal until the agent ends or the person does, unless a server keeps it. */
  async function keepUntil(
    open: OpenedInstallation,
    agent: AgentInstance | null,
    json: boolean,
  ): Promise<void> {
    const { scheduler, owner, ports } = open;
    if (await serverKeeps(open)) {
      if (!json) say([paint("dim", "A server on this data folder already runs scheduled agents.")]);
      return;
    }
    const still = paint(
      "dim",
      "Scheduled agents run in this terminal until Ctrl-C. `market-signal serve` runs them too.",
    );
    if (!json) say([still]);
    scheduler.listen(({ account, run, agent: after }) => {
      if (account !== owner.account) return;
      print(open, json, { ok: true, run, agent: after }, formatRun(run, paint));
      if (after.state !== "running" && !json) say(formatAgent(after, paint));
    });
    scheduler.start();
    while (!host.signal.aborted && (agent === null || (await runs(agent.agent_id))))
      await sleep(AGENT_POLL_MS, undefined, { signal: host.signal }).catch(() => {});
    if (host.signal.aborted && !json)
      say([
        "",
        "Scheduled agents are no longer running here. Resume them with `market-signal agent keep` or `market-signal serve`; `market-signal agent stop` ends an agent.",
      ]);

    async function runs(id: string): Promise<boolean> {
      const all = await ports.automation.instances(owner);
      return all.some((one) => one.agent_id === id && one.state === "running");
    }
  }

  async function serverKeeps({ scheduler }: OpenedInstallation): Promise<boolean> {
    for (let waited = 0; waited <= SERVER_WAIT_MS && !host.signal.aborted; waited += SERVER_POLL_MS) {
      if (await scheduler.isRunningElsewhere()) return true;
      await sleep(SERVER_POLL_MS, undefined, { signal: host.signal }).catch(() => {});
    }
    return false;
  }

  const group = commandWithExamples("agent", "run agents once or on a schedule, and show their decisions", [
    "market-signal agent run momentum --symbols AAPL,MSFT --every 1d --paper",
    "market-signal agent list",
    "market-signal agent runs momentum",
    "market-signal agent stop momentum",
  ]);
  for (const one of [run, list, stop, runs, keep]) group.addCommand(one);
  return group;
}

/** What was said as an agent's input; where it trades on paper, with the connection. */
async function inputOf(typed: AgentOptions, open: OpenedInstallation): Promise<Record<string, unknown>> {
  const { symbols, paper = false, budget, timeframe, quantity, riskPct, connection } = typed;
  const dryRun = typed.dryRun ?? !(paper || connection !== undefined);
  const id = connection ?? (paper ? (await open.paper()).connection.connection_id : undefined);
  return {
    ...(symbols !== undefined && { symbols: symbols.split(",").map((one) => one.trim()) }),
    ...(id !== undefined && { connection_id: id }),
    ...(budget !== undefined && { budget_usd: budget }),
    ...(timeframe !== undefined && { timeframe }),
    ...(quantity !== undefined && { quantity }),
    ...(riskPct !== undefined && { risk_pct: riskPct }),
    dry_run: dryRun,
  };
}

/** The tool of an agent's name, else the one that runs whatever was saved. */
function toolOf(name: string, tools: readonly Tool[]): Tool {
  const own = tools.find(({ schedulable }) => schedulable === name);
  const saved = tools.find(({ schedulable, uses }) => schedulable === "custom" && uses !== undefined);
  const tool = own ?? saved;
  if (tool === undefined) throw new ToolError("NOT_CONNECTED", "No agent is connected here");
  return tool;
}

/** A failure with the commands of the tools that it names. */
function withToolNamesAsCommands(thrown: unknown, { catalogue }: CliHost): unknown {
  if (!(thrown instanceof ToolError)) return thrown;
  const { code, message, hint, data, cause } = thrown;
  return new ToolError(code, asCommands(message, catalogue), {
    ...(hint !== undefined && { hint: asCommands(hint, catalogue) }),
    ...(data !== undefined && { data }),
    cause,
  });
}
