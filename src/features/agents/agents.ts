import type {
  AgentRepository,
  AgentRunQueue,
  AgentScheduler,
  Automation,
  CustomAgents,
} from "../../domain/agents/automation-port.ts";
import type { RuntimePorts } from "../../kernel/invoke.ts";
import type { Tool } from "../../kernel/tool.ts";
import type { AgentRunPorts } from "./agent-run.ts";
import { type AgentServicePorts, type AgentSlots, createAgentService } from "./agent-service.ts";
import { createScheduler } from "./scheduler.ts";

/** The agent service and scheduler of one market. */
export interface Agents {
  readonly service: Automation;
  readonly scheduler: AgentScheduler;
}

export interface AgentsOptions
  extends Pick<AgentServicePorts, "symbols" | "connections" | "market" | "clock" | "ids">,
    Pick<AgentRunPorts, "log" | "resolvePrincipal"> {
  readonly store: {
    readonly repository: AgentRepository;
    readonly custom: CustomAgents;
    readonly runQueue: AgentRunQueue;
  };
  readonly slotsOf: AgentSlots;
  /** Read lazily, since tools and ports are built later. */
  readonly tools: () => readonly Tool[];
  readonly runtimePorts: () => RuntimePorts;
}

/** Creates the service and the scheduler over one store. */
export function createAgents({ store, ...ports }: AgentsOptions): Agents {
  return {
    service: createAgentService({ ...ports, ...store }),
    scheduler: createScheduler({ ...ports, ...store }),
  };
}
