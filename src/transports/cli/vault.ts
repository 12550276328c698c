import { resolve } from "node:path";
import type { Command } from "commander";
import { ToolError } from "../../kernel/errors.ts";
import { type Cli, commandWithExamples, withJson } from "./command.ts";
import type { OpenedVault } from "./host.ts";

/** Creates the command vault rotate | forget, for the master key that encrypts broker credentials and other secrets. */
export function vaultCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const open = () => host.openVault();
  // a running server would go on with the deleted keys in its memory
  const openAlone = () => host.openVault({ isAlone: true });

  const rotate = commandWithExamples(
    "rotate",
    "encrypt all broker credentials and secrets, and the key of the audit log, with a new master key",
    ["market-signal vault rotate", "market-signal vault rotate --new-key-file /etc/market-signal/master.key"],
  )
    .option("--new-key-file <file>", "file with the new key; created if it does not exist")
    .action(
      cli.action(open, async (vault, { newKeyFile }: { newKeyFile?: string; json?: boolean }) => {
        const file = newKeyFile === undefined ? undefined : resolve(host.folder ?? ".", newKeyFile);
        const rotated = await vault.rotate(file);
        const nextStep =
          rotated.instead_of === null
            ? "A running server uses the new key immediately."
            : `Now set MASTER_KEY_FILE=${rotated.file} instead of ${rotated.instead_of}, and restart the server.`;
        return {
          json: rotated,
          lines: [
            `Encrypted ${formatCounts(rotated)} with the master key ${rotated.key_id} in ${rotated.file}.`,
            nextStep,
            paint(
              "dim",
              "Copy that file to a safe place. Older backups can be opened only with the old key.",
            ),
          ],
        };
      }),
    );

  const forget = commandWithExamples(
    "forget",
    "delete all broker connections and secrets after the master key is lost; stop the server first",
    ["market-signal vault forget --yes"],
  )
    .option("--yes", "confirm that they are deleted permanently")
    .action(async (options: { yes?: boolean; json?: boolean }, command: Command) => {
      if (options.yes !== true)
        throw new ToolError(
          "INVALID_INPUT",
          "This permanently deletes the broker connections of all accounts, the secrets of their alerts, the keys of providers, the key that signs receipts, all recovery codes and all sessions; passwords and passkeys stay",
          {
            hint: "Export the audit log first, because its current entries cannot be verified afterwards. Then add --yes.",
          },
        );
      await cli.action(openAlone, async (vault: OpenedVault) => {
        const { connections, secrets } = await vault.forget();
        const people =
          "People have to sign in again. Their recovery codes are deleted; each makes new ones at /account.";
        const warning =
          "The audit log and receipts continue under new keys; earlier entries and receipts can no longer be verified.";
        return {
          json: { forgotten: connections, secrets },
          lines: [
            `Deleted ${formatCounts({ connections, secrets, audit_key: false })}.`,
            paint("dim", people),
            paint("dim", warning),
          ],
        };
      })(options, command);
    });

  return commandWithExamples("vault", "change the master key that encrypts broker credentials", [
    "market-signal vault rotate",
    "market-signal vault forget --yes",
  ])
    .addCommand(withJson(rotate))
    .addCommand(withJson(forget));
}

const formatCount = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun}` : `${count} ${noun}s`;

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
