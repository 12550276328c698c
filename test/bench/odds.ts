import { readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { testData } from "../support/test-data.ts";
import { coverageJson } from "./odds/coverage.ts";
import { type OddsBenchOptions, oddsBenchOptions } from "./odds/options.ts";
import { rangeText, sectionText, speedText, writePage } from "./odds/page.ts";
import { type DailyFile, readDailyFiles } from "./odds/read-folder.ts";
import { type Section, sectionOf } from "./odds/results.ts";
import { speedOf } from "./odds/speed.ts";
import { walkFiles } from "./odds/walk-files.ts";

const COVERAGE = join(import.meta.dirname, "../../src/analytics/odds/past-coverage.json");
const DEFAULT_FOLDERS = ["us_daily", "crypto_daily"] as const;

/**
 * Scores past odds of daily files and prints the results. `--data <folder>` (may be repeated) replaces the default
 * files, `--class us|crypto` says what all files are, `--adjusted` that prices are adjusted for splits, `--paths <n>`
 * changes the number of paths (default: 2,000), and `--write` writes docs/odds.md, and
 * from the default files the coverage that `get_odds` publishes.
 */
export async function run(): Promise<void> {
  const options = optionsOrNull();
  if (options === null) return;
  const folders =
    options.folders.length === 0
      ? DEFAULT_FOLDERS.flatMap((name) => testData("ohlcv", name) ?? [])
      : options.folders.map((folder) => resolve(folder));
  const files: DailyFile[] = [];
  const funds = fundSymbols();
  const sections: Section[] = [];
  for (const folder of folders) {
    const read = filesOrNull(folder, { ...options, funds });
    if (read === null) return;
    files.push(...read);
    for (const assetClass of ["equity", "crypto"] as const) {
      const own = read.filter((file) => file.assetClass === assetClass);
      if (own.length === 0) continue;
      const section = sectionOf(basename(folder), own, await walkFiles(own, options.paths), {
        paths: options.paths,
        scales: sections.find((earlier) => earlier.assetClass === "equity")?.range.scales ?? null,
      });
      sections.push(section);
      console.log(`${sectionText(section, 2)}\n`);
    }
  }
  if (sections.length === 0) {
    fail("No daily files to score: name a folder with --data, or set MARKET_SIGNAL_TEST_DATA.");
    return;
  }
  console.log(`## Range position\n\n${rangeText(sections)}\n`);
  const speed = speedOf(files.map(({ bars }) => bars));
  console.log(speedText(speed));
  if (!options.isWritten) return;
  const day = new Date().toISOString().slice(0, 10);
  await writePage({ sections, speed, day, paths: options.paths });
  if (options.folders.length === 0) writeFileSync(COVERAGE, coverageJson(sections, day));
}

/** Reads a folder and names the files that are skipped; null, after a message, if it cannot be read. */
function filesOrNull(
  folder: string,
  options: Parameters<typeof readDailyFiles>[1],
): readonly DailyFile[] | null {
  try {
    const { files, skipped } = readDailyFiles(folder, options);
    for (const { name, reason } of skipped) console.log(`skipped ${name}: ${reason}`);
    for (const { symbol, notes } of files) for (const note of notes) console.log(`${symbol}: ${note}`);
    return files;
  } catch (error) {
    fail((error as Error).message);
    return null;
  }
}

/** Returns the symbols of US exchange-traded funds in the list of listings; empty without the list. */
function fundSymbols(): ReadonlySet<string> {
  const path = testData("universe", "nasdaqtraded_2026-05-12.txt");
  if (path === null) return new Set();
  const rows = readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.split("|"));
  return new Set(rows.filter((cells) => cells[5] === "Y").map((cells) => cells[1]!));
}

function optionsOrNull(): OddsBenchOptions | null {
  try {
    return oddsBenchOptions(process.argv.slice(3));
  } catch (error) {
    fail((error as Error).message);
    return null;
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}
