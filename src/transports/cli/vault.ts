import { resolve } from "node:path";
import type { Command } from "commander";
import { ToolError } from "../../kernel/errors.ts";
import { commandWithExamples } from "./command-with-examples.ts";
import type { CliHost, OpenedVault } from "./host.ts";
import { type CommandOutput, runOwnerCommand } from "./owner-command.ts";
import { painter } from "./screen.ts";

/** vault rotate | forget: the key that seals broker credentials, other secrets and the key of the audit log. */
export function vaultCommand(host: CliHost, finish: (code: number) => void): Command {
  const { out, err } = host;
  const paint = painter(out);
  const work = (json: boolean, task: (vault: OpenedVault) => Promise<CommandOutput>) =>
    runOwnerCommand({ out, err, finish, json }, () => host.openVault(), task);

  const rotate = commandWithExamples(
    "rotate",
    "put all broker credentials and secrets, and the key of the audit log, under a new master key",
    ["market-signal vault rotate", "market-signal vault rotate --new-key-file /etc/market-signal/master.key"],
  )
    .option("--new-key-file <file>", "file of the new key; created if it does not exist")
    .option("--json", "print JSON on stdout")
    .action(async ({ newKeyFile, json = false }: { newKeyFile?: string; json?: boolean }) =>
      work(json, async (vault) => {
        const file = newKeyFile === undefined ? undefined : resolve(host.folder ?? ".", newKeyFile);
        const rotated = await vault.rotate(file);
        const next =
          rotated.instead_of === null
            ? "A running server follows by itself."
            : `Now set MASTER_KEY_FILE=${rotated.file} in place of ${rotated.instead_of}, and start the server again.`;
        return {
          json: rotated,
          lines: [
            `${formatCounts(rotated)} under the master key ${rotated.key_id} in ${rotated.file}.`,
            next,
            paint("dim", "Copy that file to a safe place; earlier backups open with the old key alone."),
          ],
        };
      }),
    );

  const forget = commandWithExamples(
    "forget",
    "delete all broker connections and secrets after the master key is lost",
    ["market-signal vault forget --yes"],
  )
    .option("--yes", "confirm that they are deleted permanently")
    .option("--json", "print JSON on stdout")
    .action(async ({ yes = false, json = false }: { yes?: boolean; json?: boolean }) => {
      if (!yes)
        throw new ToolError(
          "INVALID_INPUT",
          "Every account's broker connections, the secrets of its alerts and the key that signs receipts would be forgotten for good",
          {
            hint: "Add --yes. What the audit log holds so far can then not be verified any more: export it first.",
          },
        );
      await work(json, async (vault) => {
        const { connections, secrets } = await vault.forget();
        return {
          json: { forgotten: connections, secrets },
          lines: [
            `${formatCounts({ connections, secrets, audit_key: false })} forgotten.`,
            paint(
              "dim",
              "The audit log and receipts go on under new keys; what was written and signed so far cannot be verified any more.",
            ),
          ],
        };
      });
    });

  return commandWithExamples("vault", "change the key that seals broker credentials", [
    "market-signal vault rotate",
    "market-signal vault forget --yes",
  ])
    .addCommand(rotate)
    .addCommand(forget);
}

const formatCount = (count: number, what: string): string =>
  count === 1 ? `1 ${what}` : `${count} ${what}s`;

function formatCounts({
  connections,
  secrets,
  audit_key,
}: Pick<Awaited<ReturnType<OpenedVault["rotate"]>>, "connections" | "secrets" | "audit_key">): string {
  const parts = [
    formatCount(connections, "broker connection"),
    ...(secrets > 0 ? [formatCount(secrets, "secret")] : []),
    ...(audit_key ? ["the key of the audit log"] : []),
  ];
  return [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
}
