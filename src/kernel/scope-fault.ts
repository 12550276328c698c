import { isApp, OWNER_ACCOUNT, type Principal, type Scope } from "../domain/accounts/access.ts";
import { ToolError } from "./errors.ts";

/** Returns the error of a caller without the scope that a tool needs; its hint says who can change that. */
export function scopeFault(tool: string, scope: Scope, principal: Principal): ToolError {
  return new ToolError("SCOPE_REQUIRED", `"${tool}" needs the "${scope}" scope`, {
    ...hintFor(scope, principal),
    data: { required_scope: scope },
  });
}

function hintFor(scope: Scope, principal: Principal): { readonly hint: string; readonly command?: string } {
  const { account, keyId, scopes, grantable } = principal;
  const keyHint = `Use a key with the "${scope}" scope.`;
  if (isApp(principal))
    return {
      // work that an app started earlier does not know what its person may still allow
      hint: (grantable ?? [scope]).includes(scope)
        ? "The person of this app can allow it: connect it again."
        : "The role of the app's person does not include it. The owner changes the role on /people.",
    };
  if (!scopes.includes("admin"))
    return { hint: keyId === undefined ? hintForPerson(scope, principal) : keyHint };
  return {
    hint: `Use a key with "${scope}" and "admin".`,
    command: `market-signal keys create --account ${account} --scopes ${scope},admin`,
  };
}

/** Returns the hint for a session, which may do less than its person. */
function hintForPerson(scope: Scope, { account, scopes }: Principal): string {
  if (!scopes.includes("write")) return "Your role may only read; the owner can change it.";
  if (scope === "admin" && account !== OWNER_ACCOUNT) return "Only the owner of this server may do that.";
  return `The pages do not do that: use an app that you allow it, or a key with the "${scope}" scope.`;
}
