import type { Principal } from "../../domain/accounts/access.ts";
import { DecisionShown } from "../../domain/agents/automation.ts";
import {
  AGENT_LEASE_MS,
  type AgentRecord,
  type AgentRunQueue,
  type AgentRunRecord,
  type RunCompletion,
} from "../../domain/agents/automation-port.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Tracer } from "../../domain/tracing-port.ts";
import { asToolError, type ErrorCode, type ToolError } from "../../kernel/errors.ts";
import { invoke, type RuntimePorts } from "../../kernel/invoke.ts";
import type { Tool } from "../../kernel/tool.ts";
import { decimal, truncated } from "../../lib/decimal.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { idempotencyUuid } from "../../lib/idempotency-key.ts";
import { isSpent, passBudget } from "./budget.ts";
import { agentTool } from "./catalogue.ts";
import { findPlacedOrders, type PlacedOrders } from "./placed-orders.ts";
import { firstRunSince, resumeSchedule } from "./schedule.ts";

const LEASE_RENEWAL_MS = 1_500;
/** Consecutive failed runs after which an agent is stopped. */
export const MAX_FAILURES = 5;

export interface AgentRunPorts extends Pick<Ports, "clock" | "ids" | "log"> {
  readonly runQueue: AgentRunQueue;
  /** Records each run. Default: none is recorded. */
  readonly tracer?: Tracer | undefined;
  readonly tools: () => readonly Tool[];
  readonly runtimePorts: () => RuntimePorts;
  /** Resolves the current principal of an agent; rejects when its key is no longer valid. */
  readonly resolvePrincipal: (agent: Pick<AgentRecord, "account" | "key" | "scopes">) => Promise<Principal>;
}

/** A run that ended in this process, with the agent record from before the run. */
export interface FinishedRun {
  readonly agent: AgentRecord;
  readonly settled: RunCompletion;
}

interface RunContext {
  readonly owner: string;
  /** Aborts when the process ends. */
  readonly signal: AbortSignal;
}

/** State that an agent enters after an error that a retry cannot fix, by error code. */
const TERMINAL_ERRORS: Partial<Record<ErrorCode, "stopped" | "failed">> = {
  UNAUTHENTICATED: "stopped",
  PLAN_REQUIRED: "stopped",
  SCOPE_REQUIRED: "stopped",
  FORBIDDEN: "stopped",
  NOT_FOUND: "failed",
  INVALID_INPUT: "failed",
};

/** Returns the id of a run, derived from its agent and due time so that a restarted run has the same id. */
export const runIdOf = ({ id }: Pick<AgentRecord, "id">, due: number): string =>
  `ru_${idDigits(`${id} ${due}`)}`;

/**
 * Executes one due run of an agent under a lease. An interrupted run restarts with the same id, so that no order is
 * placed twice. Returns null when another process holds the lease, the agent is no longer due or has to be scheduled
 * anew because the clock was ahead, or this process is shutting down.
 */
export async function runDueAgent(
  due: AgentRecord,
  { owner, signal }: RunContext,
  ports: AgentRunPorts,
): Promise<FinishedRun | null> {
  const { runQueue, clock } = ports;
  const lease = () => ({ owner, now: clock.now().getTime(), until: clock.now().getTime() + AGENT_LEASE_MS });
  const agent = await runQueue.acquire(due, lease());
  if (agent === null || agent.nextAt === null) return null;
  if (agent.nextAt > clock.now().getTime()) {
    await runQueue.reschedule(agent, owner, firstRunSince(agent, clock.now().getTime()));
    return null;
  }
  const runAbort = new AbortController();
  const abort = () => runAbort.abort();
  signal.addEventListener("abort", abort, { once: true });
  const renewal = setInterval(() => {
    // a failed renewal means that the lease may be lost
    runQueue.renew(agent, lease()).then((held) => held || abort(), abort);
  }, LEASE_RENEWAL_MS).unref();
  try {
    const now = clock.now();
    const { next, missed } = resumeSchedule(agent, { due: agent.nextAt, now: now.getTime() });
    const started = newRun(agent, agent.nextAt, { missed, at: now.toISOString() });
    const before = await runQueue.begin(agent, started);
    const run = before === null ? started : { ...started, started_at: before.started_at, resumed: true };
    const outcome = await callAgentTool(agent, run, runAbort.signal, ports);
    if (signal.aborted && outcome.error !== null) return null;
    const placed = outcome.error === null ? null : await readPlacedOrders(agent, run, ports);
    const settled = settleRun(agent, run, { ...outcome, placed, next, at: clock.now().toISOString() });
    return (await runQueue.complete(agent, owner, settled)) ? { agent, settled } : null;
  } finally {
    clearInterval(renewal);
    signal.removeEventListener("abort", abort);
    await runQueue.release(agent, owner);
  }
}

