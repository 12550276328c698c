import type { Plan, Principal } from "../domain/accounts/access.ts";
import { PLAN_RANK } from "../domain/accounts/access.ts";
import type { Limit } from "../domain/accounts/windows-port.ts";

/** One row of a plan schedule. The limits, `assistant_daily` and `agent_slots` are enforced; the other fields describe the offer, null when not offered. */
export interface PlanRow {
  readonly label: string;
  readonly burst: Limit;
  readonly daily: Limit;
  readonly price: string | null;
  readonly endpoints: number | null;
  /** Number of custom agents that may be saved; null: none. */
  readonly agent_slots: number | null;
  /** Plain-language questions per day. */
  readonly assistant_daily: number | null;
  readonly support: string | null;
  readonly notes: readonly string[];
}

/** One price list: a row for each plan and for callers without a key, and named rows granted to single accounts. */
export interface PlanSchedule {
  readonly name: "A" | "B";
  readonly plans: Readonly<Record<Plan | "open", PlanRow>>;
  readonly named: Readonly<Record<string, PlanRow>>;
}

export const DAY_S = 86_400;

function row(
  label: string,
  [quota, window]: readonly [number, number],
  daily: number,
  offer: Partial<PlanRow> = {},
): PlanRow {
  return {
    label,
    burst: { quota, window },
    daily: { quota: daily, window: DAY_S },
    price: null,
    endpoints: null,
    agent_slots: null,
    assistant_daily: null,
    support: null,
    notes: [],
    ...offer,
  };
}

const OPEN = row("Without a key", [30, 60], 5_000);
const ENTERPRISE = row("Enterprise", [1_200, 60], 100_000, { agent_slots: 25 });

const INDIVIDUAL_B = row("Individual / Standard", [30, 3_600], 500, {
  price: "29 per month",
  endpoints: 8,
  agent_slots: 3,
  assistant_daily: 100,
});

const A: PlanSchedule = {
  name: "A",
  plans: {
    open: OPEN,
    member: row("Member", [10, 60], 100, {
      price: "included",
      endpoints: 2,
      agent_slots: 0,
      notes: ["health", "quote"],
    }),
    early: row("Early Adopter", [60, 60], 1_000, {
      price: "39 per month, locked",
      endpoints: 8,
      agent_slots: 3,
      notes: ["options flow", "dark pool"],
    }),
    individual: row("Individual / Standard", [60, 60], 1_000, {
      price: "49 per month (39 per month annual)",
      endpoints: 8,
      agent_slots: 3,
    }),
    founding: row("Founding Member", [60, 60], 1_000, {
      price: "276 per year, annual only, locked",
      endpoints: 8,
      agent_slots: 3,
      notes: ["options flow", "dark pool"],
    }),
    pro: row("Professional", [300, 60], 10_000, {
      price: "199 per month (159 per month annual)",
      endpoints: 10,
      agent_slots: 5,
      support: "4-hour",
      notes: ["MCP", "A2A"],
    }),
    enterprise: ENTERPRISE,
  },
  named: {},
};

const B: PlanSchedule = {
  name: "B",
  plans: {
    open: OPEN,
    member: row("Member", [10, 3_600], 100, { price: "included", endpoints: 2, agent_slots: 0 }),
    early: INDIVIDUAL_B,
    individual: INDIVIDUAL_B,
    founding: INDIVIDUAL_B,
    pro: row("Professional", [600, 3_600], 10_000, {
      price: "199 per month",
      endpoints: 10,
      agent_slots: 10,
      support: "12-hour",
    }),
    enterprise: ENTERPRISE,
  },
  named: {
    Pro: row("Pro", [120, 3_600], 5_000, {
      price: "49 per month",
      endpoints: 10,
      agent_slots: 10,
      assistant_daily: 300,
      support: "8-hour",
    }),
    "Professional (custom)": row("Professional (custom)", [300, 3_600], 15_000, {
      price: "custom",
      endpoints: 10,
      agent_slots: 25,
      assistant_daily: 500,
      support: "4-hour",
    }),
  },
};

/** Both published price lists; a server runs one of them. */
export const PLAN_SCHEDULES: Readonly<Record<"A" | "B", PlanSchedule>> = { A, B };

/** Returns the schedule row of a caller: the named row granted to the account if the schedule has it, else the row of the plan. */
export const rowOf = (schedule: PlanSchedule, { plan, terms }: Pick<Principal, "plan" | "terms">): PlanRow =>
  (terms === undefined ? undefined : schedule.named[terms]) ?? schedule.plans[plan];

/** Returns the window of plain-language questions; null if the row has none. */
export const assistantLimit = ({ assistant_daily }: PlanRow): Limit | null =>
  assistant_daily === null ? null : { quota: assistant_daily, window: DAY_S };

/** Returns the lowest plan that allows more calls per second in this window than the given limit; null if none does. */
export function planWithMore(
  schedule: PlanSchedule,
  name: "burst" | "daily",
  than: Limit,
): { readonly plan: Plan; readonly limit: Limit } | null {
  const ladder = (Object.keys(PLAN_RANK) as Plan[]).map((plan) => ({
    plan,
    limit: schedule.plans[plan][name],
  }));
  return ladder.find(({ limit }) => limit.quota / limit.window > than.quota / than.window) ?? null;
}

/** Returns the number of agents that a caller may save, and the lowest plan that allows more; null if none does. */
export function agentSlots(
  schedule: PlanSchedule,
  caller: Pick<Principal, "plan" | "terms">,
): { readonly slots: number; readonly more: { readonly plan: Plan; readonly slots: number } | null } {
  const slots = rowOf(schedule, caller).agent_slots ?? 0;
  const ladder = (Object.keys(PLAN_RANK) as Plan[]).map((plan) => ({
    plan,
    slots: schedule.plans[plan].agent_slots ?? 0,
  }));
  return { slots, more: ladder.find((candidate) => candidate.slots > slots) ?? null };
}
