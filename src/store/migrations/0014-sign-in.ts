import { type Migration, sql } from "kysely";
import { column, integer, integerOrNull, owned, type Table, table, text, textOrNull } from "../table.ts";
import type { BROWSER_TABLES } from "./0012-browser-sessions.ts";

const id = { id: text };
const PRIMARY = "PRIMARY KEY (id)";
const ofUser = 'FOREIGN KEY ("userId") REFERENCES auth_users (id) ON DELETE CASCADE';
const referencesClient = (column: string) =>
  `FOREIGN KEY ("${column}") REFERENCES auth_clients ("clientId") ON DELETE CASCADE`;
const ofClient = referencesClient("clientId");
const ofSession = 'FOREIGN KEY ("sessionId") REFERENCES auth_sessions (id) ON DELETE SET NULL';

/** Columns of an issued token. The token is stored as its SHA-256, lists as JSON. */
const issued = {
  ...id,
  token: text,
  clientId: text,
  sessionId: textOrNull,
  referenceId: textOrNull,
  authorizationCodeId: textOrNull,
  resources: textOrNull,
  requestedUserInfoClaims: textOrNull,
  expiresAt: text,
  createdAt: text,
  revoked: textOrNull,
  confirmation: textOrNull,
  scopes: text,
};

/** Tables of sign-in and OAuth, with the names of columns of better-auth. */
export const SIGN_IN_TABLES = {
  /** People, each with an account of the keyring. */
  auth_users: table(`${PRIMARY}, UNIQUE (email)`, {
    ...id,
    name: text,
    email: text,
    emailVerified: integer,
    image: textOrNull,
    createdAt: text,
    updatedAt: text,
    role: text,
    account: text,
    /** Start of the newest session. */
    lastSignInAt: textOrNull,
  }),
  auth_sessions: table(`${PRIMARY}, UNIQUE (token), ${ofUser}`, {
    ...id,
    expiresAt: text,
    /** Random text; a cookie carries it with a signature. */
    token: text,
    createdAt: text,
    updatedAt: text,
    ipAddress: textOrNull,
    userAgent: textOrNull,
    userId: text,
  }),
  /** Passwords, hashed with scrypt, and identities of an external issuer, without its tokens. */
  auth_credentials: table(`${PRIMARY}, UNIQUE ("providerId", "accountId"), ${ofUser}`, {
    ...id,
    accountId: text,
    providerId: text,
    userId: text,
    accessToken: textOrNull,
    refreshToken: textOrNull,
    idToken: textOrNull,
    accessTokenExpiresAt: textOrNull,
    refreshTokenExpiresAt: textOrNull,
    scope: textOrNull,
    password: textOrNull,
    createdAt: text,
    updatedAt: text,
  }),
  /** Single-use codes for people who lost their password and passkeys, hashed with the secret of the installation. */
  auth_recovery_codes: table(`${PRIMARY}, ${ofUser}`, {
    ...id,
    userId: text,
    hash: text,
    createdAt: text,
    usedAt: textOrNull,
  }),
  /** Challenges and authorization codes, hashed. */
  auth_verifications: table(PRIMARY, {
    ...id,
    identifier: text,
    value: text,
    expiresAt: text,
    createdAt: text,
    updatedAt: text,
  }),
  auth_passkeys: table(`${PRIMARY}, ${ofUser}`, {
    ...id,
    name: textOrNull,
    publicKey: text,
    userId: text,
    credentialID: text,
    counter: integer,
    deviceType: text,
    backedUp: integer,
    transports: textOrNull,
    createdAt: textOrNull,
    aaguid: textOrNull,
  }),
  /** Apps that have asked for access. */
  auth_clients: table(`${PRIMARY}, UNIQUE ("clientId"), ${ofUser}`, {
    ...id,
    clientId: text,
    clientSecret: textOrNull,
    clientDiscoveryId: textOrNull,
    disabled: integerOrNull,
    skipConsent: integerOrNull,
    enableEndSession: integerOrNull,
    subjectType: textOrNull,
    scopes: textOrNull,
    clientCredentialsScopes: textOrNull,
    userId: textOrNull,
    createdAt: textOrNull,
    updatedAt: textOrNull,
    name: textOrNull,
    uri: textOrNull,
    icon: textOrNull,
    contacts: textOrNull,
    tos: textOrNull,
    policy: textOrNull,
    softwareId: textOrNull,
    softwareVersion: textOrNull,
    softwareStatement: textOrNull,
    redirectUris: text,
    postLogoutRedirectUris: textOrNull,
    backchannelLogoutUri: textOrNull,
    backchannelLogoutSessionRequired: integerOrNull,
    tokenEndpointAuthMethod: textOrNull,
    applicationType: textOrNull,
    jwks: textOrNull,
    jwksUri: textOrNull,
    grantTypes: textOrNull,
    responseTypes: textOrNull,
    requirePKCE: integerOrNull,
    dpopBoundAccessTokens: integerOrNull,
    referenceId: textOrNull,
    metadata: textOrNull,
  }),
  auth_resources: table(`${PRIMARY}, UNIQUE (identifier)`, {
    ...id,
    identifier: text,
    name: text,
    accessTokenTtl: integerOrNull,
    refreshTokenTtl: integerOrNull,
    signingAlgorithm: textOrNull,
    signingKeyId: textOrNull,
    allowedScopes: textOrNull,
    customClaims: textOrNull,
    dpopBoundAccessTokensRequired: integerOrNull,
    disabled: integerOrNull,
    createdAt: textOrNull,
    updatedAt: textOrNull,
    policyVersion: integerOrNull,
    metadata: textOrNull,
  }),
  auth_client_resources: table(
    `${PRIMARY}, UNIQUE ("clientId", "resourceId"), ${ofClient}, FOREIGN KEY ("resourceId") REFERENCES auth_resources (identifier) ON DELETE CASCADE`,
    { ...id, clientId: text, resourceId: text, metadata: textOrNull, createdAt: textOrNull },
  ),
  auth_refresh_tokens: table(`${PRIMARY}, UNIQUE (token), ${ofClient}, ${ofSession}, ${ofUser}`, {
    ...issued,
    userId: text,
    rotatedAt: textOrNull,
    rotationReplayResponse: textOrNull,
    rotationReplayExpiresAt: textOrNull,
    authTime: textOrNull,
  }),
  auth_access_tokens: table(
    `${PRIMARY}, UNIQUE (token), ${ofClient}, ${ofSession}, ${ofUser}, FOREIGN KEY ("refreshId") REFERENCES auth_refresh_tokens (id) ON DELETE CASCADE`,
    { ...issued, userId: textOrNull, refreshId: textOrNull },
  ),
  /** What a person allowed an app. */
  auth_consents: table(`${PRIMARY}, ${ofClient}, ${ofUser}`, {
    ...id,
    clientId: text,
    userId: textOrNull,
    referenceId: textOrNull,
    resources: textOrNull,
    requestedUserInfoClaims: textOrNull,
    scopes: text,
    createdAt: text,
    updatedAt: text,
  }),
  auth_assertions: table(PRIMARY, { ...id, expiresAt: text }),
  /** Limits and last use of the apps of an account. Without a row, the default limits apply. */
  connected_apps: table(`PRIMARY KEY (account, client), ${referencesClient("client")}`, {
    account: text,
    client: text,
    /** Calls a day; null: no limit. */
    calls_daily: integerOrNull,
    /** US dollars a day; null: no limit. */
    live_usd_daily: textOrNull,
    changed_at: text,
    last_used_at: textOrNull,
  }),
  /** Orders that apps sent. */
  app_orders: table("PRIMARY KEY (account, client, created_at, market, order_id)", {
    account: text,
    client: text,
    created_at: text,
    market: text,
    order_id: text,
    /** Notional of a live order, US dollars; null for paper. */
    live_usd: textOrNull,
  }),
  /** Changes of limits and broker accounts that an agent asked a person of its account for. */
  confirmation_requests: table("PRIMARY KEY (account, id)", {
    ...owned,
    ...id,
    /** What is asked for, as JSON. */
    proposal: text,
    requested_by: text,
    requested_at: text,
    expires_at: text,
    decision: textOrNull,
    decided_by: textOrNull,
    decided_at: textOrNull,
    /** Connection that the decision made. */
    connection: textOrNull,
  }),
};

