import { OWNER_ACCOUNT, PLAN_RANK, type Scope } from "../../src/domain/accounts/access.ts";
import { scopesOf, type Tool } from "../../src/kernel/tool.ts";
import type { Standing } from "./credentials.ts";
import type { SiteRequest } from "./proof-server.ts";

/** An endpoint that is not a tool, and the plan it requires. */
interface Endpoint extends Pick<SiteRequest, "method" | "path" | "body" | "headers"> {
  readonly plan: Tool["plan"];
  /** Required scopes. Default: none. */
  readonly scopes?: readonly Scope[];
  /** Changes the expected error. Default: that of plan and scopes. */
  readonly refusalFor?: (standing: Standing, refusal: Refusal | null) => Refusal | null;
}
const hello = { jsonrpc: "2.0", id: 1, method: "tools/list" };
export const ENDPOINTS: readonly Endpoint[] = [
  { method: "POST", path: "/api/mcp", plan: "pro", body: hello },
  { method: "GET", path: "/api/mcp", plan: "pro" },
  { method: "GET", path: "/api/mcp/sse", plan: "pro" },
  { method: "POST", path: "/api/mcp/sse/messages", plan: "pro", body: hello },
  { method: "POST", path: "/api/a2a", plan: "pro", body: hello },
  { method: "POST", path: "/api/v1/a2a", plan: "pro", body: hello },
  { method: "POST", path: "/api/v1/a2a/route", plan: "enterprise", body: hello },
  { method: "POST", path: "/api/a2a/rest/message:send", plan: "pro", body: {} },
  { method: "POST", path: "/api/a2a/rest/message:stream", plan: "pro", body: {} },
  { method: "GET", path: "/api/a2a/rest/tasks", plan: "pro" },
  { method: "GET", path: "/api/a2a/rest/tasks/1", plan: "pro" },
  { method: "POST", path: "/api/a2a/rest/tasks/1:cancel", plan: "pro" },
  { method: "GET", path: "/api/a2a/rest/extendedAgentCard", plan: "pro" },
  { method: "GET", path: "/api/a2a/rest/anything", plan: "pro" },
  { method: "GET", path: "/api/v1/accounts", plan: "member", scopes: ["admin"] },
  {
    method: "GET",
    path: "/api/v1/installation/keys",
    plan: "member",
    scopes: ["admin"],
    refusalFor: ({ caller, fault }, refusal) =>
      fault === null && caller.account === OWNER_ACCOUNT ? null : refusal,
  },
  {
    method: "POST",
    path: "/api/v1/stream-tokens",
    plan: "member",
    // of keys alone
    refusalFor: ({ caller, fault }, refusal) =>
      fault === null && caller.keyId === undefined ? "UNAUTHENTICATED" : refusal,
  },
];

export type Refusal = "UNAUTHENTICATED" | "FORBIDDEN" | "PLAN_REQUIRED" | "SCOPE_REQUIRED";

/** Returns the expected error for a credential with this required plan and these scopes; null if it is allowed. */
export function refusalOf(
  { fault, caller }: Standing,
  plan: Tool["plan"],
  scopes: readonly Scope[],
): Refusal | null {
  if (fault !== null) return fault.code;
  if (plan === "open") return null;
  if (caller.plan === "open") return "UNAUTHENTICATED";
  if (PLAN_RANK[caller.plan] < PLAN_RANK[plan]) return "PLAN_REQUIRED";
  return scopes.every((scope) => caller.scopes.includes(scope)) ? null : "SCOPE_REQUIRED";
}

/** True for a tool that acts on an app. An app may name none but itself. */
export const takesApp = ({ input, effect }: Tool): boolean =>
  effect !== "read" && Object.keys(input.shape).includes("client_id");

/** True if the person of an app may still allow it the scopes that a call lacks: it is refused so that the app asks. */
export const mayAsk = ({ caller, grantable = [] }: Standing, tool: Tool): boolean =>
  scopesOf(tool).every((scope) => caller.scopes.includes(scope) || grantable.includes(scope));
