import type { Principal, Scope } from "../accounts/access.ts";
import type {
  AgentInput,
  AgentInstance,
  AgentRun,
  AgentSlots,
  AgentState,
  CustomAgent,
  DecisionShown,
  SavedAgent,
} from "./automation.ts";

/** Bounds of the time at which a run was due, epoch ms, both inclusive. Default: none. */
interface RunTimes {
  readonly from?: number | null;
  readonly until?: number;
}

/** Stored record of a started agent. Amounts are decimal text, schedule times epoch ms. */
export interface AgentRecord {
  readonly id: string;
  readonly account: string;
  readonly agent: string;
  /** Input of its tool, without the fields that each run adds. */
  readonly input: AgentInput;
  /** Seconds. */
  readonly every: number;
  readonly calendar: "interval" | "session_open" | "utc_midnight";
  readonly state: AgentState;
  readonly reason: string | null;
  readonly budget: string | null;
  readonly spent: string;
  readonly failures: number;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly nextAt: number | null;
  /** ISO 8601 UTC. */
  readonly lastRun: string | null;
  /** Id of the key that started it; null when started from the command line of this machine. */
  readonly key: string | null;
  readonly scopes: readonly Scope[];
}

export interface AgentRunRecord extends Omit<AgentRun, "due_at" | "decisions" | "notes"> {
  /** Epoch ms. */
  readonly due: number;
  readonly decisions: readonly DecisionShown[];
  readonly notes: readonly string[];
}

export interface SavedAgentRecord {
  readonly definition: CustomAgent;
  readonly savedAt: string;
  readonly changedAt: string;
}

/** Agents of accounts in one market, durable before each promise resolves. */
export interface AgentRepository {
  /** Rejects with CONFLICT if an agent of the same name is running. */
  start(agent: AgentRecord): Promise<void>;
  /** Running agents first, then newest first. */
  list(account: string, limit: number): Promise<readonly AgentRecord[]>;
  /** Returns the agent with an id, or the newest with a name; null if none matches. */
  find(
    account: string,
    wanted: { readonly id?: string; readonly agent?: string },
  ): Promise<AgentRecord | null>;
  /** Returns false if it was not running. */
  end(account: string, id: string, state: Exclude<AgentState, "running">, reason: string): Promise<boolean>;
  /** Newest first. */
  runs(
    account: string,
    wanted: RunTimes & { readonly id?: string; readonly agent?: string; readonly limit: number },
  ): Promise<readonly AgentRunRecord[]>;
}

/** Saved agents of accounts in one market. */
export interface CustomAgents {
  /** Adds or replaces; returns null and changes nothing if a new agent would exceed `limit`. */
  save(
    account: string,
    definition: CustomAgent,
    options: { readonly at: string; readonly limit: number },
  ): Promise<{ readonly created: boolean } | null>;
  /** In the order in which they were first saved. */
  list(account: string): Promise<readonly SavedAgentRecord[]>;
  remove(account: string, name: string): Promise<boolean>;
}

/** Length of a lease on an agent. */
export const AGENT_LEASE_MS = 6_000;

/** Lease on an agent for one run. */
export interface Lease {
  readonly owner: string;
  readonly now: number;
  readonly until: number;
}

/** Result of a run, and how its agent continues. */
export interface RunCompletion {
  readonly run: AgentRunRecord;
  readonly agent: Pick<AgentRecord, "state" | "reason" | "spent" | "failures" | "nextAt" | "lastRun">;
}

