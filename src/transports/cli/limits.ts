import type { Command } from "commander";
import { describeLimits, type LimitDescription } from "../../domain/trading/limits.text.ts";
import type { KillSwitch, RiskLimits } from "../../domain/trading/risk.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Paint } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { commandWithExamples } from "./command-with-examples.ts";
import type { CliHost, OpenedTrading } from "./host.ts";
import { parseLimits } from "./limit-terms.ts";
import { type CommandOutput, runOwnerCommand } from "./owner-command.ts";
import { painter } from "./screen.ts";

const DEFAULT_ACCOUNT = "owner";
const MAX_REASON_LENGTH = 200;

interface Options {
  readonly account?: string;
  readonly reason?: string;
  readonly json?: boolean;
}
type Task = (
  trading: OpenedTrading,
  account: string,
  options: Options,
  words: readonly string[],
) => Promise<CommandOutput>;

/** limits show | set | reset | engage | release: what an account may trade, for the owner of the server alone. */
export function limitsCommand(host: CliHost, finish: (code: number) => void): Command {
  const { out, err } = host;
  const paint = painter(out);
  const work =
    (task: Task) =>
    async (...given: readonly unknown[]) => {
      const { json = false, account = DEFAULT_ACCOUNT, ...options } = given.at(-2) as Options;
      const words = Array.isArray(given[0]) ? (given[0] as readonly string[]) : [];
      await runOwnerCommand(
        { out, err, finish, json },
        () => host.openTrading(),
        async (trading) => {
          await checkAccount(account, trading);
          return task(trading, account, options, words);
        },
      );
    };

  const show = commandWithExamples("show", "show what an account may trade", [
    "market-signal limits show",
    "market-signal limits show --account desk --json",
  ]).action(
    work(async (trading, account) => {
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
            : "Live trading is off: TRADING_LIVE=1 switches it on. Paper is traded without it.",
        ],
      };
    }),
  );
  const set = commandWithExamples("set", "change limits of an account; its keys follow at once", [
    "market-signal limits set max_notional_usd=5000 symbols=AAPL,MSFT",
    "market-signal limits set hours=any max_daily_loss_pct=none --account desk",
  ])
    .argument("<name=value...>", "limits as `limits show` names them; none switches one off")
    .action(
      work(async (trading, account, _, words) => {
        const change = parseLimits(words, trading.symbols);
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
  const reset = commandWithExamples("reset", "put back the default limits of an account", [
    "market-signal limits reset",
    "market-signal limits reset --account desk",
  ]).action(
    work(async (trading, account) => {
      const limits = await trading.setLimits(account, null);
      return { json: { account, limits }, lines: [`The default limits hold for ${account} again.`] };
    }),
  );
  const turn = (engaged: boolean) =>
    work(async (trading, account, { reason }) => {
      const said = reason === undefined ? "" : plainText(reason, MAX_REASON_LENGTH);
      const killSwitch = await trading.switchOrders(account, engaged, said === "" ? null : said);
      return { json: { account, kill_switch: killSwitch }, lines: [formatKillSwitch(killSwitch, paint)] };
    });
  const engage = commandWithExamples(
    "engage",
    "engage the kill switch: no live order of an account is sent",
    ["market-signal limits engage --reason 'odd fills'", "market-signal limits engage --account desk"],
  )
    .option("--reason <text>", "reason, stored in the record")
    .action(turn(true));
  const release = commandWithExamples("release", "release the kill switch: live orders may be sent again", [
    "market-signal limits release",
    "market-signal limits release --account desk",
  ])
    .option("--reason <text>", "reason, stored in the record")
    .action(turn(false));

  const group = commandWithExamples(
    "limits",
    "show and change what an account may trade; stop its live orders",
    [
      "market-signal limits show",
      "market-signal limits set max_notional_usd=5000 symbols=AAPL,MSFT hours=any",
      "market-signal limits reset",
      "market-signal limits release --account desk",
    ],
  );
  for (const one of [show, set, reset, engage, release])
    group.addCommand(
      one
        .option("--account <id>", `account, as \`keys list\` names it [default: ${DEFAULT_ACCOUNT}]`)
        .option("--json", "print JSON on stdout"),
    );
  return group;
}

/** Lets the name of an account pass that is here. Throws NOT_FOUND with those there are. */
export async function checkAccount(
  account: string,
  { accounts }: Pick<OpenedTrading, "accounts">,
): Promise<void> {
  const known = await accounts();
  if (known.includes(account)) return;
  throw new ToolError("NOT_FOUND", `There is no account "${account}" here`, {
    hint: `Accounts: ${known.join(", ")}.`,
  });
}

const valuesOf = (limits: RiskLimits): ReadonlyMap<LimitDescription["limit"], string | null> =>
  new Map(describeLimits(limits).map(({ limit, value }) => [limit, value]));

function formatLimits(limits: RiskLimits, set: Partial<RiskLimits>, paint: Paint): readonly string[] {
  const words = describeLimits(limits);
  const width = Math.max(...words.map(({ limit }) => limit.length));
  return words.map(({ limit, value, hint }) => {
    const line = `${limit.padEnd(width)}  ${(value ?? (limit === "symbols" ? "any" : "none")).padEnd(8)}  ${hint}${limit in set ? " (set)" : ""}`;
    return limit in set ? line : paint("dim", line);
  });
}

function formatKillSwitch({ engaged, since, reason }: KillSwitch, paint: Paint): string {
  const when = since === null ? "" : ` since ${since}`;
  const why = reason === null ? "" : `: ${plainText(reason, MAX_REASON_LENGTH)}`;
  return engaged
    ? paint("red", `Kill switch engaged${when}${why}. No live order is sent.`)
    : `Kill switch released${when}${why}.`;
}
