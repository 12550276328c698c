import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bars } from "../../../src/domain/market/bars.ts";

/** The same strategy in backtesting.py: median CPU seconds of a run with its statistics, and its results. */
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
    if (error !== undefined) return "backtesting.py is not compared with: there is no python3 here";
    if (status !== 0) return `backtesting.py is not compared with: ${stderr.trim().split("\n").at(-1)}`;
    const said = JSON.parse(stdout) as Reference | { readonly missing: string };
    return "missing" in said
      ? `backtesting.py is not compared with: python3 has no ${said.missing} (pandas and numpy are python3-pandas on Debian; backtesting and bokeh come as wheels; nothing is installed from here)`
      : said;
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
