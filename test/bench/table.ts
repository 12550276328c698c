import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { rows as mcpRows } from "./mcp.ts";
import { commandRows } from "./table/commands.ts";
import { httpRows } from "./table/http.ts";
import { REASONS } from "./table/reasons.ts";
import { atLeast, atMost, type Row, withoutTarget } from "./table/row.ts";

const PAGE = "docs/benchmarks.md";

/** Measures every row of docs/benchmarks.md, prints the table, and with `--write` writes it into the page. */
export async function run(): Promise<void> {
  const loadBefore = loadavg()[0]!.toFixed(1);
  const rows = [...(await httpRows()), ...(await mcpRows()), ...(await commandRows()), ...computeRows()];
  const machine = `Measured on ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}, load before ${loadBefore}`;
  const table = [
    "| Figure | Measured | Target | Result |",
    "| --- | --- | --- | --- |",
    ...rows.map(
      ({ name, value, target, isMet }) =>
        `| ${name} | ${value} | ${target} | ${isMet === null ? "" : isMet ? "met" : "not met"} |`,
    ),
  ];
  const reasons = rows
    .filter(({ isMet, name }) => isMet === false && REASONS[name] !== undefined)
    .map(({ name }) => `- **${name}**: ${REASONS[name]}`);
  const lines = [machine, "", ...table, "", "## Why targets are not met", "", ...reasons];
  console.log(lines.join("\n"));
  if (process.argv.includes("--write")) writeFileSync(PAGE, pageOf(lines));
}

const pageOf = (lines: readonly string[]): string =>
  `${[
    "# Benchmarks",
    "",
    'Written by `npm run bench -- table --write` (`npm run bench` prints the same table). Program and peers are measured in turn, each in a process of its own. A speed is the median of all rounds; "relative to" is the median ratio of the speed of the program to that of the peer. The client runs on the same machine.',
    "",
    ...lines,
  ].join("\n")}\n`;

/** Runs further benchmarks, each in a process of its own, and reads their rows from the output. */
function computeRows(): readonly Row[] {
  const indicators = outputOf("indicators");
  const ratioAt = (index: number) =>
    Number(
      [...indicators.matchAll(/([\d.]+)x of trading-signals, ([\d.]+)x of technicalindicators/g)].at(-3)?.[
        index
      ],
    );
  const [, relativeToTaLib] = /([\d.]+)x of TA-Lib/.exec(indicators) ?? [];
  const taLibName = "five indicators over 100,000 bars with new output arrays, relative to TA-Lib";
  const backtest = outputOf("backtest");
  const bars = Number(/both +[\d.]+ ms +([\d.]+) M bars\/s/.exec(backtest)?.[1]);
  const sweep = Number(/sweep of .*: ([\d.]+) s/.exec(backtest)?.[1]);
  const [, seconds, memory] =
    /5000 symbols .* ([\d.]+) s .* ms a symbol .* peak (\d+) MB/.exec(outputOf("engine")) ?? [];
  const [, chart] = /SVG and PNG +median ([\d.]+) ms/.exec(outputOf("chart")) ?? [];
  return [
    withoutTarget("five indicators over 100,000 bars, relative to trading-signals", ratioAt(1).toFixed(1)),
    withoutTarget(
      "five indicators over 100,000 bars, relative to technicalindicators",
      ratioAt(2).toFixed(1),
    ),
    relativeToTaLib === undefined
      ? withoutTarget(taLibName, "TA-Lib is not installed")
      : atLeast(taLibName, Number(relativeToTaLib), 0.8),
    atLeast("backtest of a moving average crossover, million bars/s", bars, 10, bars.toFixed(1)),
    atMost("backtest sweep of 1,225 parameter pairs over 2,148 bars", 1_000 * sweep, 1_000, "ms"),
    atMost("nightly run of 5,000 symbols with 500 bars", 1_000 * Number(seconds), 5_000, "ms"),
    atMost("memory of the nightly run, peak", Number(memory), 500, "MB"),
    withoutTarget("chart as PNG", `${chart} ms`),
  ];
}

function outputOf(name: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "test/bench/run.ts", name], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`${name}: ${stderr}`);
  return stdout;
}
