import type { Context } from "hono";
import type { Principal } from "../../domain/accounts/access.ts";
import { ToolError } from "../../kernel/errors.ts";
import { authorize } from "../../kernel/invoke.ts";
import { scopesOf, type Tool } from "../../kernel/tool.ts";
import { type ChallengeDeps, oauthChallenge } from "../http/challenge.ts";
import type { HttpEnv } from "../http/server-deps.ts";
import { resolveCall } from "./call-tool.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import { CALL_METHOD, methodOf } from "./http-body.ts";
import { requestIdOf } from "./session.ts";

/** Code of the error in the body; clients read the challenge. */
const REFUSED = -32_003;

/**
 * Returns the 403 that makes an app ask its person for the scopes of a call; null if the call needs none that the person
 * may still allow, or the plan does not include the tool. @see RFC 6750 3.1
 */
export function stepUpResponse(
  c: Context<HttpEnv>,
  body: unknown,
  tools: ConnectionTools,
  server: ChallengeDeps,
): Response | null {
  const principal = c.get("principal");
  const { grantable, scopes } = principal;
  if (grantable === undefined || methodOf(body) !== CALL_METHOD) return null;
  const { id, params } = body as { id?: unknown; params?: { name?: unknown; arguments?: unknown } };
  const called = resolveCall({ name: params?.name, arguments: params?.arguments }, tools);
  if (called === null || !lacksOnlyScopes(called.tool, principal)) return null;
  const missing = scopesOf(called.tool).filter((scope) => !scopes.includes(scope));
  if (!missing.every((scope) => grantable.includes(scope))) return null;
  const message = `This app was not allowed ${missing.join(", ")} yet: ask the person for it`;
  return Response.json(
    { jsonrpc: "2.0", id: requestIdOf(id), error: { code: REFUSED, message } },
    {
      status: 403,
      headers: {
        "www-authenticate": `Bearer realm="market-signal", error="insufficient_scope"${oauthChallenge(server, [...scopes, ...missing])}`,
      },
    },
  );
}

/** Returns true if missing scopes are the only reason for the refusal of a call. */
function lacksOnlyScopes(tool: Tool, principal: Principal): boolean {
  try {
    authorize(tool, principal);
    return false;
  } catch (refusal) {
    return refusal instanceof ToolError && refusal.code === "SCOPE_REQUIRED";
  }
}
