import type { AgentRan, AgentSchedule, KeptAgent } from "../../domain/agents/automation-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { atOnce } from "../../lib/at-once.ts";
import { toolOf } from "./catalogue.ts";
import { agentShown, runShown } from "./shown.ts";
import { type TurnPorts, turnOf } from "./turn.ts";

/** How often somebody looks whether an agent is due. */
const LOOK_MS = 1_000;
/** How often a process that keeps the schedule says so, and how long its word holds. */
const SEEN_MS = 4_000;
const ABSENT_MS = 3 * SEEN_MS;
const AT_ONCE = 4;
const MOST = 100;

/** The schedule of one market. Nothing runs before somebody looks, or `tend`s it. */
export function createScheduler(ports: TurnPorts): AgentSchedule {
  const { turns, clock, log } = ports;
  const owner = ports.ids.uuid();
  const closing = new AbortController();
  const listeners = new Set<(ran: AgentRan) => void>();
  const running = new Set<Promise<unknown>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seenAt = Number.NEGATIVE_INFINITY;

  async function turn(due: KeptAgent): Promise<boolean> {
    const ran = await turnOf(due, { owner, signal: closing.signal }, ports);
    if (ran === null) return false;
    const { run, agent } = ran.settled;
    const after = agentShown({ ...ran.agent, ...agent }, toolOf(due.agent, ports.tools()).name);
    for (const heard of listeners) heard({ account: due.account, run: runShown(run), agent: after });
    return true;
  }

  async function look(): Promise<number> {
    let ran = 0;
    await atOnce(AT_ONCE, await turns.due(clock.now().getTime(), MOST), async (due) => {
      if (closing.signal.aborted) return;
      const begun = turn(due).catch((cause: unknown) => {
        log.warn("agent_turn_failed", { agent: due.id, cause });
        return false;
      });
      running.add(begun);
      if (await begun) ran++;
      running.delete(begun);
    });
    return ran;
  }

  /** Says that the schedule is kept here, while there is one to keep. */
  async function sayHere(): Promise<void> {
    const now = clock.now().getTime();
    if (Math.abs(now - seenAt) < SEEN_MS || !(await turns.any())) return;
    await turns.seen(owner, now);
    seenAt = now;
  }

  async function beat(): Promise<void> {
    try {
      await sayHere();
      await look();
    } catch (cause) {
      if (!closing.signal.aborted) log.warn("agent_schedule_unread", { cause });
    }
    if (!closing.signal.aborted) timer = setTimeout(() => void track(beat()), LOOK_MS).unref();
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
    keptElsewhere: () => turns.keptBy({ than: owner, since: clock.now().getTime() - ABSENT_MS }),
    async close() {
      closing.abort();
      clearTimeout(timer);
      await Promise.allSettled([...running]);
    },
  };
}
