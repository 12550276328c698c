import { createHash } from "node:crypto";
import { IDENTITY_PROVIDER } from "../../domain/accounts/issuer.ts";

/** Path of the endpoints of better-auth. Not under /api, where an Authorization header must be a bearer key. */
export const AUTH_PATH = "/auth";
export const SIGN_IN_PATH = "/sign-in";
/** Page that takes a recovery code. */
export const RECOVERY_PATH = "/sign-in/recovery";
export const CONSENT_PATH = "/consent";
export const SESSION_COOKIE = "market_signal_session";
/** Header that tells better-auth the address of a caller; replaced in every request. */
export const PEER_HEADER = "x-market-signal-peer";
export const ACCESS_TOKEN_PREFIX = "ms_at_";
export const REFRESH_TOKEN_PREFIX = "ms_rt_";
/** Returns the hash under which a token of an app is stored, without its prefix. Both prefixes have the same length. */
export const tokenHash = (token: string): string =>
  createHash("sha256").update(token.slice(ACCESS_TOKEN_PREFIX.length)).digest("base64url");
/** Returns true for the access token of an app: one of this server or, with an external issuer, a signed one. */
export const isAppToken = (bearer: string, tokenIssuer: string | null): boolean =>
  bearer.startsWith(ACCESS_TOKEN_PREFIX) ||
  (tokenIssuer !== null && /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(bearer));
/** Hint of an error where sign-in of apps is off. */
export const OAUTH_OFF_HINT =
  "Sign-in of apps is off on this server. The owner turns it on: run `npx market-signal config set OAUTH on`, then restart the server.";
/** Scope with which an app gets a refresh token. */
export const OFFLINE_SCOPE = "offline_access";
/** Endpoint of better-auth that begins a sign-in by the external issuer. It is not served. */
export const ISSUER_ENDPOINT = "/sign-in/social";
/** Endpoint to which the external issuer sends a browser back. */
export const ISSUER_CALLBACK = `/callback/${IDENTITY_PROVIDER}`;
/** Where a page begins a sign-in by the external issuer, and the page that says why it failed. */
export const ISSUER_PATH = "/sign-in/issuer";
/** Where a browser goes after its person connected an identity. */
export const IDENTITY_CONNECTED = "/account?connected";
/** Endpoint at which an app ends a token. @see RFC 7009 */
export const REVOKE_ENDPOINT = "/oauth2/revoke";
/** Endpoint that takes a name and a password. */
export const PASSWORD_ENDPOINT = "/sign-in/email";
/** Endpoint that takes a passkey. */
export const PASSKEY_ENDPOINT = "/passkey/verify-authentication";
/** Age of a session up to which a person may change how they sign in. */
export const RECENT_SECONDS = 3_600;
