import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDailyFolder } from "../support/daily-bars.ts";
import { splitWindows } from "../support/split-windows.ts";
import { testData } from "../support/test-data.ts";
import { falseAlarmsOf, recallOf, stormy } from "./splits/measure.ts";

const SEED = 7;
const PER_SERIES = 20;
const RESULTS = join(import.meta.dirname, "../../docs/results/splits.md");

/**
 * Measures the search for unadjusted splits on planted splits and on real and stretched moves, and prints both error
 * rates; `npm run bench -- splits --write` writes them to docs/results/splits.md.
 */
export function run(): void {
  const folder = testData("ohlcv", "us_daily");
  const windows = testData("numbers", "splits.json");
  if (folder === null || windows === null) {
    console.log("No recorded data here: set MARKET_SIGNAL_TEST_DATA.");
    return;
  }
  const files = [...readDailyFolder(folder).values()];
  const raw = recallOf(files, { perSeries: PER_SERIES, seed: SEED, volumes: "raw" });
  const adjusted = recallOf(files, { perSeries: PER_SERIES, seed: SEED, volumes: "adjusted" });
  const share = (found: number, planted: number) => `${((100 * found) / planted).toFixed(1)} %`;
  const { noSplit, split } = splitWindows(windows);
  const alarms = {
    [`${files.length} US files as they are`]: falseAlarmsOf(files),
    "the same files with stretched moves": falseAlarmsOf(files.map(stormy)),
    "windows of real moves of 2018 and March 2020": falseAlarmsOf(noSplit.map(({ bars }) => bars)),
  };
  const found = falseAlarmsOf(split.map(({ bars }) => bars)).alarms;
  const text = [
    INTRODUCTION,
    "## Splits that are found",
    "| ratio | planted | found | on the evening of the first day | found with volumes that are adjusted |\n|---|---|---|---|---|",
    ...raw.map(
      (row, i) =>
        `| ${row.ratio} | ${row.planted} | ${share(row.found, row.planted)} | ${share(row.foundOnFirstDay, row.planted)} | ${share(adjusted[i]!.found, adjusted[i]!.planted)} |`,
    ),
    `\nOf the ${split.length} recorded windows with real splits in raw prices, ${found} are found.`,
    "\n## Real moves that are taken for splits",
    "| series | bars | overnight changes of 18 % or more | taken for splits |\n|---|---|---|---|",
    ...Object.entries(alarms).map(
      ([name, { bars, moves, alarms: count }]) => `| ${name} | ${bars} | ${moves} | ${count} |`,
    ),
  ].join("\n");
  console.log(text);
  if (process.argv.includes("--write")) writeFileSync(RESULTS, `${text}\n`);
}

const INTRODUCTION = `# How well unadjusted splits are found

Written by \`npm run bench -- splits --write\`. Splits of each ratio (shares after:before) are planted at ${PER_SERIES} random bars
of each of the recorded US files, in windows of 40 bars before and 10 after. The files are adjusted, so whatever is found
in them without a planted split is an error; few of their moves are as large as a split, so they are also counted with the
moves of 20 of every 120 bars stretched up to five times and volumes up to 2.5 times, a made-up crisis. The recorded
windows are those that the limits were chosen with. Moves that the market shared are not left out here: that further lowers the errors.
`;
