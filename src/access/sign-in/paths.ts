/** Path of the endpoints of better-auth. Not under /api, where an Authorization header must be a bearer key. */
export const AUTH_PATH = "/auth";
export const SIGN_IN_PATH = "/sign-in";
export const CONSENT_PATH = "/consent";
export const SESSION_COOKIE = "market_signal_session";
/** Header that tells better-auth the address of a caller; replaced in every request. */
export const PEER_HEADER = "x-market-signal-peer";
export const ACCESS_TOKEN_PREFIX = "ms_at_";
/** Scope with which an app gets a refresh token. */
export const OFFLINE_SCOPE = "offline_access";
/** Endpoint that takes a name and a password. */
export const PASSWORD_ENDPOINT = "/sign-in/email";
