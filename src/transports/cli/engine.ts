import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Command } from "commander";
import type { EngineRow } from "../../domain/nightly/engine.ts";
import { UNIVERSES } from "../../domain/nightly/engine.ts";
import type { RunReport, RunUniverse } from "../../domain/nightly/engine-port.ts";
import { formatRewardToRisk } from "../../domain/signal/reward-to-risk.text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import { ToolError } from "../../kernel/errors.ts";
import { readErrorText } from "../../lib/file-error.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { plainText } from "../../lib/plain-text.ts";
import { formatRows } from "./answer.text.ts";
import { type Cli, commandWithExamples, withJson, withProgressBar, withSampleLabel } from "./command.ts";
import type { OpenedInstallation } from "./host.ts";

/** Maximum number of symbols in a file, and maximum size of the file. */
const MAX_SYMBOLS = 20_000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SHOWN = 10;
/** Maximum number of symbols for which all results are shown. */
const MAX_SHOWN_IN_FULL = 30;
const MAX_RUNS_SHOWN = 20;
const MAX_NAME_LENGTH = 40;
const MAX_NOTE_LENGTH = 300;

/** Creates the command engine run | status, which starts a nightly run by hand and lists runs. */
export function engineCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const { err } = host;
  const open = () => host.open();

  const run = commandWithExamples("run", "compute all signals of a universe at the newest close", [
    "market-signal engine run",
    "market-signal engine run --universe crypto",
    "market-signal engine run --universe file:watchlist.txt --json",
    "market-signal engine run --resume",
  ])
    .option("--universe <name>", "sp500, crypto, all, or file:<path> with one symbol per line (default: all)")
    .option("--resume", "continue the newest interrupted run, or that of --universe")
    .action(
      cli.action(
        open,
        async (installation: OpenedInstallation, { universe: typed, resume = false }: RunOptions) => {
          const { engine, ports } = installation;
          const universe =
            typed === undefined && resume
              ? await engine.stopped()
              : parseUniverse(typed ?? "all", host.folder ?? ".");
          const outputOf = (json: object, lines: readonly string[]) => ({
            json: { ok: true, ...json },
            lines: withSampleLabel(installation, lines, paint),
          });
          if (universe === null) return outputOf({ resumed: false }, ["There is no interrupted run."]);
          const report = await withProgressBar(err, ports.clock, (progress) =>
            engine.run({ universe, resume, signal: host.signal, progress }),
          );
          const { head, ...rest } = report;
          return outputOf({ ...head, ...rest }, formatRunReport(report, paint));
        },
      ),
    );

  const status = commandWithExamples("status", "list runs, newest first", [
    "market-signal engine status",
  ]).action(
    cli.action(
      () => host.open({ isExisting: true }),
      async (installation: OpenedInstallation) => {
        const runs = await installation.engine.status(MAX_RUNS_SHOWN);
        const rows = runs.map(({ run_id, universe, as_of, runAt, members, rows, failures }) => ({
          run: run_id.slice(0, 8),
          universe: plainText(universe, MAX_NAME_LENGTH),
          as_of,
          finished: runAt ?? "not finished",
          symbols: members,
          results: rows,
          failures,
        }));
        const lines = rows.length === 0 ? ["No runs yet."] : formatRows(rows, paint);
        return { json: { ok: true, runs }, lines: withSampleLabel(installation, lines, paint) };
      },
    ),
  );

  return commandWithExamples("engine", "run the nightly engine by hand, or list its runs", [
    "market-signal engine run --universe all",
    "market-signal engine status",
  ])
    .addCommand(withJson(run))
    .addCommand(withJson(status));
}

interface RunOptions {
  readonly universe?: string;
  readonly resume?: boolean;
  readonly json?: boolean;
}

function parseUniverse(text: string, folder: string): RunUniverse {
  const name = UNIVERSES.find((one) => one === text);
  if (name !== undefined) return { name };
  if (!text.startsWith("file:"))
    throw new ToolError("INVALID_INPUT", `There is no universe "${plainText(text, MAX_NAME_LENGTH)}"`, {
      hint: `Universes: ${UNIVERSES.join(", ")}, file:<path>.`,
    });
  const path = resolve(folder, text.slice("file:".length));
  const lines = readLines(path).map(splitSymbols);
  const symbols = lines.flat();
  if (symbols.length === 0)
    throw invalidFile("The file contains no symbols", "Write one symbol on each line.");
  if (symbols.length > MAX_SYMBOLS)
    throw invalidFile(
      `The file contains ${symbols.length} symbols, more than ${MAX_SYMBOLS}`,
      "Split the file.",
    );
  const invalid = lines.findIndex((words) => words.some((word) => !/^[\w.\-/:^=$]{1,40}$/.test(word)));
  // the line itself is not repeated: it may be private
  if (invalid >= 0)
    throw invalidFile(
      `Line ${invalid + 1} of the file is not a symbol`,
      "Write one symbol on each line; text after # is ignored.",
    );
  return { name: `file:${basename(path)}`, symbols };
}

