import type { Plan, Principal } from "../../domain/accounts/access.ts";
import { Every, secondsOf } from "../../domain/agents/automation.ts";
import type {
  AgentRecord,
  AgentRepository,
  Automation,
  CustomAgents,
  SavedAgentRecord,
} from "../../domain/agents/automation-port.ts";
import { type Instrument, unambiguousSymbol } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { authorize } from "../../kernel/invoke.ts";
import { readInput } from "../../kernel/read-input.ts";
import type { Tool } from "../../kernel/tool.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { toAgentInstance, toAgentRun } from "./agent-instance.ts";
import { agentTemplates, agentTool, CUSTOM_AGENT, customTool } from "./catalogue.ts";
import { validateDefinition } from "./definition.ts";
import { liveAccountError, mayUseLive } from "./live-plan.ts";
import { calendarOf, firstRunAt } from "./schedule.ts";

/** Maximum number of agents in one response. */
const MAX_LISTED_AGENTS = 100;

/** Number of agents that a caller may save, and the lowest plan that includes more. */
interface PlanSlots {
  readonly slots: number;
  readonly more: { readonly plan: Plan; readonly slots: number } | null;
}

export interface AgentServicePorts
  extends Pick<Ports, "symbols" | "connections" | "market" | "clock" | "ids"> {
  readonly repository: AgentRepository;
  readonly custom: CustomAgents;
  readonly tools: () => readonly Tool[];
  readonly slotsOf: (caller: Principal) => PlanSlots;
}

/** Starts and stops scheduled agents and stores saved agents. Runs are executed by the scheduler. */
export function createAgentService(ports: AgentServicePorts): Automation {
  const { repository, custom, tools, clock, ids } = ports;
  const now = () => clock.now().toISOString();
  const shown = (record: AgentRecord) => toAgentInstance(record, agentTool(record.agent, tools()).name);
  const slots = async (caller: Principal) => {
    const limit = ports.slotsOf(caller).slots;
    const used = (await custom.list(caller.account)).length;
    return { limit, used, left: Math.max(0, limit - used) };
  };
  return {
    templates: () =>
      agentTemplates(tools()).map(({ name, tool }) => ({
        name,
        tool: tool.name,
        title: tool.title,
        description: tool.description,
      })),

    async start(caller, { agent, every, input }) {
      const { account, scopes, keyId } = caller;
      const saved = await findSavedAgent(caller.account, agent, ports);
      const tool = saved === null ? agentTool(agent, tools()) : customTool(tools());
      authorize(tool, caller);
      const seconds = intervalSeconds(every ?? saved?.definition.every);
      const given =
        saved === null ? input : { ...input, agent, dry_run: input.dry_run ?? saved.definition.dry_run };
      const { whole, read } = parseInput(tool, given, clock);
      const symbols = saved?.definition.symbols ?? (Array.isArray(read.symbols) ? read.symbols : []);
      const instruments =
        saved === null
          ? resolveInstruments(symbols.map(String), ports)
          : symbols.map((symbol) => ports.symbols.resolve(String(symbol)).instrument);
      await checkConnection(caller, read, ports);
      const coins = instruments.length > 0 && instruments.every((one) => one.asset_class === "crypto");
      const budget = whole.budget_usd ?? saved?.definition.budget_usd ?? null;
      const timed = {
        every: seconds,
        calendar: calendarOf(seconds, { mode: ports.market.mode, coins }),
        startedAt: now(),
      };
      const record: AgentRecord = {
        id: `ag_${idDigits(ids.uuid())}`,
        account,
        agent,
        input: whole,
        ...timed,
        state: "running",
        reason: null,
        budget: budget === null ? null : String(budget),
        spent: "0",
        failures: 0,
        nextAt: firstRunAt(timed),
        lastRun: null,
        key: keyId ?? null,
        scopes,
      };
      await repository.start(record);
      return shown(record);
    },

    async stop({ account }, { id, agent }) {
      const wanted = { ...(id !== undefined && { id }), ...(agent !== undefined && { agent }) };
      if (Object.keys(wanted).length !== 1)
        throw new ToolError("INVALID_INPUT", "Pass either agent_id or agent", {
          hint: "list_agents returns both for every started agent.",
        });
      const record = await repository.find(account, wanted);
      if (record === null) throw agentNotFound();
      if (!(await repository.end(account, record.id, "stopped", "Stopped by its owner")))
        throw new ToolError("CONFLICT", `The agent is not running: ${record.reason ?? record.state}`, {
          hint: "start_agent starts a new one.",
          data: { agent_id: record.id, state: record.state },
        });
      return shown((await repository.find(account, { id: record.id }))!);
    },

    instances: async ({ account }) => (await repository.list(account, MAX_LISTED_AGENTS)).map(shown),

    async runs({ account }, { id, agent, ...times }) {
      const wanted = { ...(id !== undefined && { id }), ...(agent !== undefined && { agent }) };
      if (id !== undefined && (await repository.find(account, { id })) === null) throw agentNotFound();
      return (await repository.runs(account, { ...wanted, ...times })).map(toAgentRun);
    },

    async saved(caller) {
      const all = await custom.list(caller.account);
      const usage = await slots(caller);
      return { agents: all.map((record, i) => toSavedAgent(record, i < usage.limit)), slots: usage };
    },

    async save(caller, given) {
      const { account } = caller;
      if (agentTemplates(tools()).some(({ name }) => name === given.name) || given.name === CUSTOM_AGENT)
        throw new ToolError("INVALID_INPUT", `"${given.name}" is the name of a built-in agent`, {
          hint: "Choose another name.",
          data: { errors: [{ pointer: "/name", detail: "is the name of a built-in agent" }] },
        });
      validateDefinition(given);
      const symbols = resolveInstruments(given.symbols, ports).map(({ symbol }) => symbol);
      const definition = { ...given, symbols: [...new Set(symbols)] };
      const allowed = ports.slotsOf(caller);
      const outcome = await custom.save(account, definition, { at: now(), limit: allowed.slots });
      if (outcome === null) throw noSlotError(caller, allowed);
      const { agents, slots: left } = await this.saved(caller);
      const agent = agents.find((one) => one.name === given.name)!;
      return { created: outcome.created, agent, slots: left };
    },

    async remove(caller, name) {
      const { account } = caller;
      const started = await repository.find(account, { agent: name });
      if (started?.state === "running")
        throw new ToolError("CONFLICT", `The agent "${name}" is running: ${started.id}`, {
          hint: "End it with stop_agent, then delete it.",
          data: { agent_id: started.id },
        });
      if (!(await custom.remove(account, name)))
        throw new ToolError("NOT_FOUND", `This account has no saved agent named "${name}"`, {
          hint: "list_agents lists the saved agents.",
        });
      return slots(caller);
    },
  };
}

