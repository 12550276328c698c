import { readFileSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Command } from "commander";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import type { EngineRow } from "../../domain/nightly/engine.ts";
import { UNIVERSES } from "../../domain/nightly/engine.ts";
import type { RunReport, RunUniverse } from "../../domain/nightly/engine-port.ts";
import type { Paint } from "../../domain/terminal.ts";
import { ToolError } from "../../kernel/errors.ts";
import { money } from "../../lib/money.ts";
import { plainText } from "../../lib/plain-text.ts";
import { described } from "./described.ts";
import type { CliHost, Opened } from "./host.ts";
import { fitted, painter, progressBar, tellFailure } from "./screen.ts";
import { table } from "./tidy.ts";

/** Names in a file, and its size in bytes. */
const MOST_NAMES = 20_000;
const MAX_BYTES = 1024 * 1024;
const SHOWN = 10;
/** Members of a run of which every result is shown. */
const FEW = 30;
const RUNS_SHOWN = 20;
const LONGEST_NAME = 40;

/** engine run | status: the nightly run by hand, and what runs came to. */
export function engineCommand(host: CliHost, finish: (code: number) => void): Command {
  const { out, err } = host;
  const paint = painter(out);
  const opened = async (json: boolean, work: (open: Opened) => Promise<void>) => {
    const open = await host.open();
    try {
      await work(open);
      finish(0);
    } catch (thrown) {
      finish(tellFailure(thrown, { out, err, json }));
    } finally {
      await open.close();
    }
  };
  const print = ({ ports }: Opened, json: boolean, data: object, lines: readonly string[]) => {
    const label = ports.market.mode === "sample" ? [paint("yellow", SAMPLE_LABEL)] : [];
    out.write(
      json ? `${JSON.stringify(data, null, 2)}\n` : fitted(out, `${[...label, ...lines].join("\n")}\n`),
    );
  };

  const run = described("run", "compute a whole universe as of its newest close", [
    "market-signal engine run",
    "market-signal engine run --universe crypto",
    "market-signal engine run --universe file:watchlist.txt --json",
    "market-signal engine run --resume",
  ])
    .option("--universe <name>", "sp500, crypto, all, or file:<path> with a symbol a line (default: all)")
    .option("--resume", "go on with the newest run that was stopped, or with that over --universe")
    .option("--json", "print JSON on stdout")
    .action(({ universe: typed, resume = false, json = false }: Typed) =>
      opened(json, async (open) => {
        const universe =
          typed === undefined && resume
            ? await open.engine.stopped()
            : universeOf(typed ?? "all", host.folder ?? ".");
        if (universe === null)
          return print(open, json, { ok: true, resumed: false }, ["Nothing was stopped."]);
        const now = () => open.ports.clock.now().getTime();
        const bar = progressBar(err, now(), now);
        const request = { universe, resume, signal: host.signal };
        try {
          const report = await open.engine.run({ ...request, progress: bar.step });
          bar.end();
          const { head, ...rest } = report;
          print(open, json, { ok: true, ...head, ...rest }, summaryOf(report, paint));
        } finally {
          bar.end();
        }
      }),
    );

  const status = described("status", "list runs, newest first", ["market-signal engine status"])
    .option("--json", "print JSON on stdout")
    .action(({ json = false }: { json?: boolean }) =>
      opened(json, async (open) => {
        const runs = await open.engine.status(RUNS_SHOWN);
        const rows = runs.map(({ run_id, universe, as_of, runAt, members, rows, failures }) => ({
          run: run_id.slice(0, 8),
          universe: plainText(universe, LONGEST_NAME),
          as_of,
          finished: runAt ?? "not finished",
          symbols: members,
          results: rows,
          failures,
        }));
        print(open, json, { ok: true, runs }, rows.length === 0 ? ["No runs yet."] : table(rows, paint));
      }),
    );

  return described("engine", "run the nightly engine by hand, see its runs", [
    "market-signal engine run --universe all",
    "market-signal engine status",
  ])
    .addCommand(run)
    .addCommand(status);
}

interface Typed {
  readonly universe?: string;
  readonly resume?: boolean;
  readonly json?: boolean;
}

function universeOf(text: string, folder: string): RunUniverse {
  const name = UNIVERSES.find((one) => one === text);
  if (name !== undefined) return { name };
  if (!text.startsWith("file:"))
    throw new ToolError("INVALID_INPUT", `There is no universe "${plainText(text, LONGEST_NAME)}"`, {
      hint: `Universes: ${UNIVERSES.join(", ")}, file:<path>.`,
    });
  const path = resolve(folder, text.slice("file:".length));
  const lines = linesOf(path).map(wordsOf);
  const symbols = lines.flat();
  if (symbols.length === 0)
    throw new ToolError("INVALID_INPUT", "The file names no symbols", { hint: "Write one on each line." });
  if (symbols.length > MOST_NAMES)
    throw new ToolError(
      "INVALID_INPUT",
      `The file names ${symbols.length} symbols, more than ${MOST_NAMES}`,
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

const wordsOf = (line: string): readonly string[] =>
  line
    .replace(/#.*/, "")
    .split(/[\s,;]+/)
    .filter((word) => word !== "");

function linesOf(path: string): readonly string[] {
  try {
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > MAX_BYTES)
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
function summaryOf({ head, runAt, resumed, rows, failures }: RunReport, paint: Paint): readonly string[] {
  const count = (of: (row: (typeof rows)[number]) => string, names: readonly string[]) =>
    names.map((name) => `${name} ${rows.filter((row) => of(row) === name).length}`).join("  ");
  const isFew = head.members.length <= FEW;
  const shown = rows
    .filter(({ tier, score }) => isFew || (tier === "HOT" && score !== null))
    .sort(isFew ? byScore : (a, b) => Math.abs(b.score! - 50) - Math.abs(a.score! - 50))
    .slice(0, isFew ? FEW : SHOWN)
    .map(lineOf);
  const unscored = rows.filter(({ score }) => score === null).length;
  const codes = [...new Set(failures.map(({ code }) => code))];
  const failed = codes.map((code) => {
    const symbols = failures
      .filter((one) => one.code === code)
      .map(({ symbol }) => plainText(symbol, LONGEST_NAME));
    const more = symbols.length > SHOWN ? ` and ${symbols.length - SHOWN} more` : "";
    return `${paint("yellow", code)} ${symbols.length}: ${symbols.slice(0, SHOWN).join(", ")}${more}`;
  });
  return [
    `${paint("bold", plainText(head.universe, LONGEST_NAME))} as of ${head.as_of}: ${rows.length} of ${head.members.length} symbols computed, ${failures.length} failed${resumed ? "; gone on with a run that was stopped" : ""}`,
    paint("dim", `run ${head.run_id}, ${head.model_version}, finished ${runAt}`),
    ...(unscored > 0 ? [`${unscored} without a score, counted as NEUTRAL and WAIT`] : []),
    count(({ tier }) => tier, ["HOT", "WATCH", "NEUTRAL"]),
    count(({ direction }) => direction, ["LONG", "SHORT", "WAIT"]),
    ...(shown.length === 0 ? [] : table(shown, paint)),
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
const lineOf = (row: EngineRow) => ({
  symbol: row.symbol,
  tier: row.tier,
  bias: row.direction,
  score: row.score === null ? null : row.score.toFixed(1),
  grade: row.grade,
  stage: row.stage,
  close: money(row.close),
  entry: money(row.entry),
  stop: money(row.stop),
  target: money(row.targets[0]!),
  rr: (Math.floor(100 * row.rr) / 100).toFixed(2),
  phase: row.wyckoff.phase,
});