const newRun = (
  { id, agent }: AgentRecord,
  due: number,
  { missed, at }: { readonly missed: number; readonly at: string },
): AgentRunRecord => ({
  run_id: runIdOf({ id }, due),
  agent_id: id,
  agent,
  due,
  started_at: at,
  ended_at: null,
  outcome: "running",
  resumed: false,
  missed,
  reason: null,
  decisions: [],
  notes: [],
});

interface ToolOutcome {
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly error: ToolError | null;
}

/** Calls the agent's tool with the principal that its key has now. */
async function callAgentTool(
  agent: AgentRecord,
  { run_id }: AgentRunRecord,
  signal: AbortSignal,
  { tools, runtimePorts, resolvePrincipal }: AgentRunPorts,
): Promise<ToolOutcome> {
  try {
    const principal = await resolvePrincipal(agent);
    const tool = agentTool(agent.agent, tools());
    const budget = passBudget(agent);
    const input = { ...agent.input, run_id, ...(budget !== null && { budget_usd: budget }) };
    const output = await invoke(tool, input, {
      ports: runtimePorts(),
      principal,
      transport: "schedule",
      signal,
      detail: "full",
      requestId: idempotencyUuid(run_id),
    });
    return { output, error: null };
  } catch (thrown) {
    return { output: null, error: asToolError(thrown) };
  }
}

/** Reads the orders that a failed run had placed; null without a trade repository. */
async function readPlacedOrders(
  { account, agent }: AgentRecord,
  { run_id, started_at }: AgentRunRecord,
  { runtimePorts }: AgentRunPorts,
): Promise<PlacedOrders | null> {
  const { tradeRepository } = runtimePorts();
  return tradeRepository === undefined
    ? null
    : findPlacedOrders({ account, agent, run_id }, started_at, tradeRepository);
}

/** Computes the stored result of a run and the next state of its agent. */
function settleRun(
  agent: AgentRecord,
  run: AgentRunRecord,
  outcome: ToolOutcome & { readonly placed: PlacedOrders | null; readonly next: number; readonly at: string },
): RunCompletion {
  const { output, error, placed, next, at } = outcome;
  const ended = { ...run, ended_at: at };
  const running = { state: "running", reason: null, nextAt: next } as const;
  if (error !== null) {
    const reason = `${error.code}: ${error.message}`;
    const failures = agent.failures + 1;
    const state = TERMINAL_ERRORS[error.code] ?? (failures >= MAX_FAILURES ? "failed" : "running");
    const isTerminal = TERMINAL_ERRORS[error.code] !== undefined;
    const why = isTerminal ? reason : `${failures} runs in a row failed; the last: ${reason}`;
    return {
      run: { ...ended, outcome: "failed", reason, notes: [...missedNotes(run), ...placedOrderNotes(placed)] },
      agent: {
        spent: truncated(decimal(agent.spent).plus(placed?.spent ?? 0)),
        failures,
        lastRun: at,
        ...(state === "running" ? running : { state, reason: why, nextAt: null }),
      },
    };
  }
  const decisions = DecisionShown.array().parse(output?.decisions ?? []);
  const spent = truncated(decimal(agent.spent).plus(purchaseCost(output)));
  const finished = isSpent({ budget: agent.budget, spent }, decisions);
  const notes = [...missedNotes(run), ...textsIn(output?.notes)];
  const reason = `The budget of ${agent.budget} USD is spent (${spent} USD) and no position is left to sell`;
  const state = finished ? ({ state: "finished", reason, nextAt: null } as const) : running;
  return {
    run: { ...ended, outcome: "done", decisions, notes },
    agent: { spent, failures: 0, lastRun: at, ...state },
  };
}

const missedNotes = ({ missed, resumed }: AgentRunRecord): readonly string[] => [
  ...(missed === 0
    ? []
    : [
        `${missed === 1 ? "One more run was" : `${missed} more runs were`} due while no scheduler was running: this run replaces ${missed === 1 ? "it" : "them"}`,
      ]),
  ...(resumed
    ? ["The run was interrupted and restarted under the same run_id, so no order was placed twice"]
    : []),
];

const placedOrderNotes = (placed: PlacedOrders | null): readonly string[] =>
  placed === null || placed.orders.length === 0
    ? []
    : [
        `Orders sent before the failure: ${placed.orders.map(({ order_id, intent }) => `${order_id} (${intent.side} ${intent.quantity} ${intent.symbol})`).join(", ")}; list_orders shows their state`,
      ];

/** Returns the cost of the purchases of a pass, in US dollars. */
function purchaseCost(output: Readonly<Record<string, unknown>> | null): string {
  const { budget } = (output ?? {}) as { readonly budget?: { readonly spent?: unknown } };
  return typeof budget?.spent === "string" ? budget.spent : "0";
}

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === "string") : [];
