import type { Command } from "commander";
import type { BackupManifest, BackupReport } from "../../domain/backups/backups.ts";
import { type Cli, commandWithExamples, withJson, writeOutput } from "./command.ts";

const MEGABYTE = 1_000_000;

/** Creates the command backup, which writes the data folder to one file. */
export function backupCommand({ host, paint, finish }: Cli): Command {
  const command = commandWithExamples(
    "backup",
    "write the database and its files to one verified file, also while a server runs",
    [
      "market-signal backup",
      "market-signal backup --out /mnt/usb",
      "market-signal backup --with-keys --out market-signal.db",
    ],
  )
    .option(
      "--out <file>",
      "file, or existing folder, to write to. Default: the folder backups of the data folder",
    )
    .option("--with-keys", "include the master key, encrypted with a passphrase")
    .action(
      async ({
        out,
        withKeys = false,
        json = false,
      }: {
        out?: string;
        withKeys?: boolean;
        json?: boolean;
      }) => {
        const report = await host.backUp({ out, withKeys });
        const failed = report.hook !== null && report.hook.failure !== null;
        writeOutput(host.out, { json: report, lines: formatBackup(report, withKeys, paint) }, json);
        finish(failed ? 1 : 0);
      },
    );
  return withJson(command);
}

function formatBackup(
  { file, bytes, manifest, excluded_key_files, hook }: BackupReport,
  withKeys: boolean,
  paint: Cli["paint"],
): string[] {
  const isWithoutKeys = withKeys && manifest.keys.length === 0;
  const keys =
    manifest.keys.length > 0
      ? `${manifest.keys.join(" and ")} is in it, encrypted with the passphrase: without it the key is lost.`
      : excluded_key_files.length > 0
        ? `Not in it: ${excluded_key_files.join(" and ")}. Copy it to another place, or add --with-keys.`
        : "There is no master key yet, so nothing is left out.";
  return [
    `Wrote and verified ${file}, ${formatSize(bytes)}${isWithoutKeys ? ", without keys: there is no master key yet" : ""}.`,
    ...formatContents(manifest),
    ...(isWithoutKeys ? [] : [keys]),
    ...(hook === null
      ? []
      : [
          hook.failure === null
            ? "BACKUP_HOOK ended well."
            : paint("red", `BACKUP_HOOK failed: ${hook.failure}`),
        ]),
    paint("dim", `To list its contents: \`market-signal restore --dry-run ${file}\``),
  ];
}

export const formatSize = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** Returns lines on the tables and files of a backup. */
export function formatContents({
  tables,
  files,
  data_version,
}: Pick<BackupManifest, "tables" | "files" | "data_version">): string[] {
  const filled = Object.entries(tables).filter(([, { rows }]) => rows > 0);
  const rows = filled.reduce((sum, [, table]) => sum + table.rows, 0);
  const names = files.map(({ name }) => name);
  const shown =
    names.length > 5 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} more` : names.join(", ");
  return [
    `Database: data version ${data_version}, ${rows} rows in ${filled.length} of ${Object.keys(tables).length} tables.`,
    `Files: ${names.length === 0 ? "none" : shown}.`,
  ];
}
