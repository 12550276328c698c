import type {
  AgentBook,
  AgentSchedule,
  AgentTurns,
  Automation,
  CustomAgents,
} from "../../domain/agents/automation-port.ts";
import type { Ground } from "../../kernel/invoke.ts";
import type { Tool } from "../../kernel/tool.ts";
import { automationDesk, type DeskPorts, type SlotsOf } from "./desk.ts";
import { createScheduler } from "./scheduler.ts";
import type { TurnPorts } from "./turn.ts";

/** Agents that run by themselves in one market: what accounts do with them, and what runs them. */
export interface Agents {
  readonly desk: Automation;
  readonly scheduler: AgentSchedule;
}

export interface AgentsOptions
  extends Pick<DeskPorts, "symbols" | "connections" | "market" | "clock" | "ids">,
    Pick<TurnPorts, "log" | "standing"> {
  readonly store: {
    readonly book: AgentBook;
    readonly custom: CustomAgents;
    readonly turns: AgentTurns;
  };
  readonly slotsOf: SlotsOf;
  /** What is offered, and what it runs on, once both are known. */
  readonly tools: () => readonly Tool[];
  readonly ground: () => Ground;
}

/** Builds both over one store. */
export function agentsOf({ store, ...ports }: AgentsOptions): Agents {
  return {
    desk: automationDesk({ ...ports, ...store }),
    scheduler: createScheduler({ ...ports, ...store }),
  };
}
