import type { Command } from "commander";
import type { IssuedToken } from "../../access/sign-in/browser-sessions.ts";
import { OWNER_ACCOUNT } from "../../domain/accounts/access.ts";
import { INVITED_ROLES } from "../../domain/accounts/people.ts";
import { ToolError } from "../../kernel/errors.ts";
import { INVITED_PATH } from "../connect.ts";
import { appsCommand } from "./accounts-apps.ts";
import { type Cli, type CommandOutput, commandWithExamples } from "./command.ts";
import type { OpenedAccounts } from "./host.ts";
import { parsePlan } from "./key-options.ts";

interface Options {
  readonly role?: string;
  readonly plan?: string;
  readonly json?: boolean;
}
type Task = (opened: OpenedAccounts, id: string, options: Options) => Promise<CommandOutput>;

/** Creates the commands accounts invite | reset-sign-in | apps. */
export function signInCommands(cli: Cli): readonly Command[] {
  const { host, paint } = cli;
  const command = (name: string, summary: string, examples: readonly string[]) =>
    commandWithExamples(name, summary, examples).argument(
      "<account>",
      "id of the account, as `accounts list` shows it",
    );
  const action = (task: Task) =>
    cli.action(
      () => host.openAccounts(),
      (opened: OpenedAccounts, options: Options, id: string) => task(opened, id, options),
    );
  /** Returns the address of the running server. Rejects with NOT_FOUND if none runs. */
  async function serverUrl(): Promise<string> {
    const server = (await host.server?.()) ?? null;
    if (server !== null) return server.url;
    throw new ToolError("NOT_FOUND", "No server runs on this data folder that a link could open", {
      hint: "Start it with `market-signal serve`.",
    });
  }
  const linkOutput = (url: string, { token, expires_at }: IssuedToken): CommandOutput => {
    const link = `${url}${INVITED_PATH}/${token}`;
    return {
      json: { url: link, expires_at },
      lines: [link, paint("dim", `Send it to the person. It works once, until ${expires_at}.`)],
    };
  };

  const invite = command("invite", "print a link that signs a new person in", [
    "market-signal accounts invite ada",
    "market-signal accounts invite ada --role viewer",
  ])
    .option("--role <role>", `what the person may do: ${INVITED_ROLES.join(", ")}. Default: member`)
    .option("--plan <plan>", "plan of a new account. Default: pro")
    .addHelpText("after", INVITE_HELP)
    .action(
      action(async ({ people }, account, { role: given = "member", plan }) => {
        const role = INVITED_ROLES.find((name) => name === given);
        if (role === undefined)
          throw new ToolError("INVALID_INPUT", `The role is ${INVITED_ROLES.join(" or ")}`);
        const url = await serverUrl();
        const of = { account, role, ...(plan !== undefined && { plan: parsePlan(plan) }) };
        return linkOutput(url, await people.invite(of, OWNER_ACCOUNT));
      }),
    );

  const reset = command(
    "reset-sign-in",
    "end the sessions of an account's person, delete their password and passkeys, and print a new link",
    ["market-signal accounts reset-sign-in ada", "market-signal accounts reset-sign-in owner"],
  ).action(
    action(async ({ people }, account) => {
      const url = await serverUrl();
      return linkOutput(url, await people.resetSignIn(account, OWNER_ACCOUNT));
    }),
  );

  return [invite, reset, appsCommand(cli)];
}

const INVITE_HELP = `
A member has an account of their own, with everything its plan includes. A
viewer only reads. The person opens the link, then sets a password or a passkey
on the page /account, and signs in with the name of the account.`;
