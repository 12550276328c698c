import { PLAN_RANK, type Plan, type Principal } from "../../domain/access.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Lets a caller through a door that is part of this plan. Throws UNAUTHENTICATED or PLAN_REQUIRED. */
export function admit(door: string, required: Plan, { plan }: Principal): void {
  if (plan === "open")
    throw new ToolError("UNAUTHENTICATED", `${door} needs an API key`, {
      hint: "Send it as `Authorization: Bearer <key>`; `market-signal keys create` makes one.",
    });
  if (PLAN_RANK[plan] < PLAN_RANK[required])
    throw new ToolError("PLAN_REQUIRED", `${door} needs the "${required}" plan; this key has "${plan}"`, {
      hint: `Use a key of an account on the "${required}" plan or above.`,
      data: { plan, required_plan: required },
    });
}
