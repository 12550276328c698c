import type { Command } from "commander";
import { OWNER_ACCOUNT } from "../../domain/accounts/access.ts";
import { appNameText, describeAppLimits, formatApps } from "../../domain/accounts/connected-apps.text.ts";
import type { AppLimitsChange, ConnectedAppUse } from "../../domain/accounts/connected-apps.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type Cli, commandWithExamples } from "./command.ts";
import type { OpenedAccounts } from "./host.ts";

interface Options {
  readonly json?: boolean;
  readonly disconnect?: string;
  readonly app?: string;
  readonly limitCalls?: string;
  readonly limitUsd?: string;
}

/** Word for a limit that is removed. */
const NONE = "none";

/** Creates the command accounts apps. */
export function appsCommand(cli: Cli): Command {
  const { host, paint } = cli;
  return commandWithExamples("apps", "list the apps that may act for an account, limit or disconnect one", [
    "market-signal accounts apps owner",
    "market-signal accounts apps owner --app niTWBgAMaYcqeTSvJQrdfTcxGmxfVjLq --limit-calls 500",
    "market-signal accounts apps owner --app niTWBgAMaYcqeTSvJQrdfTcxGmxfVjLq --limit-usd 1000",
    "market-signal accounts apps owner --disconnect niTWBgAMaYcqeTSvJQrdfTcxGmxfVjLq",
  ])
    .argument("<account>", "id of the account, as `accounts list` shows it")
    .option("--app <app>", "id or unique name of the app whose limits change, as the list shows it")
    .option("--limit-calls <number>", "calls a day of the app; `none`: only the limits of the account")
    .option(
      "--limit-usd <usd>",
      "US dollars of its live orders within 24 hours; 0: no live orders; `none`: only the limits of the account",
    )
    .option(
      "--disconnect <app>",
      "id or unique name of an app, as the list shows it: disconnect this app; its access ends at once",
    )
    .addHelpText("after", HELP)
    .action(
      cli.action(
        () => host.openAccounts(),
        async ({ accounts, people }: OpenedAccounts, options: Options, account: string) => {
          const { disconnect: leaving, app: limited } = options;
          const change = changeOf(options);
          const changes = Object.keys(change).length > 0;
          if (changes !== (limited !== undefined) || (changes && leaving !== undefined))
            throw new ToolError("INVALID_INPUT", "Pass --app with a limit, or --disconnect alone", {
              hint: "Limits are --limit-calls and --limit-usd.",
            });
          const apps = await people.apps(account);
          // rejects for no account; the owner has no row before the first key
          if (apps.length === 0 && account !== OWNER_ACCOUNT) await accounts.show(account);
          if (leaving !== undefined) {
            const disconnect = appIdOf(leaving, apps);
            await people.disconnect(account, disconnect, OWNER_ACCOUNT);
            return { json: { account, disconnected: disconnect }, lines: [`Disconnected ${disconnect}.`] };
          }
          if (limited !== undefined) {
            const app = appIdOf(limited, apps);
            const limits = await people.changeLimits(account, app, change, OWNER_ACCOUNT);
            return {
              json: { account, client_id: app, limits },
              lines: [`Limits of ${app}: ${describeAppLimits(limits)}.`],
            };
          }
          return { json: { apps }, lines: formatApps(apps, paint) };
        },
      ),
    );
}

/**
 * Returns the id of an app by its id, then by a name that no other app has; the text unchanged if neither matches.
 * Throws INVALID_INPUT for a name of several apps.
 */
function appIdOf(typed: string, apps: readonly ConnectedAppUse[]): string {
  if (apps.some(({ client_id }) => client_id === typed)) return typed;
  const named = apps.filter(({ name }) => appNameText(name) === typed);
  if (named.length > 1)
    throw new ToolError("INVALID_INPUT", `${named.length} apps of the account are named ${typed}`, {
      hint: "Pass the id of the app instead; the list of apps shows it.",
    });
  return named[0]?.client_id ?? typed;
}

/** Returns the given limits; those of other texts are refused when they are stored. */
const changeOf = ({ limitCalls: calls, limitUsd: usd }: Options): AppLimitsChange => ({
  ...(calls !== undefined && { calls_daily: calls === NONE ? null : Number(calls === "" ? "-" : calls) }),
  ...(usd !== undefined && { live_usd_daily: usd === NONE ? null : usd }),
});

const HELP = `
Days are UTC days; the call limit runs for 24 hours from the first call. Every
live order of an app counts with its notional for 24 hours, also one that closes
a position, unless it was rejected; paper orders do not count. A running server applies a changed limit at once.`;
