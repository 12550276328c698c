import { createHash } from "node:crypto";
import { GRANT_PREFIX, type Principal, SCOPES } from "../../domain/accounts/access.ts";
import { ROLE_SCOPES } from "../../domain/accounts/people.ts";
import type { People } from "../../domain/accounts/people-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { PrincipalResolver } from "../principal-resolver.ts";
import { ACCESS_TOKEN_PREFIX } from "./paths.ts";

/**
 * Resolves the access token of an app as of now; `resource` is the address that tokens must be for. Rejects an invalid
 * token after `countInvalidKey`, which rejects with RATE_LIMITED after too many from one address.
 */
export const createAppAuthenticator =
  ({
    people,
    clock,
    resolvePrincipal,
    resource,
    countInvalidKey,
  }: {
    readonly people: Pick<People, "grant">;
    readonly clock: Clock;
    readonly resolvePrincipal: PrincipalResolver;
    readonly resource: string;
    readonly countInvalidKey: (address: string) => Promise<void>;
  }) =>
  async (token: string, address: string): Promise<Principal> => {
    const hash = createHash("sha256").update(token.slice(ACCESS_TOKEN_PREFIX.length)).digest("base64url");
    const grant = await people.grant(hash, clock.now().toISOString());
    if (grant === null || !grant.resources.includes(resource)) {
      await countInvalidKey(address);
      throw new ToolError("UNAUTHENTICATED", "The access token is unknown, has expired or was revoked", {
        hint: "Connect the app again.",
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
