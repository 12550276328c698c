import { cimd } from "@better-auth/cimd";
import { fetchClientMetadataResource } from "@better-auth/cimd/node";
import { mcp } from "@better-auth/mcp";
import { passkey } from "@better-auth/passkey";
import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { APIError, isAPIError } from "better-auth/api";
import { SCOPES } from "../../domain/accounts/access.ts";
import { OFFERED_SCOPES } from "../../domain/accounts/people.ts";
import { isLocalHost } from "../../lib/local-host.ts";
import {
  IDENTITY_LINKING,
  type IdentitySettings,
  identityProvider,
  validateIdentity,
} from "./identity-provider.ts";
import {
  ACCESS_TOKEN_PREFIX,
  AUTH_PATH,
  CONSENT_PATH,
  ISSUER_ENDPOINT,
  OFFLINE_SCOPE,
  PASSWORD_ENDPOINT,
  PEER_HEADER,
  RECENT_SECONDS,
  REFRESH_TOKEN_PREFIX,
  SESSION_COOKIE,
  SIGN_IN_PATH,
} from "./paths.ts";
import { createRequestWindows } from "./request-windows.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Long-lived, because apps refresh badly; a revocation takes effect at once. */
const ACCESS_TOKEN_SECONDS = 12 * HOUR;
const REFRESH_TOKEN_SECONDS = 90 * DAY;
/** Time in which a repeated refresh gets the same answer; otherwise a lost answer would end every grant of the app. */
const REFRESH_REUSE_SECONDS = 30;
/** Lifetime of a session that began with a password or a passkey. */
const SIGN_IN_SESSION_SECONDS = 7 * DAY;

export interface BetterAuthSettings {
  /** The database of the installation; Kysely, which this layer does not know. */
  readonly db: unknown;
  readonly dialect: "sqlite" | "postgres";
  readonly secret: string;
  /** Base URL of the server without a final slash. */
  readonly publicUrl: string;
  /** Resource that access tokens are for. */
  readonly resource: string;
  /** Whether apps may ask for access. */
  readonly hasOAuth: boolean;
  /** External issuer by which people sign in. Default: none. */
  readonly identity?: IdentitySettings | undefined;
  /** Returns true for a person who may not sign in now. */
  readonly isSuspended: (person: string) => Promise<boolean>;
  /** Called after a session of a person began. */
  readonly onSession: (person: string, at: Date) => Promise<void>;
  readonly log: (level: "warn" | "error", message: string) => void;
}

const model = (modelName: string) => ({ modelName });