/** Due runs of all accounts in one market. Each run is leased to one of the processes on a data folder. */
export interface AgentRunQueue {
  /**
   * Returns running agents that are due and not leased by any process, longest overdue first; also those whose next run
   * is further ahead than their interval, which a clock that was ahead has set.
   */
  due(now: number, limit: number): Promise<readonly AgentRecord[]>;
  /** Leases a running agent that is still due; null if it is not due or another process has the lease. */
  acquire(due: AgentRecord, lease: Lease): Promise<AgentRecord | null>;
  /** Sets the next run of a leased agent and ends the lease. */
  reschedule(agent: AgentRecord, owner: string, nextAt: number): Promise<void>;
  /** Extends the lease; returns false if it was lost. */
  renew(agent: AgentRecord, lease: Lease): Promise<boolean>;
  /** Records the start of a run; returns the earlier record of a run that was interrupted, else null. */
  begin(agent: AgentRecord, run: AgentRunRecord): Promise<AgentRunRecord | null>;
  /** Writes a run and its agent atomically and ends the lease; returns false and writes nothing if the lease was lost. */
  complete(agent: AgentRecord, owner: string, settled: RunCompletion): Promise<boolean>;
  /** Ends the lease without a run. */
  release(agent: AgentRecord, owner: string): Promise<void>;
  /** Records that this process runs the scheduler now. */
  heartbeat(owner: string, now: number): Promise<void>;
  /** Returns true if another process has run the scheduler between `since` and `now`. */
  hasOtherScheduler(other: {
    readonly than: string;
    readonly since: number;
    readonly now: number;
  }): Promise<boolean>;
  hasRunningAgents(): Promise<boolean>;
}

/** Request to start an agent; omitted fields take the agent's own defaults. */
export interface StartRequest {
  readonly agent: string;
  /** Interval, such as 4h. Default: that of the saved agent. */
  readonly every?: string | undefined;
  readonly input: AgentInput;
}

/** An agent that runs on a schedule, as the catalogue offers it. */
export interface AgentTemplate {
  readonly name: string;
  readonly tool: string;
  readonly title: string;
  readonly description: string;
}

/** Operations of an account on its autonomous agents. */
export interface Automation {
  templates(): readonly AgentTemplate[];
  /**
   * Rejects with NOT_FOUND, INVALID_INPUT, UNKNOWN_SYMBOL, PLAN_REQUIRED, SCOPE_REQUIRED or CONFLICT, changing nothing.
   */
  start(caller: Principal, request: StartRequest): Promise<AgentInstance>;
  /**
   * Stops the agent with an id, or the running one with a name. Rejects with NOT_FOUND, or with CONFLICT if it is not
   * running.
   */
  stop(
    caller: Principal,
    wanted: { readonly id?: string | undefined; readonly agent?: string | undefined },
  ): Promise<AgentInstance>;
  instances(caller: Principal): Promise<readonly AgentInstance[]>;
  runs(
    caller: Principal,
    wanted: RunTimes & {
      readonly id?: string | undefined;
      readonly agent?: string | undefined;
      readonly limit: number;
    },
  ): Promise<readonly AgentRun[]>;
  saved(caller: Principal): Promise<{ readonly agents: readonly SavedAgent[]; readonly slots: AgentSlots }>;
  /** Rejects with INVALID_INPUT and a pointer to each fault, with PLAN_REQUIRED, or with REFUSED if no slot is left. */
  save(
    caller: Principal,
    definition: CustomAgent,
  ): Promise<{ readonly created: boolean; readonly agent: SavedAgent; readonly slots: AgentSlots }>;
  /** Rejects with NOT_FOUND, or with CONFLICT while it is running. */
  remove(caller: Principal, name: string): Promise<AgentSlots>;
}

/** A run that ended in this process. */
export interface AgentRunEvent {
  readonly account: string;
  readonly run: AgentRun;
  /** State after the run. */
  readonly agent: AgentInstance;
}

/** Runs agents when they are due. Of several processes on one data folder, only one runs each due agent. */
export interface AgentScheduler {
  /** Runs the agents that are due and returns how many ran in this process. */
  runDue(): Promise<number>;
  /** Starts checking for due runs every second, until closed. */
  start(): void;
  /** Subscribes to runs that ended here; returns the unsubscribe function. */
  listen(listener: (ran: AgentRunEvent) => void): () => void;
  /** Returns true if another process currently runs the scheduler of this market. */
  isRunningElsewhere(): Promise<boolean>;
  /** Interrupts current runs; the next scheduler resumes them. */
  close(): Promise<void>;
}
