import { writeFileSync } from "node:fs";
import { seededRandom, shuffled } from "../../src/analytics/backtest/random.ts";
import { dayReturns } from "../../src/analytics/check/day-returns.ts";
import { gapsOf } from "../../src/analytics/check/gaps.ts";
import { dayProfits, usualMove } from "../../src/analytics/check/portfolio.ts";
import type { Side } from "../../src/analytics/levels/side.ts";
import { type Bars, sliceBars } from "../../src/domain/market/bars.ts";
import { testData } from "../support/test-data.ts";
import { type DailyFile, FIRST_BAR, readDailyFiles } from "./odds/read-folder.ts";

const PAGE = "docs/results/gaps.md";
/** Bars from one forecast to the next, and of which each is judged. */
const STEP = 20;
/** Range of the share of later nights beyond the percentile, percent. */
const GOAL = { min: 0.7, max: 1.3 } as const;
const FUNDS: ReadonlySet<string> = new Set("DIA IVV IWM JEPI QQQ SCHD SPY TQQQ VGT VOO VTI XLK".split(" "));
const CLASSES = ["stocks", "funds"] as const;
/** Signs of the five positions of equal size of an account. */
const ACCOUNTS = { "five long": [1, 1, 1, 1, 1], "three long, two short": [1, 1, 1, -1, -1] } as const;
const ACCOUNTS_OF_EACH = 1_000;

/** Later nights, and those of them with a gap beyond what the nights before showed. */
interface Nights {
  nights: number;
  beyondP99: number;
  beyondWorst: number;
}

/**
 * Compares the 99th percentile of overnight gaps, and the usual daily move of an account, with the bars after them.
 * Exits with 1 if a class of instruments misses the goal. `--write` writes docs/results/gaps.md.
 */
export function run(): void {
  const folder = testData("ohlcv", "us_daily");
  if (folder === null) {
    console.error("No us_daily: set MARKET_SIGNAL_TEST_DATA.");
    process.exitCode = 1;
    return;
  }
  const { files } = readDailyFiles(folder, { assetClass: "equity", isAdjusted: false, funds: FUNDS });
  const rows = CLASSES.flatMap((name) =>
    (["LONG", "SHORT"] as const).map((side) => {
      const inClass = files.filter(({ isFund }) => isFund === (name === "funds"));
      return { name, side, count: inClass.length, nights: nightsOf(inClass, side) };
    }),
  );
  const isMissed = ({ nights: { nights, beyondP99 } }: (typeof rows)[number]) => {
    const share = (100 * beyondP99) / nights;
    return share < GOAL.min || share > GOAL.max;
  };
  if (rows.some(isMissed)) process.exitCode = 1;
  const [gaps, moves] = [gapTable(rows), moveTable(files)];
  console.log(`${gaps}\n\n${moves}`);
  if (process.argv.includes("--write")) writeFileSync(PAGE, pageOf(gaps, moves));
}

/** Counts the nights of every 20 bars against the gaps of the bars before them. */
function nightsOf(files: readonly DailyFile[], side: Side): Nights {
  const found: Nights = { nights: 0, beyondP99: 0, beyondWorst: 0 };
  const against = side === "LONG" ? -1 : 1;
  for (const { bars } of files)
    for (let bar = FIRST_BAR; bar + STEP < bars.close.length; bar += STEP) {
      const known = gapsOf(sliceBars(bars, 0, bar + 1), side);
      if (known === null) continue;
      for (let later = bar + 1; later <= bar + STEP; later++) {
        const gap = against * (bars.open[later]! / bars.close[later - 1]! - 1);
        found.nights++;
        if (gap > known.p99) found.beyondP99++;
        if (gap > known.worst) found.beyondWorst++;
      }
    }
  return found;
}

const percent = (count: number, of: number): string => ((100 * count) / of).toFixed(2);

function gapTable(
  rows: readonly {
    readonly name: string;
    readonly side: Side;
    readonly count: number;
    readonly nights: Nights;
  }[],
): string {
  return [
    "| Instruments | Files | Side | Later nights | Beyond p99, % | Beyond the worst, % |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.map(
      ({ name, side, count, nights: { nights, beyondP99, beyondWorst } }) =>
        `| ${name} | ${count} | ${side} | ${nights} | ${percent(beyondP99, nights)} | ${percent(beyondWorst, nights)} |`,
    ),
  ].join("\n");
}

/** Compares the usual daily move of random accounts with the profits of the 20 days after it. */
function moveTable(files: readonly DailyFile[]): string {
  const random = seededRandom(1);
  const rows = Object.entries(ACCOUNTS).map(([name, signs]) => {
    const sums = { days: 0, squares: 0, beyondTwo: 0 };
    for (let account = 0; account < ACCOUNTS_OF_EACH; account++) {
      const picks = [...shuffled(files.length, random)]
        .slice(0, signs.length)
        .map((file) => files[file]!.bars);
      const newest = Math.min(...picks.map(({ close }) => close.length)) - STEP - 1;
      const back = STEP + random.below(newest - FIRST_BAR + 1);
      const usual = usualMove(profitsOf(picks, signs, back))!;
      for (const profit of profitsOf(picks, signs, back - STEP).subarray(-STEP)) {
        sums.days++;
        sums.squares += (profit / usual) ** 2;
        if (Math.abs(profit) > 2 * usual) sums.beyondTwo++;
      }
    }
    const ratio = Math.sqrt(sums.squares / sums.days).toFixed(2);
    return `| ${name} | ${ACCOUNTS_OF_EACH} | ${sums.days} | ${ratio} | ${percent(sums.beyondTwo, sums.days)} |`;
  });
  return [
    "| Positions | Accounts | Later days | Later move, as a multiple | Beyond two moves, % |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** Returns the profits of positions of 1 USD from the bars before the newest ones. */
const profitsOf = (picks: readonly Bars[], signs: readonly number[], back: number): Float64Array =>
  dayProfits(
    picks.map((bars, i) => ({
      symbol: String(i),
      value: signs[i]!,
      returns: dayReturns(sliceBars(bars, 0, bars.close.length - back)),
    })),
  );

const pageOf = (gaps: string, moves: string): string => `# Overnight gaps and the usual daily move

The 99th percentile of overnight gaps against a position, and the usual daily move of an account, compared with what happened after them on past daily bars. \`npm run bench -- gaps --write\` writes this page.

## Gaps

Every ${STEP} bars of each file, from bar ${FIRST_BAR} on, the gaps of the last 1,000 nights up to that bar are measured for both sides: the open against the previous close, in the direction that is a loss. The table has the share of the ${STEP} nights after it whose gap is larger than the 99th percentile (p99), and larger than the worst night until then. The goal is ${GOAL.min} to ${GOAL.max} % beyond p99; 1 % is exact.

${gaps}

## Usual daily move

Accounts of five positions of equal size in random files, at a random bar. The usual daily move is the standard deviation of the profit of the last 250 days; the later move is the root mean square of the profit of the ${STEP} days after it. Of a normal distribution, 4.55 % of the days are beyond two moves.

${moves}
`;
