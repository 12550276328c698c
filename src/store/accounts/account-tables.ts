import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "../schema.ts";

interface AccountTable {
  /** Columns that hold secrets, which are never exported. */
  readonly secretColumns?: readonly string[];
  /** Returns the condition on its rows of an account. Default: the column `account`. */
  readonly where?: (id: string) => RawBuilder<SqlBool>;
  /** False for stored responses, which are deleted within a day, and for sealed secrets. Default: true. */
  readonly exported?: false;
}

const ofPeople = (account: string): RawBuilder<SqlBool> =>
  sql`"userId" IN (SELECT id FROM auth_users WHERE account = ${account})`;

/**
 * Every table with rows of an account, in the order in which they are deleted. The audit log is not among them: its
 * entries stay.
 */
export const TABLE_RULES = {
  delivery_attempts: {
    where: (id) => sql`delivery IN (SELECT id FROM deliveries WHERE account = ${id})`,
  },
  deliveries: {},
  subscriptions: {},
  watchlists: {},
  agent_runs: {},
  agents: {},
  custom_agents: {},
  a2a_pushes: {},
  a2a_push: {},
  a2a_running: { exported: false },
  a2a_tasks: {
    where: (id) => sql`owner IN (${`sample/${id}`}, ${`files/${id}`}, ${`live/${id}`})`,
  },
  backtests: {},
  receipt_inputs: {},
  receipts: {},
  claims: {},
  drawn_levels: {},
  trade_notes: {},
  trade_tickets: {},
  confirmation_requests: {},
  trade_orders: {},
  trade_equity: {},
  synced_positions: {},
  imported_positions: {},
  paper_books: {},
  paper_positions: {},
  paper_orders: {},
  paper_fills: {},
  paper_ledger: {},
  paper_closes: {},
  paper_splits: {},
  risk_limits: {},
  kill_switches: {},
  unreconciled_connections: {},
  connections: { secretColumns: ["sealed"] },
  sealed_secrets: { exported: false },
  idempotency: { exported: false },
  browser_links: { secretColumns: ["hash"] },
  connected_apps: {},
  app_orders: {},
  auth_access_tokens: { where: ofPeople, secretColumns: ["token", "confirmation", "authorizationCodeId"] },
  auth_refresh_tokens: {
    where: ofPeople,
    secretColumns: ["token", "confirmation", "authorizationCodeId", "rotationReplayResponse"],
  },
  auth_consents: { where: ofPeople },
  auth_sessions: { where: ofPeople, secretColumns: ["token"] },
  auth_credentials: {
    where: ofPeople,
    secretColumns: ["password", "accessToken", "refreshToken", "idToken"],
  },
  auth_recovery_codes: { where: ofPeople, secretColumns: ["hash"] },
  auth_passkeys: { where: ofPeople, secretColumns: ["publicKey", "credentialID"] },
  auth_users: {},
  client_sessions: {},
  usage_days: {},
  keys: { secretColumns: ["hash"] },
  accounts: { where: (id) => sql`id = ${id}` },
} as const satisfies { readonly [Table in keyof Schema]?: AccountTable };

const ofAccount = (id: string): RawBuilder<SqlBool> => sql`account = ${id}`;

/** The tables in the order of deletion, with their defaults. */
export const accountTables = Object.entries<AccountTable>(TABLE_RULES).map(
  ([name, { secretColumns = [], where = ofAccount, exported = true }]) => ({
    name,
    secretColumns,
    where,
    exported,
  }),
);