const invalidFile = (message: string, hint: string): ToolError =>
  new ToolError("INVALID_INPUT", message, { hint });

const splitSymbols = (line: string): readonly string[] =>
  line
    .replace(/#.*/, "")
    .split(/[\s,;]+/)
    .filter((word) => word !== "");

function readLines(path: string): readonly string[] {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES)
      throw invalidFile(
        "The list of symbols is not a regular file, or is larger than 1 MB",
        "Pass a text file with one symbol on each line.",
      );
    return readFileSync(path, "utf8").split("\n");
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    throw new ToolError("INVALID_INPUT", `The file ${path} cannot be read: ${readErrorText(path, cause)}`, {
      hint: "Pass file:<path>, such as file:watchlist.txt.",
      cause,
    });
  }
}

/**
 * Formats a run: counts, all results of a small universe or the strongest signals of a large one, and the failures by
 * code.
 */
function formatRunReport(
  { head, runAt, resumed, rows, failures, stale_notes = [] }: RunReport,
  paint: Paint,
): readonly string[] {
  const count = (of: (row: (typeof rows)[number]) => string, names: readonly string[]) =>
    names.map((name) => `${name} ${rows.filter((row) => of(row) === name).length}`).join("  ");
  const isFew = head.members.length <= MAX_SHOWN_IN_FULL;
  const shown = rows
    .filter(({ tier, score }) => isFew || (tier === "HOT" && score !== null))
    .sort(isFew ? byScore : (a, b) => Math.abs(b.score! - 50) - Math.abs(a.score! - 50))
    .slice(0, isFew ? MAX_SHOWN_IN_FULL : MAX_SHOWN)
    .map(resultRowOf);
  const unscored = rows.filter(({ score }) => score === null).length;
  const codes = [...new Set(failures.map(({ code }) => code))];
  const failed = codes.map((code) => {
    const symbols = failures
      .filter((one) => one.code === code)
      .map(({ symbol }) => plainText(symbol, MAX_NAME_LENGTH));
    const more = symbols.length > MAX_SHOWN ? ` and ${symbols.length - MAX_SHOWN} more` : "";
    return `${paint("yellow", code)} ${symbols.length}: ${symbols.slice(0, MAX_SHOWN).join(", ")}${more}`;
  });
  return [
    ...stale_notes.map((note) => paint("yellow", plainText(note, MAX_NOTE_LENGTH))),
    `${paint("bold", plainText(head.universe, MAX_NAME_LENGTH))} as of ${head.as_of}: ${rows.length} of ${head.members.length} symbols computed, ${failures.length} failed${resumed ? "; continued an interrupted run" : ""}`,
    paint("dim", `run ${head.run_id}, ${head.model_version}, finished ${runAt}`),
    ...(unscored > 0 ? [`${unscored} without a score, counted as NEUTRAL and WAIT`] : []),
    count(({ tier }) => tier, ["HOT", "WATCH", "NEUTRAL"]),
    count(({ direction }) => direction, ["LONG", "SHORT", "WAIT"]),
    ...(shown.length === 0 ? [] : formatRows(shown, paint)),
    ...(isFew && shown.some(({ bias }) => bias === "WAIT")
      ? [paint("dim", "WAIT: levels to watch, not a plan")]
      : []),
    ...failed,
  ];
}

/** Sorts like the screener: highest score first, symbols without a score last. */
const byScore = (a: EngineRow, b: EngineRow): number =>
  (b.score ?? -1) - (a.score ?? -1) || (a.symbol < b.symbol ? -1 : 1);

/** Returns the columns of the screener, and the close. */
const resultRowOf = (row: EngineRow) => ({
  symbol: row.symbol,
  tier: row.tier,
  bias: row.direction,
  score: row.score === null ? null : formatScore(row.score),
  grade: row.grade,
  stage: row.stage,
  close: formatPrice(row.close),
  entry: formatPrice(row.entry),
  stop: formatPrice(row.stop),
  target: formatPrice(row.targets[0]!),
  rr: formatRewardToRisk(row.rr),
  phase: row.wyckoff.phase,
});
