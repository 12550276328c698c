import type { Principal } from "../../domain/accounts/access.ts";
import { ToolError } from "../../kernel/errors.ts";
import { authorize } from "../../kernel/invoke.ts";
import type { Tool } from "../../kernel/tool.ts";

/** Returns true if the plan and the scopes of the caller allow a call of the tool. */
export function mayCall(tool: Tool, principal: Principal): boolean {
  try {
    authorize(tool, principal);
    return true;
  } catch (thrown) {
    if (thrown instanceof ToolError) return false;
    throw thrown;
  }
}
