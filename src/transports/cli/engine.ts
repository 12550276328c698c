import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Command } from "commander";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import type { EngineRow } from "../../domain/nightly/engine.ts";
import { UNIVERSES } from "../../domain/nightly/engine.ts";
import type { RunReport, RunUniverse } from "../../domain/nightly/engine-port.ts";
import type { Paint } from "../../domain/terminal.ts";
import { ToolError } from "../../kernel/errors.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { plainText } from "../../lib/plain-text.ts";
import { formatTable } from "./answer.text.ts";
import { commandWithExamples } from "./command-with-examples.ts";
import type { CliHost, OpenedInstallation } from "./host.ts";
import { painter, progressBar, wrapToScreen, writeFailure } from "./screen.ts";

/** Names in a file, and its size in bytes. */
const MAX_SYMBOLS = 20_000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SHOWN = 10;
/** Members of a run of which every result is shown. */
const MAX_SHOWN_IN_FULL = 30;
const MAX_RUNS_SHOWN = 20;
const MAX_NAME_LENGTH = 40;

/** engine run | status: the nightly run by hand, and what runs came to. */
export function engineCommand(host: CliHost, finish: (code: number) => void): Command {
  const { out, err } = host;
  const paint = painter(out);
  const opened = async (json: boolean, work: (open: OpenedInstallation) => Promise<void>) => {
    const open = await host.open();
    try {
      await work(open);
      finish(0);
    } catch (thrown) {
      finish(writeFailure(thrown, { out, err, json }));
    } finally {
      await open.close();
    }
  };
  const print = ({ ports }: OpenedInstallation, json: boolean, data: object, lines: readonly string[]) => {
    const label = ports.market.mode === "sample" ? [paint("yellow", SAMPLE_LABEL)] : [];
    out.write(
      json ? `${JSON.stringify(data, null, 2)}\n` : wrapToScreen(out, `${[...label, ...lines].join("\n")}\n`),
    );
  };

  const run = commandWithExamples("run", "compute a whole universe as of its newest close", [
    "market-signal engine run",
    "market-signal engine run --universe crypto",
    "market-signal engine run --universe file:watchlist.txt --json",
    "market-signal engine run --resume",
  ])
    .option("--universe <name>", "sp500, crypto, all, or file:<path> with a symbol a line (default: all)")
    .option("--resume", "go on with the newest run that was stopped, or with that over --universe")
    .option("--json", "print JSON on stdout")
    .action(({ universe: typed, resume = false, json = false }: RunOptions) =>
      opened(json, async (open) => {
        const universe =
          typed === undefined && resume
            ? await open.engine.stopped()
            : parseUniverse(typed ?? "all", host.folder ?? ".");
        if (universe === null)
          return print(open, json, { ok: true, resumed: false }, ["Nothing was stopped."]);
        const now = () => open.ports.clock.now().getTime();
        const bar = progressBar(err, now(), now);
        const request = { universe, resume, signal: host.signal };
        try {
          const report = await open.engine.run({ ...request, progress: bar.step });
          bar.end();
          const { head, ...rest } = report;
          print(open, json, { ok: true, ...head, ...rest }, formatRunReport(report, paint));
        } finally {
          bar.end();
        }
      }),
    );

  const status = commandWithExamples("status", "list runs, newest first", ["market-signal engine status"])
    .option("--json", "print JSON on stdout")
    .action(({ json = false }: { json?: boolean }) =>
      opened(json, async (open) => {
        const runs = await open.engine.status(MAX_RUNS_SHOWN);
        const rows = runs.map(({ run_id, universe, as_of, runAt, members, rows, failures }) => ({
          run: run_id.slice(0, 8),
          universe: plainText(universe, MAX_NAME_LENGTH),
          as_of,
          finished: runAt ?? "not finished",
          symbols: members,
          results: rows,
          failures,
        }));
        print(
          open,
          json,
          { ok: true, runs },
          rows.length === 0 ? ["No runs yet."] : formatTable(rows, paint),
        );
      }),
    );

  return commandWithExamples("engine", "run the nightly engine by hand, see its runs", [
    "market-signal engine run --universe all",
    "market-signal engine status",
  ])
    .addCommand(run)
    .addCommand(status);
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
    throw new ToolError("INVALID_INPUT", "The file names no symbols", { hint: "Write one on each line." });
  if (symbols.length > MAX_SYMBOLS)
    throw new ToolError(
      "INVALID_INPUT",
      `The file names ${symbols.length} symbols, more than ${MAX_SYMBOLS}`,
      {
        hint: "Split it.",
      },
    );
  const odd = lines.findIndex((words) => words.some((word) => !/^[\w.\-/:^=$]{1,40}$/.test(word)));
  // what it says instead may be nobody's business
  if (odd >= 0)
    throw new ToolError("INVALID_INPUT", `Line ${odd + 1} of the file holds what is no symbol`, {
      hint: "Write one symbol on each line; what follows # is passed over.",
    });
  return { name: `file:${basename(path)}`, symbols };
}

const splitSymbols = (line: string): readonly string[] =>
  line
    .replace(/#.*/, "")
    .split(/[\s,;]+/)
    .filter((word) => word !== "");

function readLines(path: string): readonly string[] {
  try {
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > MAX_FILE_BYTES)
      throw new ToolError("INVALID_INPUT", "That is no list of symbols: no plain file, or one of over 1 MB", {
        hint: "Name a text file with one symbol on each line.",
      });
    return readFileSync(path, "utf8").split("\n");
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    const { code = "" } = cause as NodeJS.ErrnoException;
    throw new ToolError("INVALID_INPUT", `The file cannot be read (${code})`, {
      hint: "Write file: and then where it is, as in file:watchlist.txt.",
      cause,
    });
  }
}

/** What a run came to, in a few lines: counts, every result of a few or else the strongest signals, what failed and why. */
function formatRunReport(
  { head, runAt, resumed, rows, failures }: RunReport,
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
    `${paint("bold", plainText(head.universe, MAX_NAME_LENGTH))} as of ${head.as_of}: ${rows.length} of ${head.members.length} symbols computed, ${failures.length} failed${resumed ? "; gone on with a run that was stopped" : ""}`,
    paint("dim", `run ${head.run_id}, ${head.model_version}, finished ${runAt}`),
    ...(unscored > 0 ? [`${unscored} without a score, counted as NEUTRAL and WAIT`] : []),
    count(({ tier }) => tier, ["HOT", "WATCH", "NEUTRAL"]),
    count(({ direction }) => direction, ["LONG", "SHORT", "WAIT"]),
    ...(shown.length === 0 ? [] : formatTable(shown, paint)),
    ...(isFew && shown.some(({ bias }) => bias === "WAIT")
      ? [paint("dim", "WAIT: levels to watch, not a plan")]
      : []),
    ...failed,
  ];
}

/** As the screener orders, what has no score last. */
const byScore = (a: EngineRow, b: EngineRow): number =>
  (b.score ?? -1) - (a.score ?? -1) || (a.symbol < b.symbol ? -1 : 1);

/** What the screener shows of a result, and its close. */
const resultRowOf = (row: EngineRow) => ({
  symbol: row.symbol,
  tier: row.tier,
  bias: row.direction,
  score: row.score === null ? null : row.score.toFixed(1),
  grade: row.grade,
  stage: row.stage,
  close: formatPrice(row.close),
  entry: formatPrice(row.entry),
  stop: formatPrice(row.stop),
  target: formatPrice(row.targets[0]!),
  rr: (Math.floor(100 * row.rr) / 100).toFixed(2),
  phase: row.wyckoff.phase,
});
