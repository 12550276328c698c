import { OFFLINE_SCOPE } from "../../access/sign-in/paths.ts";
import { MESSAGE_PATHS } from "./paths.ts";
import type { HttpSettings } from "./server-deps.ts";

/**
 * Returns the parameters of a challenge that lead an app to sign-in: where the server describes it, and what to ask
 * for. @see RFC 9728 5.1
 */
export const oauthChallenge = (
  { publicUrl }: Pick<HttpSettings, "publicUrl">,
  scopes: readonly string[],
): string =>
  `, resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${MESSAGE_PATHS.mcp}", scope="${[...scopes, OFFLINE_SCOPE].join(" ")}"`;
