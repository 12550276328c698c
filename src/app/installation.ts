import { randomUUID } from "node:crypto";
import { type Access, createAccess } from "../access/access.ts";
import { type AccessMeters, createMeters } from "../access/meters.ts";
import { PLAN_SCHEDULES } from "../access/plans.ts";
import {
  createEntitlementCheck,
  createPrincipalResolver,
  type EntitlementCheck,
  type PrincipalResolver,
} from "../access/principal-resolver.ts";
import { masterKeys } from "../access/vault/master-key.ts";
import { createSecretStore, type SecretStore } from "../access/vault/secret-store.ts";
import type { AuditRepository } from "../domain/audit/audit-port.ts";
import type { Peers } from "../domain/peers-port.ts";
import type { Clock, Ids, Log } from "../domain/ports.ts";
import type { Tool } from "../kernel/tool.ts";
import { createLog } from "../lib/log.ts";
import { openKeyring } from "../store/accounts/keyring.ts";
import { openRateLimits } from "../store/accounts/windows.ts";
import { auditLog } from "../store/audit/audit-log.ts";
import { openStore, type Store } from "../store/open-store.ts";
import { sealsIn } from "../store/vault/seals.ts";
import type { Config } from "./config.ts";

/** Replacements that tests and commands pass for parts of the installation. */
export interface AppOverrides {
  readonly clock?: Clock;
  readonly log?: Log;
  /** Transport of every request to a data provider. Default: the global fetch. */
  readonly fetch?: typeof globalThis.fetch;
  readonly tools?: Readonly<Record<string, Tool>>;
  /** True computes a missing nightly run at the first request for it. Default: false, for a server with a schedule. */
  readonly runsOnRequest?: boolean;
  /** The other processes of the server. Default: none. */
  readonly peers?: Peers;
  /** Called when a master key file is created, with advice for the operator. */
  readonly onKeyCreated?: (file: string, advice: string) => void;
}

/** Keys, quotas and stored results: the parts of an installation that need no market. */
export interface Installation {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly store: Store;
  readonly access: Access;
  readonly meters: AccessMeters;
  readonly secretStore: SecretStore;
  readonly auditRepository: AuditRepository;
  readonly resolvePrincipal: PrincipalResolver;
  readonly hasActiveEntitlement: EntitlementCheck;
  close(): Promise<void>;
}

/** Opens the data folder. Throws SetupError if the folder or the master key cannot be used. */
export async function openInstallation(config: Config, overrides: AppOverrides = {}): Promise<Installation> {
  const clock = overrides.clock ?? { now: () => new Date() };
  const log = overrides.log ?? createLog(config.LOG_LEVEL);
  const ids = { uuid: () => randomUUID() };
  const schedule = PLAN_SCHEDULES[config.PLAN_SCHEDULE];
  const keys = masterKeys(config, log, overrides.onKeyCreated);
  const store = await openStore({ dataDir: config.DATA_DIR, clock, log });
  const keyring = openKeyring(store.db);
  const windows = openRateLimits(store.counters, clock);
  return {
    clock,
    ids,
    log,
    store,
    access: createAccess({ keyring, clock, ids, schedule }),
    meters: createMeters({ windows, schedule }),
    secretStore: createSecretStore({ keys, seals: sealsIn(store.db, config.DATA_DIR) }),
    auditRepository: auditLog({ db: store.db, dataDir: config.DATA_DIR }),
    resolvePrincipal: createPrincipalResolver({ keyring, clock }),
    hasActiveEntitlement: createEntitlementCheck({ keyring, clock }),
    close() {
      windows.close();
      return store.close();
    },
  };
}
