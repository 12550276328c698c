import { resolve } from "node:path";
import type { Command } from "commander";
import type { ConnectionName, RestoreReport } from "../../domain/backups/backups.ts";
import { plainText } from "../../lib/plain-text.ts";
import { formatContents, formatSize } from "./backup.ts";
import { type Cli, commandWithExamples, withJson, writeOutput } from "./command.ts";

/** Maximum number of things of one kind that are named. */
const MAX_NAMED = 10;

/** Creates the command restore, which restores the data folder from a backup. */
export function restoreCommand({ host, paint, finish }: Cli): Command {
  const command = commandWithExamples("restore", "restore the data folder from a backup", [
    "market-signal restore --dry-run backup.db",
    "DATA_DIR=/srv/market-signal market-signal restore backup.db",
    "market-signal restore --replace backup.db",
  ])
    .argument(
      "<file>",
      "file written by `market-signal backup` or by a server, or a plain copy of its database",
    )
    .option("--replace", "move the content of the data folder to a new folder in it first")
    .option("--dry-run", "only show what the backup holds and what restoring it would change")
    .action(
      async (
        file: string,
        {
          replace = false,
          dryRun = false,
          json = false,
        }: { replace?: boolean; dryRun?: boolean; json?: boolean },
      ) => {
        const report = await host.restore({ file: resolve(host.folder ?? ".", file), replace, dryRun });
        writeOutput(host.out, { json: report, lines: formatRestore(report, paint) }, json);
        finish(report.refusals.length > 0 ? 2 : 0);
      },
    );
  return withJson(command);
}

function formatRestore(report: RestoreReport, paint: Cli["paint"]): string[] {
  const { dry_run: isDryRun, manifest, agents, deliveries, live_connections: live } = report;
  const by =
    manifest.created_at === undefined || manifest.version === undefined
      ? "a copy of a database without a manifest: its contents cannot be compared"
      : `written at ${manifest.created_at} by version ${manifest.version}`;
  return [
    isDryRun
      ? `The backup ${report.file} is intact, ${formatSize(report.bytes)}; nothing was changed.`
      : `Restored ${report.file} to ${report.data_dir}.`,
    `Backup: ${by}.`,
    ...formatContents(manifest),
    formatKeys(report),
    ...formatList(
      `Connections that cannot be used without the master key ${report.master_key_id}`,
      report.unusable_connections.map(nameConnection),
    ).map((line) => paint("yellow", line)),
    ...formatList(
      `Agents ${isDryRun ? "that would be stopped" : "that were stopped; start again what you need"}`,
      agents.map(({ agent, agent_id, account }) => `${agent} ${agent_id} of ${account}`),
    ),
    ...formatList(
      `Alerts that were due and ${isDryRun ? "would not be" : "are not"} sent`,
      deliveries.map(
        ({ delivery_id, account, target, created_at }) =>
          `${delivery_id} of ${account} at ${created_at} to ${target ?? "no receiver"}`,
      ),
    ),
    ...formatList(
      "Live connections that accept no order until their orders were reconciled with the broker",
      live.map(nameConnection),
    ),
    ...(isDryRun ? formatPlan(report, paint) : formatEnd(report)),
  ];
}

function formatKeys({ master_key_id, master_key_source, manifest, dry_run }: RestoreReport): string {
  if (master_key_id === null) return "Master key: not needed, the backup holds no sealed secrets.";
  if (master_key_source === null)
    return `Master key id: ${master_key_id} is needed and missing. Copy it to master.key in the data folder, or set MASTER_KEY_FILE to its path.`;
  const note = dry_run && manifest.keys.length > 0 ? ", which needs its passphrase" : "";
  return `Master key id: ${master_key_id}, from the ${master_key_source}${master_key_source === "backup" ? note : ""}.`;
}

const formatEnd = ({ previous_content, audit_seq }: RestoreReport): string[] => [
  audit_seq === null
    ? "The audit log names this backup once the server starts with the master key."
    : `Entry ${audit_seq} of the audit log names this backup.`,
  ...(previous_content === null
    ? []
    : [`The previous content is in ${previous_content}; delete it when it is not needed any more.`]),
  "Check with `market-signal doctor`, then start the server.",
];

/** Says what a restore would do to the data folder now. */
function formatPlan({ refusals, moved, data_dir }: RestoreReport, paint: Cli["paint"]): string[] {
  if (refusals.length > 0)
    return refusals.map((refusal) => paint("red", `Restoring it would be refused: ${refusal}.`));
  if (moved.length === 0) return [`Restoring it would fill the data folder ${data_dir}, which is empty.`];
  const more = moved.length > MAX_NAMED ? ` and ${moved.length - MAX_NAMED} more` : "";
  return [
    `Restoring it would move the content of ${data_dir} to a new folder aside-<time> in it: ${moved.slice(0, MAX_NAMED).join(", ")}${more}.`,
  ];
}

const formatList = (title: string, items: readonly string[]): string[] => {
  if (items.length === 0) return [];
  const more = items.length > MAX_NAMED ? [`  and ${items.length - MAX_NAMED} more`] : [];
  return [`${title}:`, ...items.slice(0, MAX_NAMED).map((item) => `  ${plainText(item, 200)}`), ...more];
};

const nameConnection = ({ connection_id, broker, account_type, account }: ConnectionName): string =>
  `${connection_id}, ${broker} ${account_type} of ${account}`;
