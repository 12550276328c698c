import type { AgentRecord, AgentRunEvent, AgentScheduler } from "../../domain/agents/automation-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { toAgentInstance, toAgentRun } from "./agent-instance.ts";
import { type AgentRunPorts, runDueAgent } from "./agent-run.ts";
import { agentTool } from "./catalogue.ts";

/** How often somebody looks whether an agent is due. */
const POLL_INTERVAL_MS = 1_000;
/** How often a process that keeps the schedule says so, and how long its word holds. */
const HEARTBEAT_INTERVAL_MS = 4_000;
const HEARTBEAT_TIMEOUT_MS = 3 * HEARTBEAT_INTERVAL_MS;
const MAX_CONCURRENT = 4;
const MAX_DUE_AGENTS = 100;

/** The schedule of one market. Nothing runs before somebody looks, or `tend`s it. */
export function createScheduler(ports: AgentRunPorts): AgentScheduler {
  const { turns, clock, log } = ports;
  const owner = ports.ids.uuid();
  const closing = new AbortController();
  const listeners = new Set<(ran: AgentRunEvent) => void>();
  const running = new Set<Promise<unknown>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seenAt = Number.NEGATIVE_INFINITY;

  async function turn(due: AgentRecord): Promise<boolean> {
    const ran = await runDueAgent(due, { owner, signal: closing.signal }, ports);
    if (ran === null) return false;
    const { run, agent } = ran.settled;
    const after = toAgentInstance({ ...ran.agent, ...agent }, agentTool(due.agent, ports.tools()).name);
    for (const heard of listeners) heard({ account: due.account, run: toAgentRun(run), agent: after });
    return true;
  }

  async function look(): Promise<number> {
    let ran = 0;
    await forEachConcurrent(
      MAX_CONCURRENT,
      await turns.due(clock.now().getTime(), MAX_DUE_AGENTS),
      async (due) => {
        if (closing.signal.aborted) return;
        const begun = turn(due).catch((cause: unknown) => {
          log.warn("agent_turn_failed", { agent: due.id, cause });
          return false;
        });
        running.add(begun);
        if (await begun) ran++;
        running.delete(begun);
      },
    );
    return ran;
  }

  /** Says that the schedule is kept here, while there is one to keep. */
  async function sayHere(): Promise<void> {
    const now = clock.now().getTime();
    if (Math.abs(now - seenAt) < HEARTBEAT_INTERVAL_MS || !(await turns.hasRunningAgents())) return;
    await turns.heartbeat(owner, now);
    seenAt = now;
  }

  async function beat(): Promise<void> {
    try {
      await sayHere();
      await look();
    } catch (cause) {
      if (!closing.signal.aborted) log.warn("agent_schedule_unread", { cause });
    }
    if (!closing.signal.aborted) timer = setTimeout(() => void track(beat()), POLL_INTERVAL_MS).unref();
  }

  /** One that is under way when the process ends is waited for. */
  function track(work: Promise<void>): Promise<void> {
    running.add(work);
    return work.finally(() => running.delete(work));
  }

  return {
    look,
    tend() {
      if (closing.signal.aborted)
        throw new ToolError("CANCELLED", "The schedule is kept here no more", { hint: "Start again." });
      void track(beat());
    },
    listen(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    keptElsewhere: () =>
      turns.hasOtherScheduler({ than: owner, since: clock.now().getTime() - HEARTBEAT_TIMEOUT_MS }),
    async close() {
      closing.abort();
      clearTimeout(timer);
      await Promise.allSettled([...running]);
    },
  };
}
