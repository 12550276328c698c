import { randomUUID } from "node:crypto";
import { type Access, createAccess } from "../access/access.ts";
import { createAccounts } from "../access/accounts.ts";
import { auditOf, EVERY_MARKET } from "../access/audit/audit.ts";
import { type AccessMeters, createMeters } from "../access/meters.ts";
import { createOwnerKeys } from "../access/owner-keys.ts";
import { PLAN_SCHEDULES } from "../access/plans.ts";
import {
  createEntitlementCheck,
  createPrincipalResolver,
  type EntitlementCheck,
  type PrincipalResolver,
} from "../access/principal-resolver.ts";
import { type BrowserSessions, createBrowserSessions } from "../access/sign-in/browser-sessions.ts";
import { createPeopleAdmin, type PeopleAdmin } from "../access/sign-in/people-admin.ts";
import { signInSecret } from "../access/sign-in/session-cookie.ts";
import type { StreamTokens } from "../access/stream-tokens.ts";
import { createUsage, type UsageCounter } from "../access/usage.ts";
import { keyedHashOf, verifyHashKey } from "../access/vault/keyed-hash.ts";
import { masterKeys } from "../access/vault/master-key.ts";
import { createSecretStore, type SecretStore } from "../access/vault/secret-store.ts";
import type { Principal } from "../domain/accounts/access.ts";
import type { Accounts } from "../domain/accounts/accounts-port.ts";
import type { ClientSessions } from "../domain/accounts/client-sessions-port.ts";
import type { Idempotency } from "../domain/accounts/idempotency-port.ts";
import type { People } from "../domain/accounts/people-port.ts";
import type { SignInRecords } from "../domain/accounts/sign-in-port.ts";
import type { Windows } from "../domain/accounts/windows-port.ts";
import type { AgentScheduler } from "../domain/agents/automation-port.ts";
import type { AuditRepository } from "../domain/audit/audit-port.ts";
import type { BackupStatus } from "../domain/backups/backups.ts";
import type { OwnerKeys } from "../domain/installation/installation-port.ts";
import type { Operation } from "../domain/operation-port.ts";
import { noPeers, type Peers } from "../domain/peers-port.ts";
import type { Clock, Ids, Log, Ports } from "../domain/ports.ts";
import type { Tracer } from "../domain/tracing-port.ts";
import type { TrackRecordBuilder } from "../domain/track-record/track-port.ts";
import type { Confirmations } from "../domain/trading/confirmations-port.ts";
import type { FirstSecrets, KeyedHash } from "../domain/vault/secrets-port.ts";
import type { NightlyEngine } from "../features/nightly/engine.ts";
import type { paperConnection } from "../features/trading/connect.ts";
import type { Registry } from "../kernel/registry.ts";
import type { Tool } from "../kernel/tool.ts";
import { setCacheBudget } from "../lib/bounded-cache.ts";
import type { FilesReport } from "../providers/files/open.ts";
import type { Recordings } from "../providers/sample/recordings.ts";
import { accountRepository } from "../store/accounts/account-repository.ts";
import { appRepository } from "../store/accounts/connected-apps.ts";
import { openKeyring } from "../store/accounts/keyring.ts";
import { people as openPeople } from "../store/accounts/people.ts";
import { signInRecords } from "../store/accounts/sign-in-records.ts";
import { usageRepository } from "../store/accounts/usage.ts";
import { auditLog } from "../store/audit/audit-log.ts";
import { backupStatus } from "../store/backups/status.ts";
import type { Store } from "../store/store.ts";
import { sealsIn } from "../store/vault/seals.ts";
import { sealedSecrets } from "../store/vault/secrets.ts";
import type { A2aPushDeps } from "../transports/a2a/push.ts";
import type { A2aTasks } from "../transports/a2a/transport.ts";
import type { HttpServerDeps } from "../transports/http/server-deps.ts";
import { type Config, tokenIssuerOf } from "./config.ts";
import { openDatabase } from "./open-database.ts";
import { openLog } from "./open-log.ts";
import type { LiveMarket } from "./providers/live.ts";
import { restoreNotes, verifySecrets } from "./restored.ts";
import { withSealedSettings } from "./sealed-settings.ts";

