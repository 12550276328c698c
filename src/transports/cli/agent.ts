import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { formatAgent, formatAgentList, formatRun } from "../../domain/agents/agents.text.ts";
import type { AgentInstance } from "../../domain/agents/automation.ts";
import { ToolError } from "../../kernel/errors.ts";
import { invoke } from "../../kernel/invoke.ts";
import type { Tool } from "../../kernel/tool.ts";
import {
  type Cli,
  type CommandOutput,
  commandWithExamples,
  withJson,
  withProgressBar,
  withSampleLabel,
  writeOutput,
} from "./command.ts";
import { asCommands, inCommandTerms, rewordError } from "./command-terms.ts";
import type { OpenedInstallation } from "./host.ts";
import { wrapToScreen } from "./screen.ts";

/** Maximum wait for a server that runs the scheduler, and interval between checks, in milliseconds. */
const SERVER_WAIT_MS = 2_500;
const SERVER_POLL_MS = 250;
const AGENT_POLL_MS = 1_000;
const DEFAULT_RUNS = 10;
const MAX_RUNS = 100;

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
type Task = (
  installation: OpenedInstallation,
  options: AgentOptions,
  name: string,
) => Promise<CommandOutput | number>;

/**
 * Creates the command agent run | list | stop | runs | keep, which runs agents in this terminal, once or on a schedule.
 */
export function agentCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const { out, err } = host;
  const action = (task: Task) =>
    cli.action(
      () => host.open(),
      async (installation: OpenedInstallation, options: AgentOptions, name: string | undefined) => {
        try {
          return await task(installation, options, name ?? "");
        } catch (thrown) {
          const isReworded = options.json !== true && thrown instanceof ToolError;
          throw isReworded ? rewordError(thrown, (text) => asCommands(text, host.catalogue)) : thrown;
        }
      },
    );
  const writeLines = (lines: readonly string[]) => out.write(wrapToScreen(out, `${lines.join("\n")}\n`));
  const output = (
    installation: OpenedInstallation,
    data: object,
    lines: readonly string[],
  ): CommandOutput => ({ json: { ok: true, ...data }, lines: withSampleLabel(installation, lines, paint) });
  const targetOf = (name: string) => (/^ag_/.test(name) ? { id: name } : { agent: name });

  const run = commandWithExamples("run", "run an agent on symbols, once or on a schedule", [
    "market-signal agent run momentum --symbols AAPL,MSFT",
    "market-signal agent run momentum --symbols AAPL,MSFT --every 1d --paper --budget 1000",
    "market-signal agent run dip-buyer --every 4h --paper --dry-run",
  ])
    .argument("<agent>", "name of the agent, as `agent list` shows it")
    .option("--symbols <list>", "symbols to evaluate, comma-separated. Default: those of a saved agent")
    .option(
      "--every <time>",
      "time between runs, such as 90m, 4h or 1d (1d: once per daily bar). Default: run once, now",
    )
    .option("--paper", "place paper orders; connects the paper broker if necessary")
    .option("--dry-run", "place no orders. Default without --paper and --connection")
    .option("--budget <usd>", "maximum total cost of its purchases, USD")
    .option("--timeframe <text>", "timeframe of the bars it evaluates")
    .option("--quantity <number>", "units of each purchase")
    .option("--risk-pct <number>", "percent of equity each purchase risks")
    .option("--connection <id>", "id of the connection for its orders; alternative to --paper")
    .action(
      action(async (installation, options, name) => {
        const { every, json = false } = options;
        const input = await inputOf(options, installation);
        if (every === undefined) return runOnce(installation, name, input, json);
        const { owner, ports } = installation;
        const agent = await ports.automation.start(owner, { agent: name, every, input });
        writeOutput(out, output(installation, { agent }, formatAgent(agent, paint)), json);
        return runSchedule(installation, agent, json);
      }),
    );

  const list = commandWithExamples("list", "list saved and running agents, and the slots of your plan", [
    "market-signal agent list",
  ]).action(
    action(async (installation) => {
      const { owner, ports } = installation;
      const [agents, saved] = [await ports.automation.instances(owner), await ports.automation.saved(owner)];
      const templates = ports.automation.templates().map(({ name, title }) => ({ name, title }));
      const listed = { agents, saved: saved.agents, templates, slots: saved.slots };
      return output(installation, listed, formatAgentList(listed, paint));
    }),
  );

  const stop = commandWithExamples("stop", "stop a running agent", ["market-signal agent stop momentum"])
    .argument("<agent>", "name or id of the agent")
    .action(
      action(async (installation, _, name) => {
        const { owner, ports } = installation;
        const agent = await ports.automation.stop(owner, targetOf(name));
        return output(installation, { agent }, formatAgent(agent, paint));
      }),
    );

  const runs = commandWithExamples("runs", "show the decisions of agents, newest first", [
    "market-signal agent runs momentum --limit 3",
  ])
    .argument("[agent]", "only runs of the agent with this name or id")
    .option("--limit <n>", "maximum number of runs to show", String(DEFAULT_RUNS))
    .action(
      action(async (installation, options, name) => {
        const limit = Number(options.limit);
        if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_RUNS))
          throw new ToolError("INVALID_INPUT", `--limit takes a whole number from 1 to ${MAX_RUNS}`);
        const { owner, ports } = installation;
        const target = name === "" ? {} : targetOf(name);
        const found = await ports.automation.runs(owner, { ...target, limit });
        const lines = found.length === 0 ? ["No runs yet."] : found.flatMap((one) => formatRun(one, paint));
        return output(installation, { runs: found }, lines);
      }),
    );

  const keep = commandWithExamples("keep", "run scheduled agents in this terminal until Ctrl-C", [
    "market-signal agent keep",
  ]).action(action((installation, { json = false }) => runSchedule(installation, null, json)));

  async function runOnce(
    installation: OpenedInstallation,
    name: string,
    input: Record<string, unknown>,
    json: boolean,
  ): Promise<CommandOutput> {
    const { ports, owner: principal, registry } = installation;
    const tool = toolOf(name, registry.tools);
    const toolInput = tool.schedulable === name ? input : { ...input, agent: name };
    try {
      const result = await withProgressBar(err, ports.clock, (progress) =>
        invoke(tool, toolInput, {
          ports,
          principal,
          transport: "cli",
          signal: host.signal,
          detail: "full",
          progress,
        }),
      );
      const text = tool.terminal?.(result, paint);
      const line = text === undefined ? JSON.stringify(result) : asCommands(text, host.catalogue);
      return { json: result, lines: withSampleLabel(installation, [line], paint) };
    } catch (thrown) {
      throw inCommandTerms(thrown, tool, json ? [] : host.catalogue);
    }
  }

  /**
   * Runs scheduled agents in this process until the given agent ends or Ctrl-C is pressed. Returns at once if a server
   * runs them.
   */
  async function runSchedule(
    installation: OpenedInstallation,
    agent: AgentInstance | null,
    json: boolean,
  ): Promise<number> {
    const { scheduler, owner, ports } = installation;
    const note = (text: string) => {
      if (!json) writeLines([paint("dim", text)]);
    };
    if (await isRunByServer(installation)) {
      note("A server on this data folder already runs scheduled agents.");
      return 0;
    }
    note("Scheduled agents run in this terminal until Ctrl-C. `market-signal serve` also runs them.");
    scheduler.listen(({ account, run, agent: after }) => {
      if (account !== owner.account) return;
      writeOutput(out, output(installation, { run, agent: after }, formatRun(run, paint)), json);
      if (after.state !== "running" && !json) writeLines(formatAgent(after, paint));
    });
    scheduler.start();
    const isRunning = async (id: string) =>
      (await ports.automation.instances(owner)).some(
        ({ agent_id, state }) => agent_id === id && state === "running",
      );
    while (!host.signal.aborted && (agent === null || (await isRunning(agent.agent_id))))
      await sleep(AGENT_POLL_MS, undefined, { signal: host.signal }).catch(() => {});
    if (host.signal.aborted && !json)
      writeLines([
        "",
        "Scheduled agents have stopped running here. Resume them with `market-signal agent keep` or `market-signal serve`; `market-signal agent stop` ends an agent.",
      ]);
    return 0;
  }

  async function isRunByServer({ scheduler }: OpenedInstallation): Promise<boolean> {
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
  for (const command of [run, list, stop, runs, keep]) group.addCommand(withJson(command));
  return group;
}

