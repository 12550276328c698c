import type { Kysely } from "kysely";
import { createAppsAdmin } from "../../src/access/sign-in/connected-apps.ts";
import type { ConnectedApps, ConnectedAppUse } from "../../src/domain/accounts/connected-apps.ts";
import type { Schema } from "../../src/store/schema.ts";

/** An app that was allowed to read. */
export const connectedApp = (over: Partial<ConnectedAppUse> = {}): ConnectedAppUse => ({
  client_id: "abc",
  name: "Claude",
  uri: "https://claude.example",
  scopes: ["read", "offline_access"],
  connected_at: "2026-01-10T09:00:00.000Z",
  last_used_at: "2026-01-15T14:59:00.000Z",
  calls_today: 3,
  calls_30_days: 41,
  orders_30_days: 2,
  live_usd_24_hours: "0",
  limits: { calls_daily: 1_000, live_usd_daily: "0" },
  ...over,
});

/** Connected apps in memory, the same for every account, and who ended which. */
export function testApps(apps: readonly ConnectedAppUse[] = [connectedApp()]) {
  const ended: (readonly [account: string, client: string, by: string])[] = [];
  const find = (client: string) => apps.find(({ client_id }) => client_id === client);
  const { disconnect } = createAppsAdmin({
    people: {
      apps: async () => apps,
      disconnect: async (_, client) => find(client) !== undefined,
      tokenHolder: async () => null,
      disconnectUnused: async () => false,
    },
    appRepository: {
      limits: async (_, client) => find(client)?.limits ?? null,
      saveLimits: async () => true,
      orders: async () => new Map(),
    },
    usage: { read: async () => [] },
    audit: {
      async write(account, _, data) {
        const { client, by } = data as { readonly client: string; readonly by: string };
        ended.push([account, client, by]);
      },
    },
    clock: { now: () => new Date("2026-01-15T15:00:00.000Z") },
  });
  return { connectedApps: { apps: async () => apps, disconnect } satisfies ConnectedApps, ended };
}

/** Stores a person of an account who allowed an app to read, without limits, unless they exist. */
export async function saveAllowedApp(
  db: Kysely<Schema>,
  { account, client, at }: { readonly account: string; readonly client: string; readonly at: string },
): Promise<void> {
  const times = { createdAt: at, updatedAt: at };
  const user = { id: account, name: account, email: `${account}@market-signal.invalid`, role: "member" };
  const app = { id: client, clientId: client, name: "Test app", redirectUris: "[]" };
  const consent = { id: `${account} ${client}`, clientId: client, userId: account, scopes: '["read"]' };
  const save = (table: "auth_users" | "auth_clients" | "auth_consents", row: object) =>
    db
      .insertInto(table)
      .values(row as never)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await save("auth_users", { ...user, ...times, account, emailVerified: 0 });
  await save("auth_clients", app);
  await save("auth_consents", { ...consent, ...times });
}