/** Replacements that tests and commands pass for parts of the installation. */
export interface AppOverrides {
  readonly clock?: Clock;
  readonly log?: Log;
  /** Transport of every request to a data provider. Default: the global fetch. */
  readonly fetch?: typeof globalThis.fetch;
  readonly tools?: Readonly<Record<string, Tool>>;
  /** True computes a missing nightly run at the first request for it. Default: false, for a server with a schedule. */
  readonly runsOnRequest?: boolean;
  /** The other processes of the server, unless its database connects them. Default: none. */
  readonly peers?: Peers;
  /** Records what the server does. Default: nothing is recorded. */
  readonly tracer?: Tracer | undefined;
  /** Number of processes of the server on this machine. Default: 1. */
  readonly processes?: number;
  /** Recordings of the sample market, for installations that share them. Default: those of this one. */
  readonly recordings?: Recordings;
  /** Called when a master key file is created, with advice for the operator. */
  readonly onKeyCreated?: (file: string, advice: string) => void;
}

/** Keys, quotas and stored results: the parts of an installation that need no market. */
export interface Installation {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly store: Store;
  /** The other processes of the server, and of all servers on the same database. */
  readonly peers: Peers;
  readonly access: Access;
  readonly accounts: Accounts;
  readonly ownerKeys: OwnerKeys;
  readonly meters: AccessMeters;
  readonly windows: Windows;
  readonly usage: UsageCounter;
  readonly secretStore: SecretStore;
  readonly secrets: FirstSecrets;
  readonly keyedHash: KeyedHash;
  /** Returns the settings with those that are sealed in the vault. */
  readonly openSettings: () => Promise<Config>;
  readonly auditRepository: AuditRepository;
  readonly resolvePrincipal: PrincipalResolver;
  readonly people: People;
  readonly signInRecords: SignInRecords;
  /** Secret of the cookies and codes of sign-in. */
  readonly signInSecret: () => Promise<string>;
  readonly browserSessions: BrowserSessions;
  readonly peopleAdmin: PeopleAdmin;
  readonly hasActiveEntitlement: EntitlementCheck;
  /**
   * Verifies the master key; false if it is missing because a backup was restored without it. @throws SetupError if it is
   * missing otherwise
   */
  verifySecrets(): Promise<boolean>;
  /** Returns sentences on what is still to do after a restore. */
  restoreNotes(): Promise<readonly string[]>;
  /** Returns the newest backup in the data folder, and the last result of BACKUP_HOOK. */
  backups(): BackupStatus;
  close(): Promise<void>;
}

/** One running installation: its market, its stored data and the registry of its tools. */
export interface App extends Omit<Installation, "meters" | "windows"> {
  readonly config: Config;
  readonly ports: Ports;
  readonly registry: Registry;
  /** Stored responses of REST calls with an idempotency key. */
  readonly idempotency: Idempotency;
  readonly streamTokens: StreamTokens;
  /** Settings of MCP clients. */
  readonly clientSessions: ClientSessions;
  readonly a2aTasks: () => Promise<A2aTasks>;
  /** Push notifications of A2A tasks; null if WEBHOOKS=off. */
  readonly a2aPush: () => Promise<A2aPushDeps | null>;
  /** Caller of commands on this machine. */
  readonly owner: Principal;
  readonly authenticate: (key: string | null, address: string) => Promise<Principal>;
  /** Returns sign-in of people and their apps at an address of the server. */
  openSignIn(
    publicUrl: string,
  ): Required<
    Pick<
      HttpServerDeps,
      "signIn" | "identifyApp" | "peopleAdmin" | "recoveryCodes" | "confirmations" | "requesterName"
    >
  >;
  /** Requests of agents that people decide on. */
  readonly confirmations: Confirmations;
  /** Status of the folder of CSV files; null in other markets. */
  readonly files: (() => FilesReport) | null;
  /** The live market; null in other markets. */
  readonly live: LiveMarket | null;
  readonly engine: NightlyEngine;
  readonly track: TrackRecordBuilder;
  readonly scheduler: AgentScheduler;
  /** Returns the owner's paper account, and creates it if there is none. */
  paper(): ReturnType<typeof paperConnection>;
  /** Returns what the operator of a server watches. */
  operation(isLeader: () => boolean): Operation;
  /**
   * Starts the work of a server: compute threads and checks of the database and, unless `backgroundWork` is false,
   * nightly runs, scheduled agents, alerts, listings and the demo. With PostgreSQL, one process of all servers on the
   * database does that background work, and another one takes over when it ends.
   */
  start(options?: { readonly backgroundWork?: boolean }): void;
  /**
   * Starts the work that every process takes: parts of nightly runs, due agents and deliveries. `start` does it too, except
   * for parts of replays.
   */
  startWorker(): void;
}