/** Returns the input of the agent's tool from the options; with --paper it includes the paper connection. */
async function inputOf(
  options: AgentOptions,
  installation: OpenedInstallation,
): Promise<Record<string, unknown>> {
  const { symbols, paper = false, budget, timeframe, quantity, riskPct, connection } = options;
  const placesOrders = paper || connection !== undefined;
  const id = connection ?? (paper ? (await installation.paper()).connection.connection_id : undefined);
  return {
    ...(symbols !== undefined && { symbols: symbols.split(",").map((symbol) => symbol.trim()) }),
    ...(id !== undefined && { connection_id: id }),
    ...(budget !== undefined && { budget_usd: budget }),
    ...(timeframe !== undefined && { timeframe }),
    ...(quantity !== undefined && { quantity }),
    ...(riskPct !== undefined && { risk_pct: riskPct }),
    dry_run: options.dryRun ?? !placesOrders,
  };
}

/**
 * Returns the tool of a built-in agent, or else the tool that runs saved agents. Throws NOT_CONNECTED if there
 * is neither.
 */
function toolOf(name: string, tools: readonly Tool[]): Tool {
  const builtIn = tools.find(({ schedulable }) => schedulable === name);
  const tool =
    builtIn ?? tools.find(({ schedulable, uses }) => schedulable === "custom" && uses !== undefined);
  if (tool === undefined) throw new ToolError("NOT_CONNECTED", "This server has no tool that runs agents");
  return tool;
}
