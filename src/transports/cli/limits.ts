import type { Command } from "commander";
import { type LimitInWords, limitsInWords } from "../../domain/trading/limit-words.ts";
import type { KillSwitch, RiskLimits } from "../../domain/trading/risk.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Paint } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { described } from "./described.ts";
import { atDesk, type Shown } from "./desk.ts";
import type { CliHost, OpenedTrading } from "./host.ts";
import { limitsOf } from "./limit-terms.ts";
import { painter } from "./screen.ts";

const OWNER = "owner";
const LONGEST = 200;

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
) => Promise<Shown>;

/** limits show | set | reset | engage | release: what an account may trade, for the owner of the server alone. */
export function limitsCommand(host: CliHost, finish: (code: number) => void): Command {
  const { out, err } = host;
  const paint = painter(out);
  const work =
    (task: Task) =>
    async (...given: readonly unknown[]) => {
      const { json = false, account = OWNER, ...options } = given.at(-2) as Options;
      const words = Array.isArray(given[0]) ? (given[0] as readonly string[]) : [];
      await atDesk(
        { out, err, finish, json },
        () => host.openTrading(),
        async (trading) => {
          await admit(account, trading);
          return task(trading, account, options, words);
        },
      );
    };

  const show = described("show", "show what an account may trade", [
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
          ...limitLines(limits, set, paint),
          switchLine(killSwitch, paint),
          live
            ? "Live trading is on (TRADING_LIVE=1)."
            : "Live trading is off: TRADING_LIVE=1 switches it on. Paper is traded without it.",
        ],
      };
    }),
  );
  const set = described("set", "change limits of an account; its keys follow at once", [
    "market-signal limits set max_notional_usd=5000 symbols=AAPL,MSFT",
    "market-signal limits set hours=any max_daily_loss_pct=none --account desk",
  ])
    .argument("<name=value...>", "limits as `limits show` names them; none switches one off")
    .action(
      work(async (trading, account, _, words) => {
        const change = limitsOf(words, trading.symbols);
        const before = valuesOf((await trading.limits(account)).limits);
        const limits = await trading.setLimits(account, change);
        const changed = limitsInWords(limits).filter(({ limit }) => limit in change);
        return {
          json: { account, changed: Object.keys(change), limits },
          lines: changed.map(
            ({ limit, value, hint }) =>
              `${limit}: ${before.get(limit) ?? "none"} -> ${value ?? "none"}. ${hint}.`,
          ),
        };
      }),
    );
  const reset = described("reset", "put back the default limits of an account", [
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
      const said = reason === undefined ? "" : plainText(reason, LONGEST);
      const killSwitch = await trading.turnKillSwitch(account, engaged, said === "" ? null : said);
      return { json: { account, kill_switch: killSwitch }, lines: [switchLine(killSwitch, paint)] };
    });
  const engage = described("engage", "engage the kill switch: no live order of an account is sent", [
    "market-signal limits engage --reason 'odd fills'",
    "market-signal limits engage --account desk",
  ])
    .option("--reason <text>", "why, for whoever reads the record")
    .action(turn(true));
  const release = described("release", "release the kill switch: live orders may be sent again", [
    "market-signal limits release",
    "market-signal limits release --account desk",
  ])
    .option("--reason <text>", "why, for whoever reads the record")
    .action(turn(false));

  const group = described("limits", "show and change what an account may trade; stop its live orders", [
    "market-signal limits show",
    "market-signal limits set max_notional_usd=5000 symbols=AAPL,MSFT hours=any",
    "market-signal limits reset",
    "market-signal limits release --account desk",
  ]);
  for (const one of [show, set, reset, engage, release])
    group.addCommand(
      one
        .option("--account <id>", `account, as \`keys list\` names it [default: ${OWNER}]`)
        .option("--json", "print JSON on stdout"),
    );
  return group;
}

/** Lets the name of an account pass that is here. Throws NOT_FOUND with those there are. */
export async function admit(account: string, { accounts }: Pick<OpenedTrading, "accounts">): Promise<void> {
  const known = await accounts();
  if (known.includes(account)) return;
  throw new ToolError("NOT_FOUND", `There is no account "${account}" here`, {
    hint: `Accounts: ${known.join(", ")}.`,
  });
}

const valuesOf = (limits: RiskLimits): ReadonlyMap<LimitInWords["limit"], string | null> =>
  new Map(limitsInWords(limits).map(({ limit, value }) => [limit, value]));

function limitLines(limits: RiskLimits, set: Partial<RiskLimits>, paint: Paint): readonly string[] {
  const words = limitsInWords(limits);
  const width = Math.max(...words.map(({ limit }) => limit.length));
  return words.map(({ limit, value, hint }) => {
    const line = `${limit.padEnd(width)}  ${(value ?? (limit === "symbols" ? "any" : "none")).padEnd(8)}  ${hint}${limit in set ? " (set)" : ""}`;
    return limit in set ? line : paint("dim", line);
  });
}

function switchLine({ engaged, since, reason }: KillSwitch, paint: Paint): string {
  const when = since === null ? "" : ` since ${since}`;
  const why = reason === null ? "" : `: ${plainText(reason, LONGEST)}`;
  return engaged
    ? paint("red", `Kill switch engaged${when}${why}. No live order is sent.`)
    : `Kill switch released${when}${why}.`;
}
