import { OAUTH_OFF_HINT, OFFLINE_SCOPE } from "../../access/sign-in/paths.ts";
import type { SignIn } from "../../access/sign-in/sign-in.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import { ToolError } from "../../kernel/errors.ts";
import { authorizePlan } from "../../kernel/invoke.ts";
import { MCP_PLAN } from "../connect.ts";
import { MESSAGE_PATHS } from "./paths.ts";
import type { HttpServerDeps } from "./server-deps.ts";

export interface ChallengeDeps {
  readonly settings: Pick<HttpServerDeps["settings"], "publicUrl">;
  readonly signIn?: Pick<SignIn, "hasOAuth" | "tokenIssuer"> | undefined;
}

/** Returns true if apps cannot sign in because the owner has not turned it on. */
const isOAuthOff = ({ signIn }: Pick<ChallengeDeps, "signIn">): boolean =>
  signIn !== undefined && !signIn.hasOAuth && signIn.tokenIssuer === null;

/** Throws UNAUTHENTICATED or PLAN_REQUIRED for a caller who may not use MCP. The hint names both ways to get access. */
export function authorizeMcp(principal: Principal, deps: ChallengeDeps): void {
  if (principal.plan === "open" && deps.signIn !== undefined) {
    const isOff = isOAuthOff(deps);
    const app = isOff
      ? OAUTH_OFF_HINT
      : `An app needs no key: it signs in at ${deps.settings.publicUrl}${MESSAGE_PATHS.mcp}.`;
    throw new ToolError(
      "UNAUTHENTICATED",
      isOff ? "MCP needs an API key" : "MCP needs sign-in or an API key",
      {
        hint: `Send a key as \`Authorization: Bearer <key>\`. ${app}`,
        command: "market-signal keys create",
      },
    );
  }
  authorizePlan("MCP", MCP_PLAN, principal);
}

/** Paths at which clients of MCP look for the sign-in of apps, also those of older revisions. */
const OAUTH_PATH = /^\/(register|authorize|token|\.well-known\/(oauth-.*|openid-configuration.*))$/;

/** Returns how sign-in of apps is turned on, for a path at which an app looked for it while it is off; else null. */
export const oauthOffHint = (path: string, deps: Pick<ChallengeDeps, "signIn">): string | null =>
  isOAuthOff(deps) && OAUTH_PATH.test(path) ? OAUTH_OFF_HINT : null;

/**
 * Returns the parameters of a challenge that lead an app to sign-in: where the server describes it, and what to ask
 * for. @see RFC 9728 5.1
 */
export const oauthChallenge = (
  { settings: { publicUrl }, signIn }: ChallengeDeps,
  scopes: readonly string[],
): string => {
  // an external issuer publishes for itself whether it supports offline_access
  const wanted = signIn?.hasOAuth === true ? [...scopes, OFFLINE_SCOPE] : scopes;
  return `, resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${MESSAGE_PATHS.mcp}", scope="${wanted.join(" ")}"`;
};