const MEGABYTE = 1024 * 1024;
/** Opens the data folder and the database. Throws SetupError if one of them or the master key cannot be used. */
export async function openInstallation(config: Config, overrides: AppOverrides = {}): Promise<Installation> {
  setCacheBudget((config.CACHE_MB * MEGABYTE) / (overrides.processes ?? 1));
  const machine = overrides.clock ?? { now: () => new Date() };
  const log = overrides.log ?? openLog(config);
  const ids = { uuid: () => randomUUID() };
  const schedule = PLAN_SCHEDULES[config.PLAN_SCHEDULE];
  const keys = masterKeys(config, log, overrides.onKeyCreated);
  const store = await openDatabase(config, {
    clock: machine,
    log,
    quotaClock: overrides.clock,
    tracer: overrides.tracer,
  });
  const clock = overrides.clock ?? store.clock ?? machine;
  const keyring = openKeyring(store.db);
  const windows = await store.openRateLimits();
  const secretStore = createSecretStore({ keys, seals: sealsIn(store.db, config.DATA_DIR) });
  const { vault } = secretStore;
  const secrets = sealedSecrets({ db: store.db, vault });
  const peers = store.replicas?.peers ?? overrides.peers ?? noPeers;
  const usage = createUsage({ repository: usageRepository(store.db), peers, clock, log });
  const access = createAccess({ keyring, clock, ids, schedule, recordKeyUse: usage.recordKeyUse });
  const auditRepository = auditLog({ db: store.db, dataDir: config.DATA_DIR });
  const audit = auditOf({ repository: auditRepository, vault, clock, market: EVERY_MARKET });
  const people = openPeople(store.db);
  const keyedHash = keyedHashOf(secrets, config.DATA_DIR);
  const secret = () => signInSecret(keyedHash);
  const apps = appRepository(store.db, tokenIssuerOf(config));
  const resolvePrincipal = createPrincipalResolver({ keyring, apps, clock });
  const records = signInRecords(store.db);
  const browserSessions = createBrowserSessions({ people, records, clock, ids, secret, resolvePrincipal });
  const restored = { store, secretStore, auditRepository, clock, log };
  return {
    clock,
    ids,
    log,
    store,
    peers,
    access,
    accounts: createAccounts({ repository: accountRepository(store.db), access, audit, clock }),
    ownerKeys: createOwnerKeys({ access, usage, audit, clock }),
    meters: createMeters({ windows, schedule }),
    windows,
    secretStore,
    secrets,
    keyedHash,
    openSettings: () => withSealedSettings(config, { db: store.db, secrets }),
    usage,
    auditRepository,
    async verifySecrets() {
      const isOpen = await verifySecrets(restored);
      if (isOpen) await verifyHashKey(secrets, config.DATA_DIR);
      return isOpen;
    },
    restoreNotes: () => restoreNotes(restored),
    backups: () => backupStatus(config.DATA_DIR, clock.now()),
    resolvePrincipal,
    people,
    signInRecords: records,
    signInSecret: secret,
    browserSessions,
    peopleAdmin: createPeopleAdmin({
      people,
      records,
      appRepository: apps,
      access,
      browserSessions,
      usage,
      audit,
      clock,
    }),
    hasActiveEntitlement: createEntitlementCheck({ keyring, people, clock }),
    async close() {
      await windows.close();
      await usage.close();
      await store.close();
    },
  };
}
