import { createHash } from "node:crypto";
import {
  createAuthorizationURL,
  type OAuthProvider,
  validateAuthorizationCode,
} from "@better-auth/core/oauth2";
import type { BetterAuthPlugin } from "better-auth";
import { getSessionFromCtx } from "better-auth/api";
import { IDENTITY_PROVIDER, identityKey } from "../../domain/accounts/issuer.ts";
import type { Issuer } from "./issuer.ts";

/** The external issuer by which people sign in. */
export interface IdentitySettings {
  readonly issuer: Issuer;
  readonly clientId: string;
  /** Default: a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | undefined;
}

interface Subject {
  readonly sub: string;
}

/**
 * Sign-in by an external issuer, for people who connected their identity. Its generic counterpart in better-auth reads
 * the issuer only once, at its start, does not compare it with the setting, and stores the tokens.
 */
export const identityProvider = (settings: IdentitySettings): BetterAuthPlugin => ({
  id: "identity-provider",
  init: () => ({ context: { socialProviders: [providerOf(settings)] } }),
});

/** Options of better-auth with which an identity is connected by the person alone, whatever e-mail address it has. */
export const IDENTITY_LINKING = {
  trustedProviders: [IDENTITY_PROVIDER as string],
  disableImplicitLinking: true,
  allowDifferentEmails: true,
};

/** Refuses an identity that comes back after the session which connects it has ended, or that would make a new person. */
export const validateIdentity = async (
  {
    user,
    source: { action },
  }: { readonly user: { readonly id?: unknown }; readonly source: { action: string } },
  context: Parameters<typeof getSessionFromCtx>[0],
): Promise<{ readonly error: string } | undefined> => {
  if (action === "sign-in") return undefined;
  if (action === "create-user") return { error: "signup_disabled" };
  const session = await getSessionFromCtx(context, { disableCookieCache: true });
  return session?.user.id === user.id ? undefined : { error: "session_ended" };
};

function providerOf({ issuer, clientId, clientSecret }: IdentitySettings): OAuthProvider<Subject> {
  const options = { clientId, ...(clientSecret !== undefined && { clientSecret }) };
  return {
    id: IDENTITY_PROVIDER,
    name: IDENTITY_PROVIDER,
    issuer: issuer.url,
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => identityKey({ issuer: issuer.url, subject: profile.sub }),
    // creates no people, and accepts no id token without the code flow
    disableSignUp: true,
    options: { disableSignUp: true, disableIdTokenSignIn: true },
    async createAuthorizationURL({ state, codeVerifier, redirectURI, idTokenNonce }) {
      const { authorization_endpoint } = await issuer.metadata();
      return createAuthorizationURL({
        id: IDENTITY_PROVIDER,
        options,
        authorizationEndpoint: authorization_endpoint,
        state,
        codeVerifier,
        scopes: ["openid"],
        redirectURI,
        ...(idTokenNonce !== undefined && { nonce: idTokenNonce }),
      });
    },
    async validateAuthorizationCode({ code, codeVerifier, redirectURI }) {
      const { token_endpoint, token_endpoint_auth_methods_supported: methods } = await issuer.metadata();
      const isPost = methods?.includes("client_secret_post") && !methods.includes("client_secret_basic");
      const method =
        clientSecret === undefined ? "none" : isPost ? "client_secret_post" : "client_secret_basic";
      const tokens = await validateAuthorizationCode({
        code,
        ...(codeVerifier !== undefined && { codeVerifier }),
        redirectURI,
        options,
        tokenEndpoint: token_endpoint,
        tokenEndpointAuth: { method },
      });
      // what is not in a field of its own is not stored
      return { raw: { id_token: tokens.idToken } };
    },
    async getUserInfo({ raw, expectedIdTokenNonce: nonce }) {
      const token = raw?.id_token;
      if (typeof token !== "string" || nonce === undefined) return null;
      const verified = await issuer.verify(token, {
        audience: clientId,
        requiredClaims: ["exp", "iat", "sub", "nonce"],
      });
      if (verified === null) return null;
      const { sub, nonce: given, aud, azp } = verified.claims;
      const isForUs = azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === clientId;
      if (given !== nonce || !isForUs || sub === undefined || sub === "" || sub.length > 255) return null;
      return { user: { email: unusedAddress(issuer.url, sub), emailVerified: false }, data: { sub } };
    },
  };
}

/** Returns an address that no person has, because better-auth needs one. */
const unusedAddress = (issuer: string, subject: string): string =>
  `${createHash("sha256").update(identityKey({ issuer, subject })).digest("hex")}@issuer.invalid`;
