import { describe, expect, it } from "vitest";
import { agentSlots, PLAN_SCHEDULES, type PlanRow, planWithMore, rowOf } from "../../src/access/plans.ts";

const { A, B } = PLAN_SCHEDULES;
const limits = ({ burst, daily }: PlanRow) => [burst.quota, burst.window, daily.quota, daily.window];
const table = (rows: Readonly<Record<string, PlanRow>>) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, limits(row)]));

describe("plan schedules", () => {
  it("hold the rates of schedule A", () => {
    expect(table(A.plans)).toEqual({
      open: [30, 60, 5_000, 86_400],
      member: [10, 60, 100, 86_400],
      early: [60, 60, 1_000, 86_400],
      individual: [60, 60, 1_000, 86_400],
      founding: [60, 60, 1_000, 86_400],
      pro: [300, 60, 10_000, 86_400],
      enterprise: [1_200, 60, 100_000, 86_400],
    });
    expect(A.named).toEqual({});
  });

  it("hold the rates of schedule B, with early and founding like individual", () => {
    expect(table(B.plans)).toEqual({
      open: [30, 60, 5_000, 86_400],
      member: [10, 3_600, 100, 86_400],
      early: [30, 3_600, 500, 86_400],
      individual: [30, 3_600, 500, 86_400],
      founding: [30, 3_600, 500, 86_400],
      pro: [600, 3_600, 10_000, 86_400],
      enterprise: [1_200, 60, 100_000, 86_400],
    });
    expect(table(B.named)).toEqual({
      Pro: [120, 3_600, 5_000, 86_400],
      "Professional (custom)": [300, 3_600, 15_000, 86_400],
    });
  });

  it("describe the offers", () => {
    expect(A.plans.pro).toMatchObject({
      label: "Professional",
      price: "199 per month (159 per month annual)",
      endpoints: 10,
      agent_slots: 5,
      support: "4-hour",
      notes: ["MCP", "A2A"],
    });
    expect(B.plans.individual).toMatchObject({ price: "29 per month", agent_slots: 3, assistant_daily: 100 });
    expect(B.named.Pro).toMatchObject({
      price: "49 per month",
      agent_slots: 10,
      assistant_daily: 300,
      support: "8-hour",
    });
    expect(B.named["Professional (custom)"]).toMatchObject({
      agent_slots: 25,
      assistant_daily: 500,
      support: "4-hour",
    });
  });
});

describe("the plan row of a caller", () => {
  it("is the plan's row, or the row of its terms if the schedule has it", () => {
    expect(rowOf(B, { plan: "pro" }).label).toBe("Professional");
    expect(rowOf(B, { plan: "pro", terms: "Pro" }).label).toBe("Pro");
    expect(rowOf(A, { plan: "pro", terms: "Pro" }).label).toBe("Professional");
    expect(rowOf(A, { plan: "open" }).label).toBe("Without a key");
  });
});

describe("the next higher plan", () => {
  it.each([
    ["A", "burst", A.plans.member.burst, "individual"],
    ["A", "burst", A.plans.open.burst, "individual"],
    ["A", "daily", A.plans.open.daily, "pro"],
    ["A", "burst", A.plans.founding.burst, "pro"],
    ["B", "burst", B.plans.open.burst, "enterprise"],
    ["B", "daily", B.named["Professional (custom)"]!.daily, "enterprise"],
  ] as const)("of schedule %s allows more in the %s window than %j: %s", (schedule, window, than, plan) => {
    expect(planWithMore(PLAN_SCHEDULES[schedule], window, than)?.plan).toBe(plan);
  });

  it("is null for the highest plan", () => {
    expect(planWithMore(A, "daily", A.plans.enterprise.daily)).toBeNull();
  });
});

describe("agent slots", () => {
  const table = (name: "A" | "B") =>
    Object.fromEntries(
      Object.keys(PLAN_SCHEDULES[name].plans).map((plan) => [
        plan,
        agentSlots(PLAN_SCHEDULES[name], { plan: plan as "pro" }).slots,
      ]),
    );

  it("are those of the price lists", () => {
    const others = { open: 0, member: 0, early: 3, individual: 3, founding: 3, enterprise: 25 };
    expect(table("A")).toEqual({ ...others, pro: 5 });
    expect(table("B")).toEqual({ ...others, pro: 10 });
    expect(agentSlots(B, { plan: "pro", terms: "Professional (custom)" })).toEqual({ slots: 25, more: null });
  });

  it("include the lowest plan that has more, or null for the highest", () => {
    expect(agentSlots(A, { plan: "member" }).more).toEqual({ plan: "individual", slots: 3 });
    expect(agentSlots(A, { plan: "individual" }).more).toEqual({ plan: "pro", slots: 5 });
    expect(agentSlots(A, { plan: "pro" }).more).toEqual({ plan: "enterprise", slots: 25 });
    expect(agentSlots(A, { plan: "enterprise" }).more).toBeNull();
  });
});
