import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import type {
  BackupFile,
  InstallationAdmin,
  LogLine,
  NightlyRunRow,
  ProviderRow,
  SettingRow,
} from "../domain/installation/installation-port.ts";
import type { RunStatus } from "../domain/nightly/run-repository-port.ts";
import type { ProviderReport } from "../domain/providers/provider-health-port.ts";
import { ToolError } from "../kernel/errors.ts";
import { SetupError } from "../lib/setup-error.ts";
import { shellWord } from "../lib/shell-quote.ts";
import { backupsIn, backupTime } from "../store/backups/backup.ts";
import { backupsFolder } from "../store/backups/failure.ts";
import { isScheduled } from "../store/upkeep/check-and-back-up.ts";
import { currentKeyId } from "../store/vault/seals.ts";
import type { ProviderStatus } from "../transports/cli/host.ts";
import { readKeys, sealKeys } from "./backup-command.ts";
import type { App } from "./installation.ts";

/** Number of runs that are listed. */
const MAX_RUNS = 30;
/** Number of log lines of all processes together. */
const MAX_LINES = 200;
const LOG_TOPIC = "log_tail";

type AdminApp = Pick<
  App,
  "config" | "ownerKeys" | "ports" | "live" | "engine" | "store" | "backups" | "peers"
>;

interface AdminOptions {
  /** Returns the newest log lines of this process. */
  readonly logTail: () => readonly LogLine[];
  /** The settings in force. */
  readonly settings: readonly SettingRow[];
}

/** Creates what the owner sees and does on the page of the installation. */
export function installationAdmin(
  { config, ownerKeys, ports, live, engine, store, backups, peers }: AdminApp,
  { logTail, settings }: AdminOptions,
): InstallationAdmin {
  const { DATA_DIR: dataDir } = config;
  const folder = backupsFolder(dataDir);
  peers.onRequest(LOG_TOPIC, () => logTail());
  return {
    keys: ownerKeys,
    async providers() {
      const reports = await ports.providerHealth.report();
      const known = live?.providers ?? [];
      const others = reports.filter(({ name }) => known.every((one) => one.name !== name));
      const healthOf = (name: string) => reports.find((report) => report.name === name);
      return [
        ...known.map((status) => providerRow(status, healthOf(status.name))),
        ...others.map((report) => providerRow(null, report)),
      ];
    },
    runs: async () => (await engine.status(MAX_RUNS)).map(runRow),
    backups() {
      const { hook, fault, failure } = backups();
      const files = backupsIn(dataDir)
        .toReversed()
        .flatMap((path) => fileRow(path) ?? []);
      return {
        folder,
        every: config.BACKUP_EVERY,
        fault: fault ?? failure?.reason ?? null,
        hook,
        backups: files,
      };
    },
    async backUp({ withKeys }) {
      const keys = withKeys ? keysOf(config, await currentKeyId(store.db)) : null;
      const done = await store.upkeep.backUp(keys);
      if (done === null)
        throw new ToolError("CONFLICT", "A backup is being written", { hint: "Wait until it is done." });
      const { result, hook } = done;
      if (!("written" in result))
        throw new ToolError(result.noRoom ? "STORAGE_FULL" : "REFUSED", result.failure);
      const { file, manifest } = result.written;
      const excluded = keys === null ? Object.keys(readKeys(config)) : [];
      return { backup: fileRow(file)!, keys: manifest.keys, excluded_key_files: excluded, hook };
    },
    backupFile(name) {
      // compared with the names of the folder, and never used as part of a path
      const path = backupsIn(dataDir).find((one) => basename(one) === name);
      const row = path === undefined ? null : fileRow(path);
      if (row === null)
        throw new ToolError("NOT_FOUND", "There is no such backup", {
          hint: "List the backups for their names.",
        });
      return { path: join(folder, row.name), bytes: row.bytes };
    },
    async log() {
      const others = (await peers.request(LOG_TOPIC, null)) as readonly (readonly LogLine[])[];
      const lines = [logTail(), ...others].flat();
      return lines.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).slice(-MAX_LINES);
    },
    settings: () => settings,
  };
}

/** Returns the encrypted keys. Throws REFUSED without BACKUP_PASSPHRASE: a passphrase is never sent over the network. */
function keysOf(config: AdminApp["config"], keyId: string | null): ReturnType<typeof sealKeys> {
  const { BACKUP_PASSPHRASE: passphrase } = config;
  if (passphrase === undefined)
    throw new ToolError("REFUSED", "The keys need a passphrase, and BACKUP_PASSPHRASE is not set", {
      hint: "Set BACKUP_PASSPHRASE, leave the keys out, or make this backup at a terminal.",
      command: "market-signal backup --with-keys",
    });
  try {
    return sealKeys(readKeys(config), keyId, passphrase);
  } catch (cause) {
    if (cause instanceof SetupError) throw new ToolError("REFUSED", cause.message, { cause });
    throw cause;
  }
}

/** Returns the row of a backup; null for a link and for a file that is gone. */
function fileRow(path: string): BackupFile | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const at = backupTime(path);
  if (stats?.isFile() !== true || at === null) return null;
  const name = basename(path);
  return {
    name,
    bytes: stats.size,
    created_at: at.toISOString(),
    scheduled: isScheduled(name),
    restore_command: `market-signal restore --replace ${shellWord(path)}`,
  };
}

function runRow({
  run_id,
  universe,
  as_of,
  started_at,
  runAt,
  members,
  rows,
  failures,
}: RunStatus): NightlyRunRow {
  const ms = runAt === null ? null : Date.parse(runAt) - Date.parse(started_at);
  return {
    run_id,
    universe,
    as_of,
    started_at,
    finished_at: runAt,
    duration_s: ms === null ? null : Math.round(ms / 1_000),
    members,
    computed: rows,
    errors: failures,
  };
}

function providerRow(status: ProviderStatus | null, report: ProviderReport | undefined): ProviderRow {
  const network = report?.network;
  return {
    name: status?.name ?? report?.name ?? "",
    title: status?.title ?? null,
    gives: status?.gives ?? null,
    state: status?.state ?? "on",
    needs:
      status === null || status.state === "on" ? null : (status.consent ?? status.offBy ?? status.setting),
    healthy: report?.healthy ?? null,
    latency_ms: report?.latency_ms ?? null,
    calls_left: network?.limit_left ?? null,
    last_success: network?.last_success ?? null,
    breaker: network?.breaker ?? null,
    failure: network?.failure ?? null,
    outage: status?.outage ?? null,
  };
}
