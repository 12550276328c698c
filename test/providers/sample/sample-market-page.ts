import type { AssetClass } from "../../../src/domain/market/market.ts";
import type { PublishedRecord } from "../../../src/domain/track-record/track.ts";
import { DAILY_REVERSION_SHARE, HOLDING, KINDS } from "../../../src/providers/sample/apply-plan.ts";
import { CORRECT_SIDE_SHARE } from "../../../src/providers/sample/congress.ts";
import { MAX_LEAN, LEAN as ODDS_LEAN } from "../../../src/providers/sample/contract-ladders.ts";
import { GROWTH, PULL, SLOT_DAYS } from "../../../src/providers/sample/daily.ts";
import { GAP_CORRELATION } from "../../../src/providers/sample/earnings-figures.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { NOISE } from "../../../src/providers/sample/news.ts";
import { PLANTED_LEAN } from "../../../src/providers/sample/option-conditions.ts";
import { FLOW_LEAN } from "../../../src/providers/sample/option-trades.ts";
import { LEAN as BLOCK_LEAN } from "../../../src/providers/sample/ordinary-prints.ts";
import {
  COIN_SESSIONS,
  CRYPTO_SPREAD,
  MARKET_SPREAD,
  SECTOR_SPREAD,
  STOCK_SESSIONS,
} from "../../../src/providers/sample/recordings.ts";
import {
  AUTOCORRELATION,
  GAP_SHARE,
  PLANTED_OWN_SHARE,
  VOL_OF_VOL,
} from "../../../src/providers/sample/shocks.ts";
import { mean } from "./fixture.ts";
import { type Figures, type ListingFigures, MEASURED_FROM, MEASURED_UNTIL } from "./measures.ts";
import { FACT_STEP_DAYS, type FactsOverBase } from "./replayed-signals.ts";

export const CLASSES = ["equity", "etf", "crypto"] as const satisfies readonly AssetClass[];
const CLASS_NAMES: Readonly<Record<AssetClass, string>> = { equity: "stocks", etf: "funds", crypto: "coins" };

/** A measured figure: its name on the page, how it is shown, and the range in which it lies in every market. */
interface Law {
  readonly figure: keyof Figures;
  readonly name: string;
  readonly show: (value: number) => string;
  readonly low: number;
  readonly high: number;
}
const percent = (value: number, digits = 1): string => `${(100 * value).toFixed(digits)}%`;
const decimal = (value: number): string => value.toFixed(2);
const signed = (value: number): string => `${value < 0 ? "" : "+"}${value.toFixed(2)}`;

/** The law of daily prices: mean figures of an asset class over nine years. */
export const LAWS: readonly Law[] = [
  { figure: "growth", name: "growth a year, logarithmic", show: percent, low: -0.04, high: 0.12 },
  {
    figure: "volatility",
    name: "standard deviation of a day's return",
    show: (value) => percent(value, 2),
    low: 0.008,
    high: 0.035,
  },
  { figure: "kurtosis", name: "kurtosis (3 without fat tails)", show: decimal, low: 4.5, high: 12 },
  {
    figure: "clustering1",
    name: "autocorrelation of the sizes of returns, 1 day",
    show: decimal,
    low: 0.1,
    high: 0.35,
  },
  { figure: "clustering5", name: "the same, 5 days", show: decimal, low: 0.1, high: 0.3 },
  { figure: "clustering20", name: "the same, 20 days", show: decimal, low: 0.05, high: 0.22 },
  {
    figure: "reversal1",
    name: "autocorrelation of returns, 1 day",
    show: signed,
    low: -0.05,
    high: 0.06,
  },
  {
    figure: "reversal5",
    name: "correlation of a week's return with the next week's",
    show: signed,
    low: -0.08,
    high: 0.16,
  },
];

/** Most that trades of the signals made over their base, in R, and the forecasts of grades over the base rate. */
export const MAX_OVER_BASE = 0.05;
export const MAX_SKILL = 0.01;

/** Mean of a figure over the listings of an asset class. */
export const classMean = (
  figures: readonly ListingFigures[],
  asset_class: AssetClass,
  figure: keyof Figures,
): number =>
  mean(
    figures.filter(({ listing }) => listing.instrument.asset_class === asset_class).map((one) => one[figure]),
  );

/** Daily variance that the constants give a listing outside planted structures. */
export function varianceOf({ instrument, beta, load, group, own }: ListingFigures["listing"]): number {
  const isCoin = instrument.asset_class === "crypto";
  const daily = (yearly: number, sessions: number) => yearly / Math.sqrt(sessions);
  const ofMarket = beta * daily(MARKET_SPREAD, STOCK_SESSIONS);
  const ofGroup =
    group === null
      ? 0
      : load * (isCoin ? daily(CRYPTO_SPREAD, COIN_SESSIONS) : daily(SECTOR_SPREAD, STOCK_SESSIONS));
  const ofOwn = daily(own, isCoin ? COIN_SESSIONS : STOCK_SESSIONS);
  return ofMarket ** 2 + ofGroup ** 2 + ofOwn ** 2;
}

