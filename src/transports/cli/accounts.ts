import { rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { OWNER_ACCOUNT, PLAN_RANK } from "../../domain/accounts/access.ts";
import type { AccountSummary } from "../../domain/accounts/accounts-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { shellWord } from "../../lib/shell-quote.ts";
import { signInCommands } from "./accounts-sign-in.ts";
import { formatRows } from "./answer.text.ts";
import { type Cli, type CommandOutput, commandWithExamples, withJson } from "./command.ts";
import type { OpenedAccounts } from "./host.ts";
import { parsePlan } from "./key-options.ts";
import { createOwnerFile } from "./owner-file.ts";

interface Options {
  readonly plan?: string;
  readonly terms?: string;
  readonly out?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}
type Task = (opened: OpenedAccounts, id: string, options: Options) => Promise<CommandOutput | number>;

/**
 * Creates the command accounts list | show | plan | suspend | resume | export | delete | invite | reset-sign-in | apps. It works while a server uses the same data folder.
 */
export function accountsCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const action = (task: Task) =>
    cli.action(
      () => host.openAccounts(),
      (opened: OpenedAccounts, options: Options, id: string) => task(opened, id, options),
    );
  const command = (name: string, summary: string, examples: readonly string[]) =>
    commandWithExamples(name, summary, examples).argument(
      "<account>",
      "id of the account, as `accounts list` shows it",
    );
  const changed = (account: AccountSummary, sentence: string): CommandOutput => ({
    json: account,
    lines: [sentence],
  });

  const list = commandWithExamples("list", "list the accounts, oldest first, and unused sign-in links", [
    "market-signal accounts list",
    "market-signal accounts list --json",
  ]).action(
    cli.action(
      () => host.openAccounts(),
      async ({ accounts, people }: OpenedAccounts) => {
        const [found, invitations] = [await accounts.list(), await people.invitations()];
        const rows = found.map(({ id, plan, terms, keys, last_used_at, suspended_at, created_at }) => ({
          account: id,
          plan: terms === null ? plan : `${plan} (${terms})`,
          state: stateOf({ suspended_at }),
          keys,
          used: last_used_at ?? "never",
          created: created_at,
        }));
        const open = invitations.map(({ account, role, expires_at }) => ({
          account,
          role,
          until: expires_at,
        }));
        const lines = [
          ...(rows.length === 0 ? ["No accounts."] : formatRows(rows, paint)),
          ...(open.length === 0 ? [] : ["unused sign-in links:", ...formatRows(open, paint)]),
        ];
        return { json: { accounts: found, invitations }, lines };
      },
    ),
  );

  const show = command("show", "show an account: its keys, what is stored for it, and its usage", [
    "market-signal accounts show acme",
    "market-signal accounts show acme --json",
  ]).action(
    action(async ({ accounts, usage }, id) => {
      const account = await accounts.show(id);
      const used = await usage(id);
      const { plan, terms, created_at, keys, stored, open_live_orders: open } = account;
      const keyRows = keys.map(({ id: key, name, last4, state, scopes, expires_at, last_used_at }) => ({
        id: key,
        key: `...${last4}`,
        state,
        scopes: scopes.join(","),
        expires: expires_at ?? "never",
        used: last_used_at ?? "never",
        name,
      }));
      const rows = Object.entries(stored).map(([table, count]) => `${table} ${count}`);
      return {
        json: { ...account, usage: used },
        lines: [
          `${paint("bold", id)}: ${plan} plan${terms === null ? "" : `, terms ${terms}`}, ${stateOf(account)}, created ${created_at}`,
          ...(keyRows.length === 0 ? ["No keys."] : formatRows(keyRows, paint)),
          `last ${used.days} days: ${used.calls} calls, ${used.failed} failed, ${used.characters} characters`,
          paint("dim", `by tool, key or day: \`market-signal usage --account ${shellWord(id)} --by tool\``),
          `stored rows: ${rows.join(", ")}`,
          ...(open.length === 0 ? [] : [`open live orders: ${open.join(", ")}`]),
        ],
      };
    }),
  );

  const plan = command("plan", "change the plan of an account; its keys change at once", [
    "market-signal accounts plan acme --plan pro",
    "market-signal accounts plan acme --terms 'Professional (custom)'",
  ])
    .option("--plan <plan>", `new plan: ${Object.keys(PLAN_RANK).join(", ")}`)
    .option(
      "--terms <row>",
      "row of the plan schedule to use instead of the row of the account's plan; `none` removes it",
    )
    .action(
      action(async ({ accounts }, id, { plan: name, terms }) => {
        const change = {
          ...(name !== undefined && { plan: parsePlan(name) }),
          ...(terms !== undefined && { terms: terms === "none" ? null : terms }),
        };
        if (Object.keys(change).length === 0)
          throw new ToolError("INVALID_INPUT", "Nothing to change", {
            hint: "Pass --plan, --terms or both.",
          });
        return changed(await accounts.setPlan(id, change, OWNER_ACCOUNT), `Changed ${id}.`);
      }),
    );

  const suspend = command("suspend", "refuse all keys of an account, within a second, until it is resumed", [
    "market-signal accounts suspend acme",
  ]).action(
    action(async ({ accounts }, id) =>
      changed(
        await accounts.suspend(id, OWNER_ACCOUNT),
        `Suspended ${id}. Its agents stop at their next run. Orders at its brokers stay open.`,
      ),
    ),
  );

  const resume = command("resume", "accept the keys of a suspended account again", [
    "market-signal accounts resume acme",
  ]).action(
    action(async ({ accounts }, id) => changed(await accounts.resume(id, OWNER_ACCOUNT), `Resumed ${id}.`)),
  );

  const exportAll = command("export", "write everything stored for an account as one JSON document", [
    "market-signal accounts export acme --out acme.json",
  ])
    .option("--out <file>", "new file to write. Default: stdout")
    .addHelpText("after", EXPORT_HELP)
    .action(
      action(async ({ accounts }, id, { out: file }) => {
        const parts = await accounts.export(id, OWNER_ACCOUNT);
        if (file === undefined) {
          for await (const part of parts) host.out.write(part);
          return 0;
        }
        const path = resolve(host.folder ?? ".", file);
        await writeOwnerFile(path, parts);
        return {
          json: { account: id, file: path },
          lines: [`Everything stored for ${id}: ${path}, mode 0600`],
        };
      }),
    );

  const remove = command("delete", "delete an account with everything stored for it but its audit entries", [
    "market-signal accounts delete acme --yes",
  ])
    .option("--yes", "confirm that it is deleted permanently")
    .addHelpText("after", DELETE_HELP)
    .action(
      action(async ({ accounts }, id, { yes }) => {
        if (yes !== true)
          throw new ToolError("INVALID_INPUT", `This permanently deletes the account "${id}" and its data`, {
            hint: `Export it first: \`market-signal accounts export ${id} --out ${id}.json\`. Then add --yes.`,
          });
        const deleted = await accounts.delete(id, OWNER_ACCOUNT);
        const total = Object.values(deleted).reduce((sum, count) => sum + count, 0);
        return {
          json: { account: id, deleted },
          lines: [`Deleted ${id}: ${total} rows. Its audit entries stay.`],
        };
      }),
    );

  const group = commandWithExamples(
    "accounts",
    "list, change, suspend, export or delete accounts; invite people to them",
    [
      "market-signal accounts list",
      "market-signal accounts suspend acme",
      "market-signal accounts export acme --out acme.json",
    ],
  );
  for (const one of [list, show, plan, suspend, resume, exportAll, remove, ...signInCommands(cli)])
    group.addCommand(withJson(one));
  return group;
}

const stateOf = ({ suspended_at }: Pick<AccountSummary, "suspended_at">): string =>
  suspended_at === null ? "active" : `suspended since ${suspended_at}`;

const EXPORT_HELP = `
The document has the rows of each table, and the audit entries of the account.
It contains no key, credential or other secret. It is read while the server
runs, so rows that change meanwhile may differ from each other by seconds. The
export is written to the audit log.`;

const DELETE_HELP = `
The command is refused while an order may still be filled in a live account:
cancel such orders first. Positions at brokers stay as they are. Audit entries
stay, so that the log can be verified. Backups made before contain the account.`;

/** Writes a new file that only its owner can read; removes it again if that fails. */
async function writeOwnerFile(path: string, parts: AsyncIterable<string>): Promise<void> {
  const file = createOwnerFile(path);
  try {
    for await (const part of parts) file.write(part);
  } catch (thrown) {
    rmSync(path, { force: true });
    throw thrown;
  } finally {
    file.close();
  }
}
