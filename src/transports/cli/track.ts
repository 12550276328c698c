import type { Command } from "commander";
import { AsOf, momentOf } from "../../domain/answers.ts";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { UNIVERSES } from "../../domain/nightly/engine.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { TrackRow } from "../../domain/track-record/track.ts";
import type { ReplayReport, ReplayRequest } from "../../domain/track-record/track-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";
import { formatTable } from "./answer.text.ts";
import { commandWithExamples } from "./command-with-examples.ts";
import type { CliHost } from "./host.ts";
import { painter, progressBar, wrapToScreen, writeFailure } from "./screen.ts";

const MAX_FAILURES_SHOWN = 10;
const MAX_NAME_LENGTH = 40;
const DAY = 86_400_000;

/** track replay: the record of signals made of history. */
export function trackCommand(host: CliHost, finish: (code: number) => void): Command {
  const { out, err } = host;
  const paint = painter(out);
  const replay = commandWithExamples("replay", "compute the signals of past closes and what came of them", [
    "market-signal track replay",
    "market-signal track replay --universe crypto --from 2024-01-01",
    "market-signal track replay --every 5 --json",
  ])
    .option("--universe <name>", "sp500, crypto or all", "all")
    .option("--from <date>", "first day of decisions; as early as bars reach")
    .option("--every <n>", "one close in so many", "1")
    .option("--json", "print JSON on stdout")
    .action(async ({ json = false, ...typed }: ReplayOptions & { readonly json?: boolean }) => {
      const open = await host.open();
      const now = () => open.ports.clock.now().getTime();
      const bar = progressBar(err, now(), now);
      try {
        const request = { ...parseReplayRequest(typed), signal: host.signal, progress: bar.step };
        const report = await open.track.replay(request);
        bar.end();
        const label = open.ports.market.mode === "sample" ? [paint("yellow", SAMPLE_LABEL)] : [];
        const lines = [...label, ...formatReplayReport(report, paint)];
        out.write(
          json
            ? `${JSON.stringify({ ok: true, ...report }, null, 2)}\n`
            : wrapToScreen(out, `${lines.join("\n")}\n`),
        );
        finish(0);
      } catch (thrown) {
        bar.end();
        finish(writeFailure(thrown, { out, err, json }));
      } finally {
        await open.close();
      }
    });
  return commandWithExamples("track", "make the track record of signals", [
    "market-signal track replay --universe all --every 5",
  ]).addCommand(replay);
}

interface ReplayOptions {
  readonly universe: string;
  readonly from?: string;
  readonly every: string;
}

function parseReplayRequest({
  universe,
  from,
  every,
}: ReplayOptions): Pick<ReplayRequest, "universe" | "from" | "every"> {
  const name = UNIVERSES.find((one) => one === universe);
  if (name === undefined)
    throw new ToolError("INVALID_INPUT", `There is no universe "${plainText(universe, MAX_NAME_LENGTH)}"`, {
      hint: `Universes: ${UNIVERSES.join(", ")}. A list of one's own would be no fixed universe.`,
    });
  const count = Number(every);
  if (!(Number.isInteger(count) && count >= 1))
    throw new ToolError("INVALID_INPUT", "--every takes a whole number from 1");
  if (from === undefined) return { universe: name, every: count };
  if (!AsOf.safeParse(from).success)
    throw new ToolError("INVALID_INPUT", "--from takes a date such as 2024-01-01");
  // a bare date is meant from its first moment on
  return { universe: name, every: count, from: momentOf(from) - (from.length === 10 ? DAY : 0) };
}

/** What a replay came to, in a few lines. */
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
    `${paint("bold", universe)}: ${signals} signals of ${symbols} symbols at ${moments} closes, ${from.slice(0, 10)} to ${until.slice(0, 10)}; ${outcomes} outcomes were new; ${failures.length} of the symbols failed`,
    paint("dim", `replay ${report.run_id}, ${report.model_version}`),
    ...(rows.length === 0
      ? []
      : ["The record so far, after 20 bars:", ...formatTable(rows.map(trackRowOf), paint)]),
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
