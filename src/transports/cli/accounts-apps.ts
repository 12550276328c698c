import type { Command } from "commander";
import { OWNER_ACCOUNT } from "../../domain/accounts/access.ts";
import { describeAppLimits, formatApps } from "../../domain/accounts/connected-apps.text.ts";
import type { AppLimitsChange } from "../../domain/accounts/connected-apps.ts";
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
    .option("--app <app>", "id of the app whose limits change, as the list shows it")
    .option("--limit-calls <number>", "calls a day of the app; `none`: only the limits of the account")
    .option(
      "--limit-usd <usd>",
      "US dollars of its live orders within 24 hours; 0: no live orders; `none`: only the limits of the account",
    )
    .option(
      "--disconnect <app>",
      "id of an app, as the list shows it: disconnect this app; its access ends at once",
    )
    .addHelpText("after", HELP)
    .action(
      cli.action(
        () => host.openAccounts(),
        async ({ people }: OpenedAccounts, options: Options, account: string) => {
          const { disconnect, app } = options;
          const change = changeOf(options);
          const changes = Object.keys(change).length > 0;
          if (changes !== (app !== undefined) || (changes && disconnect !== undefined))
            throw new ToolError("INVALID_INPUT", "Pass --app with a limit, or --disconnect alone", {
              hint: "Limits are --limit-calls and --limit-usd.",
            });
          if (disconnect !== undefined) {
            await people.disconnect(account, disconnect, OWNER_ACCOUNT);
            return { json: { account, disconnected: disconnect }, lines: [`Disconnected ${disconnect}.`] };
          }
          if (app !== undefined) {
            const limits = await people.changeLimits(account, app, change, OWNER_ACCOUNT);
            return {
              json: { account, client_id: app, limits },
              lines: [`Limits of ${app}: ${describeAppLimits(limits)}.`],
            };
          }
          const apps = await people.apps(account);
          return { json: { apps }, lines: formatApps(apps, paint) };
        },
      ),
    );
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
