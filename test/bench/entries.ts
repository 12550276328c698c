import { writeFileSync } from "node:fs";
import { atr } from "../../src/analytics/indicators/atr.ts";
import { type EntryPlan, entryOddsOf, entryOutcomesAt } from "../../src/analytics/odds/entry-odds.ts";
import { sliceBars } from "../../src/domain/market/bars.ts";
import { testData } from "../support/test-data.ts";
import { type DailyFile, FIRST_BAR, readDailyFiles } from "./odds/read-folder.ts";

const PAGE = "docs/results/entries.md";
const FOLDERS = ["us_daily", "crypto_daily"] as const;
const BARS = 20;
/** Bars from one decision to the next, so that outcomes do not overlap. */
const STEP = 20;
/** Orders in average true ranges from the close: entry, stop and target, of which the sign is that of a LONG. */
const ORDERS = {
  "limit, 0.5 ATR": { kind: "limit", entry: -0.5, stop: -2.5, target: 1.5 },
  "limit, 1.5 ATR": { kind: "limit", entry: -1.5, stop: -3.5, target: 0.5 },
  "breakout, 0.5 ATR": { kind: "stop", entry: 0.5, stop: -1.5, target: 2.5 },
  "breakout, 1.5 ATR": { kind: "stop", entry: 1.5, stop: -0.5, target: 3.5 },
} as const;

/** Sums over forecasts of one event: what was said, what happened, and both squared distances from it. */
interface Tally {
  forecasts: number;
  said: number;
  happened: number;
  base: number;
  squares: number;
  baseSquares: number;
}

/** Tallies by name: instruments, order and event. */
type Tallies = Readonly<Record<"byKind" | "byDistance", Map<string, Tally>>>;

/**
 * Compares the odds of orders that wait with what happened, on past bars: every 20 bars of each file, both sides. `--write`
 * writes docs/results/entries.md.
 */
export function run(): void {
  const tallies: Tallies = { byKind: new Map(), byDistance: new Map() };
  for (const name of FOLDERS) {
    const folder = testData("ohlcv", name);
    if (folder === null) {
      console.error(`No ${name}: set MARKET_SIGNAL_TEST_DATA.`);
      process.exitCode = 1;
      return;
    }
    for (const file of readDailyFiles(folder, { assetClass: null, isAdjusted: false }).files)
      scoreFile(file, tallies);
  }
  const page = pageOf(tableOf(tallies.byKind), tableOf(tallies.byDistance));
  console.log(page);
  if (process.argv.includes("--write")) writeFileSync(PAGE, page);
}

function scoreFile({ bars, symbol, assetClass }: DailyFile, { byKind, byDistance }: Tallies): void {
  const ranges = atr(bars.high, bars.low, bars.close, 14);
  const instruments = assetClass === "crypto" ? "coins" : "stocks and funds";
  for (let bar = FIRST_BAR; bar + BARS < bars.close.length; bar += STEP) {
    const from = bars.close[bar]!;
    const known = sliceBars(bars, 0, bar + 1);
    const ahead = sliceBars(bars, bar, bar + 1 + BARS);
    for (const [title, order] of Object.entries(ORDERS))
      for (const side of ["LONG", "SHORT"] as const) {
        const at = (distance: number) => from + (side === "LONG" ? 1 : -1) * distance * ranges[bar]!;
        const { kind } = order;
        const plan: EntryPlan = {
          ...{ side, kind, bars: BARS },
          entry: at(order.entry),
          stop: at(order.stop),
          target: at(order.target),
        };
        if (Math.min(plan.entry, plan.stop!, plan.target!) <= 0) continue;
        const said = entryOddsOf({ bars: known, symbol, assetClass, from, plan });
        if (said.paths === null) break;
        const { paths, past } = said;
        const happened = entryOutcomesAt(ahead, from, plan);
        const add = (event: string, odds: number, base: number, outcome: number) => {
          const forecast = { odds, base, outcome };
          addTo(byKind, `${instruments} | ${kind === "limit" ? "limit" : "breakout"} | ${event}`, forecast);
          addTo(byDistance, `${instruments} | ${title} | ${event}`, forecast);
        };
        add("fill", paths.filled / paths.windows, past.filled / past.windows, happened.filled);
        if (happened.filled === 0 || past.filled === 0 || paths.filled < 100) continue;
        add("stop first", paths.stop / paths.filled, past.stop / past.filled, happened.stop);
        add("target first", paths.target / paths.filled, past.target / past.filled, happened.target);
      }
  }
}

function addTo(
  tallies: Map<string, Tally>,
  name: string,
  { odds, base, outcome }: Readonly<Record<"odds" | "base" | "outcome", number>>,
): void {
  const tally = tallies.get(name) ?? emptyTally();
  tallies.set(name, tally);
  tally.forecasts++;
  tally.said += odds;
  tally.base += base;
  tally.happened += outcome;
  tally.squares += (odds - outcome) ** 2;
  tally.baseSquares += (base - outcome) ** 2;
}

const emptyTally = (): Tally => ({
  forecasts: 0,
  said: 0,
  happened: 0,
  base: 0,
  squares: 0,
  baseSquares: 0,
});

function tableOf(tallies: ReadonlyMap<string, Tally>): string {
  const percent = (sum: number, count: number) => ((100 * sum) / count).toFixed(1);
  const rows = [...tallies].map(([name, { forecasts, said, happened, base, squares, baseSquares }]) => {
    const error = Math.abs((100 * (said - happened)) / forecasts).toFixed(1);
    const skill = (100 * (1 - squares / baseSquares)).toFixed(1);
    return `| ${name} | ${forecasts} | ${percent(said, forecasts)} | ${percent(happened, forecasts)} | ${error} | ${percent(base, forecasts)} | ${skill} |`;
  });
  return [
    "| Instruments | Order | Event | Forecasts | Odds, % | Happened, % | Error, points | Base, % | Skill, % |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

const pageOf = (byKind: string, byDistance: string): string => `# Orders that wait for their price

Odds of the fill of a limit or stop order, and of its stop and target after the fill, compared with what happened on past daily bars. \`npm run bench -- entries --write\` writes this page.

Every 20 bars of each file, from bar 500 on, both sides of four orders are forecast from the bars before, for the 20 bars after. Entry, stop and target are at distances in average true ranges (ATR 14): the stop 2 below the entry and the target 2 above it. The error is the distance between the mean odds and the share that happened. The base is the share of the past windows of the symbol with the same distances; the skill is the reduction of the mean squared error against it.

## By kind of order

${byKind}

## By distance of the entry

${byDistance}
`;
