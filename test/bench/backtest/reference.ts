import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bars } from "../../../src/domain/market/bars.ts";

/** Result of the same strategy in backtesting.py: median CPU seconds of a run with its statistics, and its results. */
export interface Reference {
  readonly seconds: number;
  readonly final_equity: number;
  readonly trades: number;
}

/** Runs the reference over a CSV file of these bars, or returns a one-line reason why it cannot. */
export function reference(bars: Bars): Reference | string {
  const folder = mkdtempSync(join(tmpdir(), "backtest-bench-"));
  try {
    const file = join(folder, "bars.csv");
    writeFileSync(file, csvOf(bars));
    const { stdout, stderr, error, status } = spawnSync(
      "python3",
      [join(import.meta.dirname, "cross.py"), file],
      { encoding: "utf8" },
    );
    if (error !== undefined) return "backtesting.py was not measured: python3 is not installed";
    if (status !== 0) return `backtesting.py was not measured: ${stderr.trim().split("\n").at(-1)}`;
    const output = JSON.parse(stdout) as Reference | { readonly missing: string };
    return "missing" in output
      ? `backtesting.py was not measured: the Python package ${output.missing} is not installed (on Debian, python3-pandas contains pandas and numpy; install backtesting and bokeh with pip)`
      : output;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function csvOf({ time, open, high, low, close, volume }: Bars): string {
  const rows = Array.from(time, (at, i) =>
    [
      new Date(at).toISOString().slice(0, 10),
      ...[open, high, low, close, volume].map((column) => column[i]),
    ].join(","),
  );
  return `Date,Open,High,Low,Close,Volume\n${rows.join("\n")}\n`;
}
