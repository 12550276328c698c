import type { Scope } from "../accounts/access.ts";
import type { HookResult } from "../backups/backups.ts";

/** Scopes that a key created on the page of the installation can have. */
export const PAGE_KEY_SCOPES = ["read", "trade:paper"] as const satisfies readonly Scope[];

/** A key of the owner's account, without its text. Times are ISO 8601 UTC. */
export interface OwnerKey {
  readonly id: string;
  readonly name: string;
  readonly last4: string;
  readonly plan: string | null;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  /** Start of the hour in which it was last used. */
  readonly last_used_at: string | null;
  /** Number of calls since 00:00 UTC. */
  readonly calls_today: number;
  /** True if it can be revoked here: it has no scope but those of `PAGE_KEY_SCOPES`. */
  readonly revocable: boolean;
}

/** A new key with its text, which is returned only here. */
export interface NewOwnerKey extends Omit<OwnerKey, "calls_today" | "revocable"> {
  readonly key: string;
}

/** The keys of the owner's account, as far as they can be created and revoked without the command line. */
export interface OwnerKeys {
  /** Newest first. */
  list(): Promise<readonly OwnerKey[]>;
  /** `by`: who acts, for the audit log. */
  create(
    request: { readonly name: string; readonly scopes: readonly (typeof PAGE_KEY_SCOPES)[number][] },
    by: string,
  ): Promise<NewOwnerKey>;
  /**
   * Rejects with NOT_FOUND for an unknown key and one of another account, and with REFUSED for a key with a scope that no
   * key created here has.
   */
  revoke(id: string, by: string): Promise<void>;
}

/** A data provider with its settings and the result of its latest call. Values are null if unknown. */
export interface ProviderRow {
  readonly name: string;
  readonly title: string | null;
  readonly gives: string | null;
  readonly state: "on" | "off" | "needs a key";
  /** What would switch it on, such as `FINNHUB_KEY`; null if it is on. */
  readonly needs: string | null;
  /** null: not called yet. */
  readonly healthy: boolean | null;
  readonly latency_ms: number | null;
  /** Calls left in the current rate window. */
  readonly calls_left: number | null;
  readonly last_success: string | null;
  readonly breaker: string | null;
  /** Kind of the failure within the last minute. */
  readonly failure: string | null;
  /** What is known not to work at present, and since when. */
  readonly outage: string | null;
}

export interface NightlyRunRow {
  readonly run_id: string;
  readonly universe: string;
  readonly as_of: string;
  readonly started_at: string;
  /** null: not finished. */
  readonly finished_at: string | null;
  readonly duration_s: number | null;
  readonly members: number;
  readonly computed: number;
  /** Members that failed. */
  readonly errors: number;
}

/** A backup in the data folder. */
export interface BackupFile {
  readonly name: string;
  readonly bytes: number;
  readonly created_at: string;
  readonly scheduled: boolean;
  /** Command that restores it on this machine while no server runs. */
  readonly restore_command: string;
}

export interface BackupList {
  readonly folder: string;
  /** Setting BACKUP_EVERY. */
  readonly every: string;
  /** Why no backup can be written at present, or why the last scheduled one failed. */
  readonly fault: string | null;
  readonly hook: HookResult | null;
  /** Newest first. */
  readonly backups: readonly BackupFile[];
}

export interface NewBackup {
  readonly backup: BackupFile;
  /** Names of the key files in it, encrypted with BACKUP_PASSPHRASE. */
  readonly keys: readonly string[];
  /** Names of the key files that are not in it. */
  readonly excluded_key_files: readonly string[];
  readonly hook: HookResult | null;
}

/** A line of the log as text. */
export interface LogLine {
  /** ISO 8601 UTC. */
  readonly time: string;
  readonly text: string;
}

/** A setting in force, without secrets. */
export interface SettingRow {
  readonly name: string;
  /** `set` for a secret that is set; null if it is not set. */
  readonly value: string | null;
  readonly source: string;
  readonly purpose: string;
  readonly secret: boolean;
}

/** What the owner of a server sees and does on the page of the installation. */
export interface InstallationAdmin {
  readonly keys: OwnerKeys;
  providers(): Promise<readonly ProviderRow[]>;
  /** Newest first. */
  runs(): Promise<readonly NightlyRunRow[]>;
  backups(): BackupList;
  /**
   * Writes a backup now. Keys are included only under BACKUP_PASSPHRASE. Rejects with CONFLICT while one is written, with
   * STORAGE_FULL, and with REFUSED if it cannot be written.
   */
  backUp(request: { readonly withKeys: boolean }): Promise<NewBackup>;
  /** Returns the path and size of a listed backup. Throws NOT_FOUND for any other name. */
  backupFile(name: string): { readonly path: string; readonly bytes: number };
  /** Returns the newest log lines of the server, oldest first, redacted as they were written. */
  log(): Promise<readonly LogLine[]>;
  settings(): readonly SettingRow[];
}