/** Columns by which rows are found, besides those with a unique index. */
const INDEXES: readonly (readonly [keyof typeof SIGN_IN_TABLES, string])[] = [
  ["auth_users", "account"],
  ["auth_sessions", "userId"],
  ["auth_credentials", "userId"],
  ["auth_recovery_codes", "userId"],
  ["auth_verifications", "identifier"],
  ["auth_passkeys", "userId"],
  ["auth_passkeys", "credentialID"],
  ["auth_clients", "userId"],
  ["auth_client_resources", "resourceId"],
  ["auth_refresh_tokens", "clientId"],
  ["auth_refresh_tokens", "sessionId"],
  ["auth_refresh_tokens", "userId"],
  ["auth_refresh_tokens", "authorizationCodeId"],
  ["auth_access_tokens", "clientId"],
  ["auth_access_tokens", "sessionId"],
  ["auth_access_tokens", "userId"],
  ["auth_access_tokens", "authorizationCodeId"],
  ["auth_access_tokens", "refreshId"],
  ["auth_consents", "clientId"],
  ["auth_consents", "userId"],
  ["connected_apps", "client"],
];

/** Columns that a link gets. Links from before are the owner's, and expire within half an hour. */
export const LINK_COLUMNS = {
  role: column<string>("TEXT NOT NULL DEFAULT 'owner'"),
  name: column<string>("TEXT NOT NULL DEFAULT 'Owner'"),
};

/** Columns that a ticket gets: who asked for its confirmation and when, and when a person refused it. */
export const TICKET_COLUMNS = {
  requested_by: textOrNull,
  requested_at: textOrNull,
  refused_at: textOrNull,
};

/** Returns the SQL of a table whose columns keep their capital letters in every database. */
function createQuoted(name: string, { columns, keys }: Table): string {
  const parts = Object.entries(columns).map(([column, { sql }]) => `"${column}" ${sql}`);
  return `CREATE TABLE ${name} (${[...parts, keys].join(", ")})`;
}

/** Adds people, their sessions and the apps they allowed. Sessions of browsers end; links stay. */
export const signIn: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(SIGN_IN_TABLES))
      await sql.raw(createQuoted(name, columns)).execute(db);
    for (const [name, column] of INDEXES)
      await sql.raw(`CREATE INDEX ${name}_${column} ON ${name} ("${column}")`).execute(db);
    for (const [table, columns] of Object.entries({
      browser_links: LINK_COLUMNS,
      trade_tickets: TICKET_COLUMNS,
    }))
      for (const [name, { sql: type }] of Object.entries(columns))
        await sql.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`).execute(db);
    await sql.raw(`DROP TABLE ${"browser_sessions" satisfies keyof typeof BROWSER_TABLES}`).execute(db);
  },
};
