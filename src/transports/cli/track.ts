import type { Command } from "commander";
import { AsOf, momentOf } from "../../domain/answers.ts";
import { UNIVERSES } from "../../domain/nightly/engine.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { TrackRow } from "../../domain/track-record/track.ts";
import type { ReplayReport, ReplayRequest } from "../../domain/track-record/track-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";
import { formatRows } from "./answer.text.ts";
import { type Cli, commandWithExamples, withJson, withProgressBar, withSampleLabel } from "./command.ts";
import type { OpenedInstallation } from "./host.ts";

const MAX_FAILURES_SHOWN = 10;
const MAX_NAME_LENGTH = 40;
const DAY = 86_400_000;

/** Creates the command track replay, which builds the track record from past bars. */
export function trackCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const { err } = host;
  const replay = commandWithExamples("replay", "compute the signals at past closes, and their outcomes", [
    "market-signal track replay",
    "market-signal track replay --universe crypto --from 2024-01-01",
    "market-signal track replay --every 5 --json",
  ])
    .option("--universe <name>", "sp500, crypto or all", "all")
    .option("--from <date>", "first day of signals. Default: the first day with enough bars")
    .option("--every <n>", "evaluate every nth close", "1")
    .action(
      cli.action(
        () => host.open(),
        async (installation: OpenedInstallation, options: ReplayOptions) => {
          const request = parseReplayRequest(options);
          const report = await withProgressBar(err, installation.ports.clock, (progress) =>
            installation.track.replay({ ...request, signal: host.signal, progress }),
          );
          return {
            json: { ok: true, ...report },
            lines: withSampleLabel(installation, formatReplayReport(report, paint), paint),
          };
        },
      ),
    );
  return commandWithExamples("track", "build the track record of signals", [
    "market-signal track replay --universe all --every 5",
  ]).addCommand(withJson(replay));
}

interface ReplayOptions {
  readonly universe: string;
  readonly from?: string;
  readonly every: string;
  readonly json?: boolean;
}

function parseReplayRequest({
  universe,
  from,
  every,
}: ReplayOptions): Pick<ReplayRequest, "universe" | "from" | "every"> {
  const name = UNIVERSES.find((one) => one === universe);
  if (name === undefined)
    throw new ToolError("INVALID_INPUT", `There is no universe "${plainText(universe, MAX_NAME_LENGTH)}"`, {
      hint: `Universes: ${UNIVERSES.join(", ")}. The track record covers only these.`,
    });
  const count = Number(every);
  if (!(Number.isInteger(count) && count >= 1))
    throw new ToolError("INVALID_INPUT", "--every takes a whole number from 1");
  if (from === undefined) return { universe: name, every: count };
  if (!AsOf.safeParse(from).success)
    throw new ToolError("INVALID_INPUT", "--from takes a date such as 2024-01-01");
  // a date means the start of that day
  return { universe: name, every: count, from: momentOf(from) - (from.length === 10 ? DAY : 0) };
}

/** Formats a replay: counts, the track record after 20 bars, and the failures. */
function formatReplayReport(report: ReplayReport, paint: Paint): readonly string[] {
  const { universe, moments, from, until, symbols, signals, outcomes, failures, record } = report;
  const rows = (record?.rows ?? []).filter(
    ({ horizon, direction, asset_class }) =>
      horizon === 20 &&
      direction !== "WAIT" &&
      (universe === "all" || (universe === "crypto") === (asset_class === "crypto")),
  );
  const failed = failures
    .slice(0, MAX_FAILURES_SHOWN)
    .map(({ symbol, message }) => `${paint("yellow", plainText(symbol, MAX_NAME_LENGTH))} ${message}`);
  return [
    `${paint("bold", universe)}: ${signals} signals of ${symbols} symbols at ${moments} closes, ${from.slice(0, 10)} to ${until.slice(0, 10)}; ${outcomes} new outcomes; ${failures.length} symbols failed`,
    paint("dim", `replay ${report.run_id}, ${report.model_version}`),
    ...(rows.length === 0 ? [] : ["Track record after 20 bars:", ...formatRows(rows.map(trackRowOf), paint)]),
    ...failed,
  ];
}

const trackRowOf = (row: TrackRow) => ({
  grade: row.grade,
  side: row.direction,
  class: row.asset_class,
  n: row.n,
  n_eff: rounded(row.n_eff, 1),
  hits: percent(row.hit_rate),
  low: percent(row.interval?.low ?? null),
  high: percent(row.interval?.high ?? null),
  base: percent(row.base_rate),
  excess: percent(row.mean_excess, 2),
  win_r: rounded(row.trades.mean_win_r, 2),
  loss_r: rounded(row.trades.mean_loss_r, 2),
  skill: rounded(row.skill, 4),
});

const rounded = (value: number | null, digits: number): number | null =>
  value === null ? null : Number(value.toFixed(digits));

const percent = (value: number | null, digits = 1): string | null =>
  value === null ? null : `${(100 * value).toFixed(digits)}%`;
