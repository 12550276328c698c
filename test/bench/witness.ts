import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDailyFolder } from "../support/daily-bars.ts";
import { testData } from "../support/test-data.ts";
import { type DoubtCount, doubtsOf } from "./witness/measure.ts";

const RESULTS = join(import.meta.dirname, "../../docs/results/witness.md");

/**
 * Measures how often a true price would need a second provider before it is called live, on recorded days;
 * `npm run bench -- witness --write` writes docs/results/witness.md.
 */
export function run(): void {
  const folders = (["us_daily", "crypto_daily", "crypto_intraday"] as const).map((name) => ({
    name,
    folder: testData("ohlcv", name),
  }));
  if (folders.some(({ folder }) => folder === null)) {
    console.log("No recorded data here: set MARKET_SIGNAL_TEST_DATA.");
    return;
  }
  const rows = folders.map(({ name, folder }) => {
    const series = [...readDailyFolder(folder!).values()];
    return { name, ...doubtsOf(series, name === "us_daily" ? "equity" : "crypto") };
  });
  const text = [INTRODUCTION, HEAD, ...rows.map(rowOf), "", CONCLUSION].join("\n");
  console.log(text);
  if (process.argv.includes("--write")) writeFileSync(RESULTS, `${text}\n`);
}

const share = (part: number, all: number): string => `${((100 * part) / all).toFixed(2)} %`;
const NAMES: Readonly<Record<string, string>> = {
  us_daily: "US stocks and funds",
  crypto_daily: "tokens, daily bars",
  crypto_intraday: "tokens, intraday bars by UTC day",
};
const rowOf = ({
  name,
  days,
  unlimited,
  firstFar,
  lastFar,
  firstVolatile,
  laterFar,
}: DoubtCount & { readonly name: string }) =>
  `| ${NAMES[name]} | ${days} | ${share(firstFar, days)} | ${share(lastFar, days)} | ${share(unlimited, days)} | ${share(firstVolatile, days)} | ${share(laterFar, days)} |`;

const INTRODUCTION = `# How often a true price needs a second provider

Written by \`npm run bench -- witness --write\`. Before a price is called live, the first one of a day is measured against
an official close of another family of providers (limit: 2.5 average daily ranges, at least 4 % and at most 5 %) and, where
one came with it, the newest trade of that family (limit: 2 %); later ones are measured against the first and what
confirmed it. The recorded days count how often the close does not suffice and a second provider is called, whose price
must agree within 1 %. The first price of a day is its open, or its close where nothing was requested before. A day counts as far later on if its high or low is
further than the limit from its open.
`;
const HEAD = `| recorded | days | open beyond the limit | close beyond the limit | close beyond max(4 %, 2.5 ranges) without the bound of 5 % | of volatile symbols, always with a second provider | high or low beyond the limit from the open |
|---|---|---|---|---|---|---|`;
const CONCLUSION =
  "These prices are called live once a second provider agrees. They stay `unconfirmed_quote` only if none does.";
