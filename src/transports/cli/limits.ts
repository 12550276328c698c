import type { Command } from "commander";
import { describeLimits, type LimitDescription } from "../../domain/trading/limits.text.ts";
import type { KillSwitch, RiskLimits } from "../../domain/trading/risk.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Paint } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { type Cli, commandWithExamples, withJson } from "./command.ts";
import type { OpenedTrading } from "./host.ts";
import {
  limitRequestCommands,
  type LimitsOptions as Options,
  type LimitsTask as Task,
} from "./limit-requests.ts";

const DEFAULT_ACCOUNT = "owner";
const MAX_REASON_LENGTH = 200;

/**
 * Creates the command limits show | set | reset | engage | release | requests | confirm | refuse, with which the server's owner changes the trading
 * limits of an account.
 */
export function limitsCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const action = (task: Task) =>
    cli.action(
      () => host.openTrading(),
      async (trading: OpenedTrading, options: Options, terms: readonly string[]) => {
        const { account = DEFAULT_ACCOUNT } = options;
        await checkAccount(account, trading);
        return task(trading, account, options, terms);
      },
    );

  const show = commandWithExamples("show", "show the limits and the kill switch of an account", [
    "market-signal limits show",
    "market-signal limits show --account acme --json",
  ]).action(
    action(async (trading, account) => {
      const { limits, set, setAt } = await trading.limits(account);
      const killSwitch = await trading.killSwitch(account);
      const { live } = trading;
      return {
        json: {
          account,
          limits,
          set: Object.keys(set),
          set_at: setAt,
          kill_switch: killSwitch,
          live_trading: live,
        },
        lines: [
          paint("bold", `Account ${account}`),
          ...formatLimits(limits, set, paint),
          formatKillSwitch(killSwitch, paint),
          live
            ? "Live trading is on (TRADING_LIVE=1)."
            : "Live trading is off; TRADING_LIVE=1 switches it on. Paper trading needs no setting.",
        ],
      };
    }),
  );
  const set = commandWithExamples("set", "change limits of an account; they apply at once", [
    "market-signal limits set max_notional_usd=5000 symbols=AAPL,MSFT",
    "market-signal limits set hours=any max_daily_loss_pct=none --account acme",
  ])
    .argument("<name=value...>", "names as in `limits show`; the value `none` switches a limit off")
    .action(
      action(async (trading, account, _, terms) => {
        const change = trading.parseLimits(terms);
        const before = valuesOf((await trading.limits(account)).limits);
        const limits = await trading.setLimits(account, change);
        const changed = describeLimits(limits).filter(({ limit }) => limit in change);
        return {
          json: { account, changed: Object.keys(change), limits },
          lines: changed.map(
            ({ limit, value, hint }) =>
              `${limit}: ${before.get(limit) ?? "none"} -> ${value ?? "none"}. ${hint}.`,
          ),
        };
      }),
    );
  const reset = commandWithExamples("reset", "restore the default limits of an account", [
    "market-signal limits reset",
    "market-signal limits reset --account acme",
  ]).action(
    action(async (trading, account) => {
      const limits = await trading.setLimits(account, null);
      return { json: { account, limits }, lines: [`The default limits apply to ${account} again.`] };
    }),
  );
  const switchTo = (engaged: boolean) =>
    action(async (trading, account, options) => {
      const reason = plainText(options.reason ?? "", MAX_REASON_LENGTH);
      const killSwitch = await trading.switchOrders(account, engaged, reason === "" ? null : reason);
      return { json: { account, kill_switch: killSwitch }, lines: [formatKillSwitch(killSwitch, paint)] };
    });
  const engage = commandWithExamples(
    "engage",
    "engage the kill switch: no live order of an account is sent",
    ["market-signal limits engage --reason 'odd fills'", "market-signal limits engage --account acme"],
  )
    .option("--reason <text>", "reason, stored in the audit log")
    .action(switchTo(true));
  const release = commandWithExamples("release", "release the kill switch: live orders may be sent again", [
    "market-signal limits release",
    "market-signal limits release --account acme",
  ])
    .option("--reason <text>", "reason, stored in the audit log")
    .action(switchTo(false));

  const group = commandWithExamples("limits", "show or change trading limits, or stop live orders", [
    "market-signal limits show",
    "market-signal limits set max_notional_usd=5000 symbols=AAPL,MSFT hours=any",
    "market-signal limits reset",
    "market-signal limits release --account acme",
    "market-signal limits requests",
  ]);
  for (const command of [show, set, reset, engage, release, ...limitRequestCommands(cli, action)])
    group.addCommand(
      withJson(
        command.option("--account <id>", `account, as shown by \`keys list\` [default: ${DEFAULT_ACCOUNT}]`),
      ),
    );
  return group;
}

/** Throws NOT_FOUND, with the known accounts as a hint, unless the account exists. */
export async function checkAccount(
  account: string,
  { accounts }: Pick<OpenedTrading, "accounts">,
): Promise<void> {
  const known = await accounts();
  if (known.includes(account)) return;
  throw new ToolError("NOT_FOUND", `There is no account "${account}" on this server`, {
    hint: `Accounts: ${known.join(", ")}.`,
  });
}

const valuesOf = (limits: RiskLimits): ReadonlyMap<LimitDescription["limit"], string | null> =>
  new Map(describeLimits(limits).map(({ limit, value }) => [limit, value]));

function formatLimits(limits: RiskLimits, set: Partial<RiskLimits>, paint: Paint): readonly string[] {
  const descriptions = describeLimits(limits);
  const width = Math.max(...descriptions.map(({ limit }) => limit.length));
  return descriptions.map(({ limit, value, hint }) => {
    const shown = value ?? (limit === "symbols" ? "any" : "none");
    const line = `${limit.padEnd(width)}  ${shown.padEnd(8)}  ${hint}`;
    return limit in set ? `${line} (set)` : paint("dim", line);
  });
}

function formatKillSwitch({ engaged, since, reason }: KillSwitch, paint: Paint): string {
  const when = since === null ? "" : ` ${engaged ? "since" : "at"} ${since}`;
  const why = reason === null ? "" : `: ${plainText(reason, MAX_REASON_LENGTH)}`;
  return engaged
    ? paint("red", `Kill switch engaged${when}${why}. No live order is sent.`)
    : `Kill switch released${when}${why}.`;
}
