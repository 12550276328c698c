import { PLAN_RANK, type Principal } from "../../domain/accounts/access.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Lowest plan that connects brokers, and so the lowest whose agents may use a live account. */
const LIVE_PLAN = "pro";

/** Returns true if agents of this plan may use live accounts; the others trade in a built-in paper account. */
export const mayUseLive = (plan: Principal["plan"]): boolean =>
  plan !== "open" && PLAN_RANK[plan] >= PLAN_RANK[LIVE_PLAN];

export const liveAccountError = (): ToolError =>
  new ToolError("PLAN_REQUIRED", `An agent on a live account needs the "${LIVE_PLAN}" plan`, {
    hint: "Leave connection_id out: the agent then trades in the built-in paper account.",
    data: { required_plan: LIVE_PLAN },
  });
