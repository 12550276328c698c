/** Scheduled agents; `input`, `definition`, `decisions` and `notes` are JSON, amounts decimal text. */
export interface AutomationTables {
  readonly agents: AgentsTable;
  readonly agent_runs: AgentRunsTable;
  readonly custom_agents: CustomAgentsTable;
  /** Scheduler processes; `seen_at` is the last heartbeat, epoch ms. */
  readonly agent_keepers: { readonly market: string; readonly owner: string; readonly seen_at: number };
}

interface Owned {
  readonly account: string;
  readonly market: string;
}

/** `next_at` and `lease_until` are epoch ms, `scopes` are separated by spaces. */
interface AgentsTable extends Owned {
  readonly id: string;
  readonly agent: string;
  readonly input: string;
  readonly every_s: number;
  readonly calendar: string;
  readonly state: string;
  readonly reason: string | null;
  readonly budget: string | null;
  readonly spent: string;
  readonly failures: number;
  readonly started_at: string;
  readonly next_at: number | null;
  readonly last_run: string | null;
  readonly key_id: string | null;
  readonly scopes: string;
  readonly lease_owner: string | null;
  readonly lease_until: number | null;
}

/** `due_at` is epoch ms, `resumed` 0 or 1. */
interface AgentRunsTable extends Owned {
  readonly id: string;
  readonly agent_id: string;
  readonly agent: string;
  readonly due_at: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly outcome: string;
  readonly resumed: number;
  readonly missed: number;
  readonly reason: string | null;
  readonly decisions: string;
  readonly notes: string;
}

interface CustomAgentsTable extends Owned {
  readonly name: string;
  readonly definition: string;
  readonly saved_at: string;
  readonly changed_at: string;
}
