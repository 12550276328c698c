import { GRANT_PREFIX, type Principal, SCOPES } from "../../domain/accounts/access.ts";
import { ROLE_SCOPES } from "../../domain/accounts/people.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { PrincipalResolver } from "../principal-resolver.ts";
import type { GrantLookup } from "./app-grants.ts";

/**
 * Resolves the access token of an app as of now. Rejects an invalid token after `countInvalidKey`, which rejects with
 * RATE_LIMITED after too many from one address.
 */
export const createAppAuthenticator =
  ({
    grantOf,
    resolvePrincipal,
    countInvalidKey,
  }: {
    readonly grantOf: GrantLookup;
    readonly resolvePrincipal: PrincipalResolver;
    readonly countInvalidKey: (address: string) => Promise<void>;
  }) =>
  async (token: string, address: string): Promise<Principal> => {
    const grant = await grantOf(token);
    if ("hint" in grant) {
      await countInvalidKey(address);
      throw new ToolError("UNAUTHENTICATED", "The access token is unknown, has expired or was revoked", {
        hint: grant.hint,
      });
    }
    const { account, role } = grant.person;
    const allowed = ROLE_SCOPES[role];
    const scopes = SCOPES.filter((scope) => grant.scopes.includes(scope) && allowed.includes(scope));
    return {
      ...(await resolvePrincipal({ account, key: null, scopes })),
      keyId: `${GRANT_PREFIX}${grant.client}`,
      dailyCalls: grant.limits.calls_daily,
      expiresAt: grant.expires_at,
      grantable: allowed.filter((scope) => !scopes.includes(scope)),
    };
  };
