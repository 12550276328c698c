import { OFFLINE_SCOPE } from "../../access/sign-in/paths.ts";
import type { SignIn } from "../../access/sign-in/sign-in.ts";
import { MESSAGE_PATHS } from "./paths.ts";
import type { HttpServerDeps } from "./server-deps.ts";

export interface ChallengeDeps {
  readonly settings: Pick<HttpServerDeps["settings"], "publicUrl">;
  readonly signIn?: Pick<SignIn, "hasOAuth"> | undefined;
}

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
