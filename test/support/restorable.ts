import { join } from "node:path";
import { auditOf } from "../../src/access/audit/audit.ts";
import { type Config, readConfig } from "../../src/app/config.ts";
import { type Installation, openInstallation } from "../../src/app/installation.ts";
import { insertRows } from "../../src/store/queries.ts";
import { connections } from "../../src/store/trading/connections.ts";
import { collectingLog } from "./context.ts";

export const LIVE = `cn_${"1".repeat(20)}`;
const T0 = "2026-01-15T15:00:00.000Z";

export interface Restorable {
  readonly config: Config;
  readonly installation: Installation;
  /** The only API key. */
  readonly key: string;
}

export const open = (config: Config): Promise<Installation> =>
  openInstallation(config, { log: collectingLog().log });

/** An installation with a live connection, a running agent, an alert that is due and an entry of the audit log. */
export async function restorable(dir: string, env: Record<string, string> = {}): Promise<Restorable> {
  const config = readConfig({ DATA_DIR: join(dir, "data"), ...env });
  const installation = await open(config);
  const { store, secretStore, auditRepository, clock, access } = installation;
  const { key } = await access.create();
  const owned = { account: "ada", market: "test" };
  const audit = auditOf({ repository: auditRepository, vault: secretStore.vault, clock, market: "test" });
  await audit.write("ada", "connection_added", { connection_id: LIVE });
  await connections({ db: store.db, market: "test", vault: secretStore.vault }).add(
    "ada",
    {
      connection_id: LIVE,
      broker: "alpaca",
      account_type: "live",
      account_mask: "4242",
      market: "test",
      connected_at: T0,
      checked_at: T0,
    },
    { api_key: "canary-broker-key", api_secret: "canary-broker-secret" },
  );
  await insertRows(store.db, "agents", [
    {
      ...owned,
      id: "ag_1",
      agent: "trend",
      input: "{}",
      every_s: 60,
      calendar: "interval",
      state: "running",
      reason: null,
      budget: null,
      spent: "0",
      failures: 0,
      started_at: T0,
      next_at: 1,
      last_run: null,
      key_id: null,
      scopes: "read",
      lease_owner: "someone",
      lease_until: 1,
    },
  ]);
  await insertRows(
    store.db,
    "deliveries",
    (["waiting", "delivered"] as const).map((state, i) => ({
      ...owned,
      id: `dl_${i}`,
      alert_id: `al_${i}`,
      subscription: "sb_1",
      channel: "webhook",
      target: "hooks.example.com",
      alert: "{}",
      state,
      reason: null,
      attempts: 0,
      next_at: state === "waiting" ? 1 : null,
      made_at: T0,
    })),
  );
  return { config, installation, key };
}
