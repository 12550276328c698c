import { randomUUID } from "node:crypto";
import type { TaskStore } from "@a2a-js/sdk/server";
import { type Access, createAccess } from "../access/access.ts";
import { type AccessMeters, createMeters } from "../access/meters.ts";
import { PLAN_SCHEDULES } from "../access/plans.ts";
import {
  createEntitlementCheck,
  createPrincipalResolver,
  type EntitlementCheck,
  type PrincipalResolver,
} from "../access/principal-resolver.ts";
import type { StreamTokens } from "../access/stream-tokens.ts";
import { masterKeys } from "../access/vault/master-key.ts";
import { createSecretStore, type SecretStore } from "../access/vault/secret-store.ts";
import type { Principal } from "../domain/accounts/access.ts";
import type { Idempotency } from "../domain/accounts/idempotency-port.ts";
import type { AgentScheduler } from "../domain/agents/automation-port.ts";
import type { AuditRepository } from "../domain/audit/audit-port.ts";
import type { Peers } from "../domain/peers-port.ts";
import type { Clock, Ids, Log, Ports } from "../domain/ports.ts";
import type { TrackRecordBuilder } from "../domain/track-record/track-port.ts";
import type { NightlyEngine } from "../features/nightly/engine.ts";
import type { paperConnection } from "../features/trading/connect.ts";
import type { Registry } from "../kernel/registry.ts";
import type { Tool } from "../kernel/tool.ts";
import { setCacheBudget } from "../lib/bounded-cache.ts";
import { createLog } from "../lib/log.ts";
import type { FilesReport } from "../providers/files/open.ts";
import { openKeyring } from "../store/accounts/keyring.ts";
import { openRateLimits } from "../store/accounts/windows.ts";
import { auditLog } from "../store/audit/audit-log.ts";
import { openStore, type Store } from "../store/open-store.ts";
import { sealsIn } from "../store/vault/seals.ts";
import type { A2aPushDeps } from "../transports/a2a/push.ts";
import type { Config } from "./config.ts";
import type { LiveMarket } from "./providers/live.ts";

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

/** One running installation: its market, its stored data and the registry of its tools. */
export interface App extends Omit<Installation, "meters"> {
  readonly config: Config;
  readonly ports: Ports;
  readonly registry: Registry;
  /** Stored responses of REST calls with an idempotency key. */
  readonly idempotency: Idempotency;
  readonly streamTokens: StreamTokens;
  readonly a2aTasks: () => Promise<TaskStore>;
  /** Push notifications of A2A tasks; null if WEBHOOKS=off. */
  readonly a2aPush: () => Promise<A2aPushDeps | null>;
  /** Caller of commands on this machine. */
  readonly owner: Principal;
  readonly authenticate: (key: string | null, address: string) => Promise<Principal>;
  /** Status of the folder of CSV files; null in other markets. */
  readonly files: (() => FilesReport) | null;
  /** The live market; null in other markets. */
  readonly live: LiveMarket | null;
  readonly engine: NightlyEngine;
  readonly track: TrackRecordBuilder;
  readonly scheduler: AgentScheduler;
  /** Returns the owner's paper account, and creates it if there is none. */
  paper(): ReturnType<typeof paperConnection>;
  /**
   * Starts the work of a server: compute threads and checks of the database and, unless `backgroundWork` is false,
   * nightly runs, scheduled agents, alerts, listings and the demo.
   */
  start(options?: { readonly backgroundWork?: boolean }): void;
}

const MEGABYTE = 1024 * 1024;

/** Opens the data folder. Throws SetupError if the folder or the master key cannot be used. */
export async function openInstallation(config: Config, overrides: AppOverrides = {}): Promise<Installation> {
  setCacheBudget((config.CACHE_MB * MEGABYTE) / (overrides.peers?.count ?? 1));
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