/** Resolves each symbol to one instrument. @throws ToolError INVALID_INPUT for an ambiguous symbol */
const resolveInstruments = (
  texts: readonly string[],
  { symbols }: AgentServicePorts,
): readonly Instrument[] =>
  texts.map((text, i) => {
    const { instrument, alternatives } = symbols.resolve(text);
    if (alternatives.length === 0) return instrument;
    const all = [instrument, ...alternatives];
    const detail = `is ambiguous: ${all.map((one) => `${unambiguousSymbol(one)} (${one.asset_class})`).join(", ")}`;
    throw new ToolError("INVALID_INPUT", `symbols.${i}: ${instrument.symbol} ${detail}`, {
      hint: "Pass one of these.",
      data: { errors: [{ pointer: `/symbols/${i}`, detail }] },
    });
  });

const toSavedAgent = ({ definition, savedAt, changedAt }: SavedAgentRecord, inSlot: boolean) => ({
  name: definition.name,
  definition,
  saved_at: savedAt,
  changed_at: changedAt,
  in_slot: inSlot,
});

/** Finds a saved agent; null when a built-in agent has this name. @throws ToolError NOT_FOUND */
async function findSavedAgent(
  account: string,
  name: string,
  { tools, custom }: AgentServicePorts,
): Promise<SavedAgentRecord | null> {
  const templates = agentTemplates(tools()).map((template) => template.name);
  if (templates.includes(name)) return null;
  const all = await custom.list(account);
  const found = all.find(({ definition }) => definition.name === name);
  if (found !== undefined) return found;
  const names = [...templates, ...all.map(({ definition }) => definition.name)];
  throw new ToolError("NOT_FOUND", `There is no agent named "${name}"`, {
    hint: `Agents: ${names.join(", ")}. save_agent saves a custom one.`,
    data: { agents: names },
  });
}

/** Validates the input of a run. Returns it both as stored and as parsed. @throws ToolError INVALID_INPUT */
function parseInput(tool: Tool, given: Readonly<Record<string, unknown>>, clock: AgentServicePorts["clock"]) {
  const whole = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { whole, read: readInput(tool, whole, { clock }).input as Readonly<Record<string, unknown>> };
}

/** Checks that an agent that places orders may use the connection that it names. */
async function checkConnection(
  { account, plan }: Principal,
  { connection_id: id }: Readonly<Record<string, unknown>>,
  { connections }: AgentServicePorts,
): Promise<void> {
  if (id === undefined) return;
  const known = await connections.list(account);
  const named = known.find(({ connection_id }) => connection_id === id);
  if (named?.account_type === "live" && !mayUseLive(plan)) throw liveAccountError();
  if (named === undefined)
    throw new ToolError("NOT_FOUND", "Connection not found", {
      hint: "list_connections lists the connections of this account.",
    });
}

/** Parses the interval between runs, in seconds. @throws ToolError INVALID_INPUT when missing or invalid */
function intervalSeconds(every: string | undefined): number {
  const { data, error } = Every.safeParse(every ?? "");
  if (data !== undefined) return secondsOf(data)!;
  const detail = every === undefined ? "is required for this agent" : error.issues[0]!.message;
  throw new ToolError("INVALID_INPUT", `every: ${detail}`, {
    hint: "Time between runs, such as 90m or 4h; 1d runs once per daily bar.",
    data: { errors: [{ pointer: "/every", detail }] },
  });
}

const agentNotFound = (): ToolError =>
  new ToolError("NOT_FOUND", "No such agent was started by this account", {
    hint: "list_agents lists the started agents.",
  });

function noSlotError({ plan }: Principal, { slots: limit, more }: PlanSlots): ToolError {
  const what =
    limit === 0
      ? "This plan has no slots for saved agents"
      : `This account uses all ${limit} of its slots for saved agents`;
  if (more === null)
    return new ToolError("REFUSED", what, { hint: "delete_agent frees one.", data: { slots: limit } });
  return new ToolError("PLAN_REQUIRED", what, {
    hint: `${limit === 0 ? "" : "delete_agent frees one; "}the "${more.plan}" plan has ${more.slots}.`,
    data: { plan, required_plan: more.plan, slots: limit, more_slots: more.slots },
  });
}
