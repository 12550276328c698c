import type { AgentRecord, AgentRunEvent, AgentScheduler } from "../../domain/agents/automation-port.ts";
import { traced } from "../../domain/tracing-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { toAgentInstance, toAgentRun } from "./agent-instance.ts";
import { type AgentRunPorts, runDueAgent } from "./agent-run.ts";
import { agentTool } from "./catalogue.ts";

/** Interval between checks for due agents. */
const POLL_INTERVAL_MS = 1_000;
/** Heartbeat interval of a scheduling process, and how long a heartbeat is valid. */
const HEARTBEAT_INTERVAL_MS = 4_000;
const HEARTBEAT_TIMEOUT_MS = 3 * HEARTBEAT_INTERVAL_MS;
const MAX_CONCURRENT = 4;
const MAX_DUE_AGENTS = 100;

/** Creates the scheduler of one market. No agent runs until `runDue` or `start` is called. */
export function createScheduler(ports: AgentRunPorts): AgentScheduler {
  const { runQueue, clock, log, tracer } = ports;
  const owner = ports.ids.uuid();
  const closing = new AbortController();
  const listeners = new Set<(ran: AgentRunEvent) => void>();
  const running = new Set<Promise<unknown>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let heartbeatAt = Number.NEGATIVE_INFINITY;

  async function runAgent(due: AgentRecord): Promise<boolean> {
    const ran = await runDueAgent(due, { owner, signal: closing.signal }, ports);
    if (ran === null) return false;
    const { run, agent } = ran.settled;
    const after = toAgentInstance({ ...ran.agent, ...agent }, agentTool(due.agent, ports.tools()).name);
    for (const listener of listeners) listener({ account: due.account, run: toAgentRun(run), agent: after });
    return true;
  }

  async function runDue(): Promise<number> {
    let ran = 0;
    await forEachConcurrent(
      MAX_CONCURRENT,
      await runQueue.due(clock.now().getTime(), MAX_DUE_AGENTS),
      async (due) => {
        if (closing.signal.aborted) return;
        const begun = traced(tracer, "job agent", {}, () => runAgent(due)).catch((cause: unknown) => {
          log.warn("agent_run_failed", { agent: due.id, cause });
          return false;
        });
        running.add(begun);
        if (await begun) ran++;
        running.delete(begun);
      },
    );
    return ran;
  }

  /** Records that this process schedules agents, as long as any agent is running. */
  async function recordHeartbeat(): Promise<void> {
    const now = clock.now().getTime();
    if (Math.abs(now - heartbeatAt) < HEARTBEAT_INTERVAL_MS || !(await runQueue.hasRunningAgents())) return;
    await runQueue.heartbeat(owner, now);
    heartbeatAt = now;
  }

  async function tick(): Promise<void> {
    try {
      await recordHeartbeat();
      await runDue();
    } catch (cause) {
      if (!closing.signal.aborted) log.warn("agent_schedule_failed", { cause });
    }
    if (!closing.signal.aborted) timer = setTimeout(() => void track(tick()), POLL_INTERVAL_MS).unref();
  }

  /** Tracks work so that `close` waits for it. */
  function track(work: Promise<void>): Promise<void> {
    running.add(work);
    return work.finally(() => running.delete(work));
  }

  return {
    runDue,
    start() {
      if (closing.signal.aborted)
        throw new ToolError("CANCELLED", "The scheduler is shutting down", {
          hint: "Retry after the owner of the server has restarted it.",
        });
      void track(tick());
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isRunningElsewhere() {
      const now = clock.now().getTime();
      return runQueue.hasOtherScheduler({ than: owner, since: now - HEARTBEAT_TIMEOUT_MS, now });
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      await Promise.allSettled([...running]);
    },
  };
}