/** Rows of R over base of the record: LONG and SHORT of each asset class and of all. */
export const totalsOf = (record: PublishedRecord) =>
  (record.r_over_base ?? []).filter(({ grade }) => grade === null);

/**
 * Mean Brier skill of the forecasts by grade after 20 bars, for LONG and SHORT of an asset class, weighted by signals.
 */
export function skillOf(
  record: PublishedRecord,
  direction: "LONG" | "SHORT",
  asset_class: AssetClass | null,
): number {
  const rows = record.rows.filter(
    (row) =>
      row.horizon === 20 &&
      row.direction === direction &&
      row.skill !== null &&
      (asset_class === null || row.asset_class === asset_class),
  );
  return rows.reduce((sum, { skill, n }) => sum + skill! * n, 0) / rows.reduce((sum, { n }) => sum + n, 0);
}

/** Share of the slots of each planted kind. */
export const KIND_SHARES = KINDS.map(([kind, end], i) => ({ kind, share: end - (KINDS[i - 1]?.[1] ?? 0) }));

const count = (asset_class: AssetClass) =>
  LISTINGS.filter(({ instrument }) => instrument.asset_class === asset_class).length;
const days = (value: number): string => Math.round(value).toLocaleString("en-US");

/** Returns docs/sample-market.md: `own` is the market of every installation, `others` have other seeds. */
export function sampleMarketPage(
  own: readonly ListingFigures[],
  others: readonly (readonly ListingFigures[])[],
  { record, facts }: { readonly record: PublishedRecord; readonly facts: FactsOverBase },
): string {
  const owned = LISTINGS.filter(({ instrument }) => instrument.asset_class === "equity").map(
    (one) => one.own,
  );
  const kinds = KIND_SHARES.map(({ kind, share }) => {
    const name = kind === "accumulation" ? "accumulation or distribution" : (kind ?? "no structure");
    return `${name} ${percent(share, 0)}`;
  });
  const measured = LAWS.map(({ figure, name, show, low, high }) => {
    const cells = CLASSES.map((one) => {
      const elsewhere = mean(others.map((figures) => classMean(figures, one, figure)));
      return `${show(classMean(own, one, figure))} (${show(elsewhere)})`;
    });
    return `| ${name} | ${cells.join(" | ")} | ${show(low)} to ${show(high)} |`;
  });
  const worth = totalsOf(record).map(
    ({ direction, asset_class, n, mean_r, base_r, over_base, interval }) =>
      `| ${direction} ${asset_class === null ? "all" : CLASS_NAMES[asset_class]} | ${days(n)} | ${signed(mean_r!)} | ${signed(base_r!)} | ${signed(over_base!)} | ${interval === null ? "-" : `${signed(interval.low)} to ${signed(interval.high)}`} | ${(skillOf(record, direction as "LONG" | "SHORT", asset_class) + 0).toFixed(4)} |`,
  );
  const factRows = facts.with.map((row, i) => {
    const without = facts.without[i]!;
    const interval = `${signed(row.interval!.low)} to ${signed(row.interval!.high)}`;
    return `${row.direction} ${signed(row.over_base!)} R over base (${interval}; without them ${signed(without.over_base!)})`;
  });
  const usable = record.rows.filter(
    ({ horizon, direction, n_eff }) => horizon === 20 && direction !== "WAIT" && n_eff >= 100,
  );
  return `# Sample market

Without settings, the server runs on a simulated market: ${count("equity")} stocks of all eleven sectors, ${count("etf")} funds and ${count("crypto")} coins since ${MEASURED_FROM}, the same in every installation, from a generator without network or files. Every answer that contains its prices is labelled \`sample\`. It is made to try the product and to test it, and says nothing about real prices: a rule that earns money here has shown that it runs, not that it works.

A test writes this page from the constants of the generator and from what it measures on the prices, and fails when they disagree. \`npx vitest run test/providers/sample/sample-market.test.ts -u\` writes it again.

## How prices are made

| Part | Size |
| --- | --- |
| day | 00:00 to 00:00 UTC, every day of the year; stocks and funds gap at midnight, coins do not |
| trend | the logarithm of each price is drawn to a line that rises ${percent(GROWTH, 0)} a year, by ${percent(PULL)} of the distance a day: half of it in ${days(Math.log(2) / PULL)} days |
| move of a day | beta x market + sector + own move, each with a volatility of its own that changes |
| market, sector, coins | yearly standard deviation ${percent(MARKET_SPREAD, 0)}, ${percent(SECTOR_SPREAD, 0)} and ${percent(CRYPTO_SPREAD, 0)}, spread over ${STOCK_SESSIONS} days (coins: ${COIN_SESSIONS}); because there are 365 days, a calendar year of stocks moves ${percent(Math.sqrt(365 / STOCK_SESSIONS) - 1, 0)} more |
| own move of a stock | yearly standard deviation ${percent(Math.min(...owned), 0)} to ${percent(Math.max(...owned), 0)} |
| volatility clustering, fat tails | the logarithm of each volatility is autoregressive: ${AUTOCORRELATION} from day to day, standard deviation ${VOL_OF_VOL} |
| overnight gap | ${percent(GAP_SHARE, 0)} of the day's variance, without coins |
| structures | stocks and coins, in periods of ${SLOT_DAYS} days: ${kinds.join(", ")} |
| in a structure | the price is drawn to the structure by ${percent(DAILY_REVERSION_SHARE, 0)} of the distance a day, and the own move is ${percent(PLANTED_OWN_SHARE, 0)} of what it is elsewhere; ${percent(HOLDING, 0)} end as their kind implies, the others fail |

Only numbers of earlier days and the draws of the day itself make a price: nothing depends on the clock or on which questions were asked.

## What prices look like

Means over each asset class from ${MEASURED_FROM} to ${MEASURED_UNTIL}; in brackets those of ${others.length} markets of the same law with other seeds. The test allows the range on the right, in all of them. It also checks that growth, variance outside structures, gap share, volatility and the number of structures are those of the table above, within three standard errors over the seeds.

| | stocks | funds | coins | range |
| --- | ---: | ---: | ---: | ---: |
${measured.join("\n")}

Tails and clustering are those of real daily returns ([Cont, 2001](https://doi.org/10.1080/713665670): kurtosis above 3, sizes of returns correlated for weeks, returns hardly).

**No short-term reversal.** Real stocks tend to give back a little of the last day's or week's move. These do not: returns of neighbouring days are hardly correlated, and in stocks and coins a week's move goes on a little, because structures are smooth. Reversal strategies earn less here than on real prices, and trend rules on a weekly scale more. A new version of the market could subtract about 5% of the previous day's own move; that changes every price, and so the version.

## What is planted besides prices

So that each kind of data has something to find, with a known strength:

| Data | Knows about later prices |
| --- | --- |
| structures | their kind is visible before they end; ${percent(HOLDING, 0)} of them hold |
| large off-exchange prints | gather at levels that structures come back to; the daily one is a purchase with probability 0.5 plus up to ${BLOCK_LEAN} by the day's move so far |
| share of puts in options volume | leans by ${PLANTED_LEAN} in logarithmic odds against the outcome of a structure; its noise has a standard deviation of 0.3 |
| sweeps and blocks of options | nothing: a purchase of calls has probability 0.5 plus up to ${FLOW_LEAN} by the day's move so far |
| news | nothing: a headline's tone is the day's own move so far plus noise of ${NOISE} standard deviations |
| earnings | nothing after the report: the surprise and the opening gap of its day correlate by ${GAP_CORRELATION} |
| trades of Congress | ${percent(CORRECT_SIDE_SHARE, 0)} are on the side of the stock's later move against the market until the day before they are filed, so nothing remains after that |
| prediction markets | differ from the probability that price and volatility imply by ${percent(ODDS_LEAN, 0)} (standard deviation), at most ${percent(MAX_LEAN, 0)}; the difference is an error |

## What grades are worth in it

The signals of every close from ${record.from.slice(0, 10)} to ${record.until.slice(0, 10)}, each from prices and prints known then, against the same plan at every close of the same symbols ([how to read it](track-record.md#how-to-read-it)):

| | trades | R | base R | over base | 95% interval | skill of grades |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
${worth.join("\n")}

Signals of nightly runs also read news, options and odds. Of every ${FACT_STEP_DAYS}th close, with them: ${factRows.join(", ")}.

**Grades have no skill here:** no total is more than ${MAX_OVER_BASE.toFixed(2)} R over its base, with facts or without, and no forecast by grades saves more than ${percent(MAX_SKILL, 0)} of the squared error of the base rate; the test fails otherwise. On real files LONG made 0.05 R less than its base and SHORT 0.15 R less, and on three held-out symbols, with the model before, 0.03 R and 0.12 R more, neither by more than its error ([results](results/track-record.md#r-over-the-base)). LONG earns here because prices rise, as anywhere.

## The record that comes with it

These ${days(record.signals)} signals are the track record of a new installation in \`sample\` mode (model \`${record.model_version}\`), so that \`record\` and the evidence of signals have outcomes to use from the first minute: ${usable.length} groups of grade, direction and asset class have the 100 effective outcomes that evidence needs. Odds of every fifth close are judged with them. It is computed as \`market-signal track replay\` does; a test computes random signals of it again and all of its figures. It is not used before ${record.computed_at.slice(0, 10)}, for another model or in another market, it is never combined with other outcomes, and the installation's own record replaces it once that has as many signals. \`npm run bench -- sample-record --write\` computes it again, which a change of the model or of the market needs.
`;
}
