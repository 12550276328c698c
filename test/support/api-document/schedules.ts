import type { Plan } from "../../../src/domain/accounts/access.ts";

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** A row of a plan schedule: calls per burst window and per day, custom agents, and questions per day. */
export interface DocumentedPlan {
  readonly line: number;
  readonly plan: Plan;
  /** Name of a row that is granted to single accounts. */
  readonly terms?: string;
  readonly burst: readonly [quota: number, seconds: number];
  readonly daily: number;
  readonly agents?: number;
  readonly assistant?: number;
}

/** Both plan schedules of the API document, lines 256-274. */
export const SCHEDULES: Readonly<Record<"A" | "B", readonly DocumentedPlan[]>> = {
  A: [
    { line: 260, plan: "member", burst: [10, MINUTE_S], daily: 100 },
    { line: 261, plan: "early", burst: [60, MINUTE_S], daily: 1_000 },
    { line: 262, plan: "individual", burst: [60, MINUTE_S], daily: 1_000, agents: 3 },
    { line: 263, plan: "founding", burst: [60, MINUTE_S], daily: 1_000 },
    { line: 264, plan: "pro", burst: [300, MINUTE_S], daily: 10_000, agents: 5 },
  ],
  B: [
    { line: 270, plan: "member", burst: [10, HOUR_S], daily: 100 },
    { line: 271, plan: "individual", burst: [30, HOUR_S], daily: 500, agents: 3, assistant: 100 },
    { line: 272, plan: "pro", burst: [600, HOUR_S], daily: 10_000 },
    { line: 273, plan: "pro", terms: "Pro", burst: [120, HOUR_S], daily: 5_000, agents: 10, assistant: 300 },
    {
      line: 274,
      plan: "pro",
      terms: "Professional (custom)",
      burst: [300, HOUR_S],
      daily: 15_000,
      agents: 25,
      assistant: 500,
    },
  ],
};
