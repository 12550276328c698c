import { EXTERNAL_APP_LIMITS } from "../../domain/accounts/connected-apps.ts";
import { identityKey } from "../../domain/accounts/issuer.ts";
import type { Grant, People } from "../../domain/accounts/people-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { Issuer } from "./issuer.ts";
import { tokenHash } from "./paths.ts";

/** Returns what a token allows an app for a resource, or a hint if it allows nothing. */
export type GrantLookup = (token: string) => Promise<Omit<Grant, "resources"> | { readonly hint: string }>;

/** Kinds of access tokens that are signed. An id token has another audience. */
const TOKEN_TYPES: ReadonlySet<string | null> = new Set(["at+jwt", "jwt"]);
const CLIENT_ID = /^[!-~]{1,200}$/;
const CONNECT_AGAIN = { hint: "Connect the app again." };

/** Looks up the tokens that this server issued. */
export const ownGrants =
  ({
    people,
    clock,
    resource,
  }: {
    readonly people: Pick<People, "grant">;
    readonly clock: Clock;
    readonly resource: string;
  }): GrantLookup =>
  async (token) => {
    const grant = await people.grant(tokenHash(token), clock.now().toISOString());
    return grant?.resources.includes(resource) ? grant : CONNECT_AGAIN;
  };

/**
 * Looks up the tokens of an external issuer: signed for the resource, and of a person who connected that identity.
 * Rejects with UPSTREAM_UNAVAILABLE if the keys of the issuer cannot be read.
 */
export const issuerGrants =
  ({
    people,
    issuer,
    resource,
  }: {
    readonly people: Pick<People, "identified">;
    readonly issuer: Issuer;
    readonly resource: string;
  }): GrantLookup =>
  async (token) => {
    const verified = await issuer.verify(token, { audience: resource, requiredClaims: ["exp", "sub"] });
    // sender-constrained tokens (cnf) are not accepted as bearer tokens
    if (verified === null || !TOKEN_TYPES.has(verified.type) || "cnf" in verified.claims)
      return CONNECT_AGAIN;
    const { sub: subject = "", exp = 0, client_id, azp, scope, scp } = verified.claims;
    const client = client_id ?? azp;
    if (typeof client !== "string" || !CLIENT_ID.test(client))
      return { hint: "The token names no app: let the issuer add client_id or azp." };
    const person = await people.identified(identityKey({ issuer: issuer.url, subject }));
    if (person === null)
      return { hint: "Sign in to this server and connect your identity at /account, then try again." };
    return {
      person,
      client,
      limits: EXTERNAL_APP_LIMITS,
      scopes: [scope ?? scp ?? ""].flat().flatMap((text) => String(text).split(" ")),
      expires_at: new Date(exp * 1_000).toISOString(),
    };
  };
