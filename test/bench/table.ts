import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { rows as mcpRows } from "./mcp.ts";
import { commandRows } from "./table/commands.ts";
import { httpRows } from "./table/http.ts";
import { REASONS } from "./table/reasons.ts";
import { atLeast, atMost, only, type Row } from "./table/row.ts";

const PAGE = "docs/benchmarks.md";

/** Measures every row of docs/benchmarks.md, prints the table, and with `--write` writes it into the page. */
export async function run(): Promise<void> {
  const loadBefore = loadavg()[0]!.toFixed(1);
  const rows = [...(await httpRows()), ...(await mcpRows()), ...(await commandRows()), ...computeRows()];
  const machine = `Measured on ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}, load before ${loadBefore}`;
  const table = [
    "| Measure | Measured | To reach | Result |",
    "| --- | --- | --- | --- |",
    ...rows.map(
      ({ measure, value, reach, reached }) =>
        `| ${measure} | ${value} | ${reach} | ${reached === null ? "" : reached ? "reached" : "not reached"} |`,
    ),
  ];
  const reasons = rows
    .filter(({ reached, measure }) => reached === false && REASONS[measure] !== undefined)
    .map(({ measure }) => `- **${measure}**: ${REASONS[measure]}`);
  const lines = [machine, "", ...table, "", "## What stands in the way", "", ...reasons];
  console.log(lines.join("\n"));
  if (process.argv.includes("--write")) writeFileSync(PAGE, pageOf(lines));
}

const pageOf = (lines: readonly string[]): string =>
  `${[
    "# Benchmarks",
    "",
    'Written by `npm run bench -- table --write` (`npm run bench` prints the same table). Own program and peers run in turns in the same run, each in a process of its own; a speed is the median of the rounds, a ratio the median of their ratios. A measure "of" another program is the own speed divided by its speed. The client runs on the same machine.',
    "",
    ...lines,
  ].join("\n")}\n`;

/** Rows of benchmarks that run in a process of their own; each prints more when run alone. */
function computeRows(): readonly Row[] {
  const indicators = outputOf("indicators");
  const faster = (index: number) =>
    Number(
      [...indicators.matchAll(/([\d.]+)x of trading-signals, ([\d.]+)x of technicalindicators/g)].at(-3)?.[
        index
      ],
    );
  const [, ofTaLib] = /([\d.]+)x of TA-Lib/.exec(indicators) ?? [];
  const columns = "five indicators over 100,000 bars with new columns, of TA-Lib";
  const backtest = outputOf("backtest");
  const bars = Number(/both +[\d.]+ ms +([\d.]+) M bars\/s/.exec(backtest)?.[1]);
  const sweep = Number(/sweep of .*: ([\d.]+) s/.exec(backtest)?.[1]);
  const [, seconds, memory] =
    /5000 symbols .* ([\d.]+) s .* ms a symbol .* peak (\d+) MB/.exec(outputOf("engine")) ?? [];
  const [, chart] = /SVG and PNG +median ([\d.]+) ms/.exec(outputOf("chart")) ?? [];
  return [
    only("five indicators over 100,000 bars, of trading-signals", faster(1).toFixed(1)),
    only("five indicators over 100,000 bars, of technicalindicators", faster(2).toFixed(1)),
    ofTaLib === undefined ? only(columns, "TA-Lib is not installed") : atLeast(columns, Number(ofTaLib), 0.8),
    atLeast("backtest of a moving average cross, million bars/s", bars, 10, bars.toFixed(1)),
    atMost("sweep of 1,225 pairs over 2,148 bars", 1_000 * sweep, 1_000, "ms"),
    atMost("nightly run of 5,000 symbols with 500 bars", 1_000 * Number(seconds), 5_000, "ms"),
    atMost("memory of the nightly run, peak", Number(memory), 500, "MB"),
    only("chart as PNG", `${chart} ms`),
  ];
}

function outputOf(name: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "test/bench/run.ts", name], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`${name}: ${stderr}`);
  return stdout;
}
