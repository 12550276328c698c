import { z } from "zod";
import { Iso } from "../answers.ts";

/** SHA-256 in hexadecimal. */
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What a backup contains, written into the backup itself. */
export const BackupManifest = z.object({
  format: z.literal(1),
  /** Version of the program that wrote the backup. */
  version: z.string(),
  /** Name of the newest migration of the database. */
  data_version: z.string(),
  created_at: Iso,
  /** Hash of the definitions of all tables and indexes. */
  schema_sha256: Sha256,
  tables: z.record(z.string(), z.object({ rows: z.number().int(), sha256: Sha256 })),
  /** Other files of the data folder, by their path in it. */
  files: z.array(z.object({ name: z.string(), bytes: z.number().int(), sha256: Sha256 })),
  /** Names of the key files that are included, encrypted with a passphrase; empty without keys. */
  keys: z.array(z.string()),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** A backup that was written and verified. */
export interface WrittenBackup {
  readonly file: string;
  readonly bytes: number;
  readonly manifest: BackupManifest;
}

/** Texts of key files by name. */
export type KeyTexts = Readonly<Record<string, string>>;

/** Result of the program of BACKUP_HOOK for one backup. */
export const HookResult = z.object({
  at: Iso,
  backup: z.string(),
  /** Why it failed; null if it ended with code 0. */
  failure: z.string().nullable(),
});
export type HookResult = z.infer<typeof HookResult>;

/** Failure of a scheduled backup. */
export const BackupFailure = z.object({ at: Iso, reason: z.string() });
export type BackupFailure = z.infer<typeof BackupFailure>;

/** Backups of a data folder. */
export interface BackupStatus {
  /** Null if there is none. `age_ms` is negative for one of the future. */
  readonly newest: { readonly file: string; readonly age_ms: number } | null;
  /** Last result of BACKUP_HOOK; null if it never ran. */
  readonly hook: HookResult | null;
  /** Why no backup can be written at present; null if one can. */
  readonly fault: string | null;
  /** Failure of the last scheduled backup; null if it was written, or another one since. */
  readonly failure: BackupFailure | null;
}

/** What the command backup did. */
export interface BackupReport extends WrittenBackup {
  /** Files of the data folder that hold keys and are not included. */
  readonly excluded_key_files: readonly string[];
  /** Result of the program of BACKUP_HOOK; null without one. */
  readonly hook: HookResult | null;
}

/** A connection of an account to a broker. */
export interface ConnectionName {
  readonly account: string;
  readonly market: string;
  readonly connection_id: string;
  readonly broker: string;
  readonly account_type: string;
}

/** What a restore changes in the database, so that nothing is done twice. */
export interface RestoreChanges {
  /** Agents that were running and are stopped. */
  readonly agents: readonly { readonly account: string; readonly agent: string; readonly agent_id: string }[];
  /** Alerts that were due and are not sent. */
  readonly deliveries: readonly {
    readonly account: string;
    readonly delivery_id: string;
    readonly target: string | null;
    readonly created_at: string;
  }[];
  /** Live connections that accept no order until the account's orders were reconciled. */
  readonly live_connections: readonly ConnectionName[];
}

/** What the command restore did or, with `dry_run`, would do. */
export interface RestoreReport extends RestoreChanges {
  readonly dry_run: boolean;
  readonly file: string;
  readonly bytes: number;
  /** False for a plain copy of a database, whose contents cannot be compared. */
  readonly has_manifest: boolean;
  readonly manifest: Omit<BackupManifest, "version" | "created_at"> &
    Partial<Pick<BackupManifest, "version" | "created_at">>;
  readonly data_dir: string;
  /** Folder with the previous content of the data folder; null if there was none, and for a dry run. */
  readonly previous_content: string | null;
  /** Entries of the data folder that are moved to `previous_content` or, in a dry run, would be. */
  readonly moved: readonly string[];
  /** Why a restore would be refused now; empty if it would not be, and after a restore. */
  readonly refusals: readonly string[];
  /** Id of the master key of the sealed secrets; null if there are none. */
  readonly master_key_id: string | null;
  /** Where the master key comes from; null if it is missing. */
  readonly master_key_source: "settings" | "data folder" | "backup" | null;
  /** Connections whose credentials cannot be opened, because the master key is missing. */
  readonly unusable_connections: readonly ConnectionName[];
  /** Number of the entry of the audit log that names the backup; null if it is written once the master key is there. */
  readonly audit_seq: number | null;
}