/** Opens better-auth, for sign-in and OAuth, over the tables of the installation. */
export function openBetterAuth({
  db,
  dialect,
  secret,
  publicUrl,
  resource,
  hasOAuth,
  identity,
  isSuspended,
  onSession,
  log,
}: BetterAuthSettings) {
  const { origin, hostname, protocol } = new URL(publicUrl);
  const isLocal = isLocalHost(hostname);
  const local = isLocal ? [origin.replace(hostname, "localhost"), origin.replace(hostname, "127.0.0.1")] : [];
  return betterAuth({
    appName: "Market Signal",
    baseURL: publicUrl,
    basePath: AUTH_PATH,
    secret,
    // how values are stored, in both databases: times as text, conditions as 0 and 1
    database: { db: db as never, type: "sqlite", transaction: true },
    trustedOrigins: [origin, ...local],
    telemetry: { enabled: false },
    logger: {
      level: "warn",
      disableColors: true,
      // its errors are refusals, such as of an origin; what fails comes to onError
      log: (_, message) => log("warn", message),
    },
    onAPIError: {
      errorURL: `${publicUrl}${SIGN_IN_PATH}`,
      // a refused request is no fault of the server; better-auth would print other errors itself
      onError: (error) => {
        if (!isAPIError(error) || error.statusCode >= 500) throw error;
      },
    },
    emailAndPassword: { enabled: true, disableSignUp: true },
    user: {
      ...model("auth_users"),
      validateUserInfo: validateIdentity,
      additionalFields: {
        role: { type: "string", input: false },
        account: { type: "string", input: false },
      },
    },
    session: {
      ...model("auth_sessions"),
      expiresIn: SIGN_IN_SESSION_SECONDS,
      disableSessionRefresh: true,
      freshAge: RECENT_SECONDS,
    },
    databaseHooks: {
      session: {
        create: {
          async before({ userId }) {
            if (await isSuspended(userId))
              throw new APIError("FORBIDDEN", {
                message: "This account is suspended. Ask the owner of the server.",
              });
          },
          after: ({ userId, createdAt }) => onSession(userId, new Date(createdAt)),
        },
      },
    },
    account: { ...model("auth_credentials"), accountLinking: IDENTITY_LINKING },
    verification: { ...model("auth_verifications"), storeIdentifier: "hashed" },
    rateLimit: {
      enabled: true,
      customStorage: createRequestWindows(),
      // by network; wrong passwords also count by person
      customRules: {
        [PASSWORD_ENDPOINT]: { window: 60, max: 30 },
        [ISSUER_ENDPOINT]: { window: 60, max: 30 },
      },
    },
    advanced: {
      database: { validateSchema: dialect === "sqlite" }, // it asks the catalogue of SQLite
      useSecureCookies: false,
      defaultCookieAttributes: {
        sameSite: "lax",
        httpOnly: true,
        path: "/",
        ...(protocol === "https:" && { secure: true }),
      },
      cookies: { session_token: { name: SESSION_COOKIE } },
      ipAddress: { ipAddressHeaders: [PEER_HEADER] },
    },
    plugins: [
      passkey({
        rpID: isLocal ? "localhost" : hostname,
        rpName: "Market Signal",
        origin: [origin, ...local],
        schema: { passkey: model("auth_passkeys") },
      }),
      ...(hasOAuth ? [oauth(resource), cimdPlugin()] : []),
      ...(identity === undefined ? [] : [identityProvider(identity)]),
    ],
  });
}

const oauth = (resource: string) =>
  mcp({
    resource,
    loginPage: SIGN_IN_PATH,
    consentPage: CONSENT_PATH,
    scopes: [OFFLINE_SCOPE, ...SCOPES],
    advertisedMetadata: { scopes_supported: [...OFFERED_SCOPES, OFFLINE_SCOPE] },
    // signed tokens would outlive a revocation
    disableJwtPlugin: true,
    accessTokenExpiresIn: ACCESS_TOKEN_SECONDS,
    refreshTokenExpiresIn: REFRESH_TOKEN_SECONDS,
    refreshTokenReuseInterval: REFRESH_REUSE_SECONDS,
    prefix: { opaqueAccessToken: ACCESS_TOKEN_PREFIX, refreshToken: REFRESH_TOKEN_PREFIX },
    grantTypes: ["authorization_code", "refresh_token"],
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    // one host connects many people from one address, and some register twice
    rateLimit: { register: { window: 60, max: 30 }, token: { window: 60, max: 120 } },
    clientPrivileges: () => false,
    resourcePrivileges: () => false,
    schema: {
      oauthClient: model("auth_clients"),
      oauthResource: model("auth_resources"),
      oauthClientResource: model("auth_client_resources"),
      oauthRefreshToken: model("auth_refresh_tokens"),
      oauthAccessToken: model("auth_access_tokens"),
      oauthConsent: model("auth_consents"),
      oauthClientAssertion: model("auth_assertions"),
    },
  } as Parameters<typeof mcp>[0]) as BetterAuthPlugin;

/** Apps whose id is the address of a document about them. */
const cimdPlugin = () =>
  cimd({ fetchClientMetadataResource, metadataProfile: "mcp-2026-07-28" }) as BetterAuthPlugin;
