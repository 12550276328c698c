import { LISTINGS, type Listing } from "../../../src/providers/sample/listing.ts";
import { sampleMarketId } from "../../../src/providers/sample/market.ts";
import { type Recording, recordingsOf } from "../../../src/providers/sample/recordings.ts";
import { dayAt } from "../../../src/providers/sample/time.ts";
import { correlation, mean } from "./fixture.ts";

/** Measured period: complete years since the market begins, at one bar a day. */
export const MEASURED_FROM = "2017-01-01";
export const MEASURED_UNTIL = "2026-01-01";
const DAYS = dayAt(Date.parse(MEASURED_UNTIL));
const YEARS = DAYS / 365.25;
/** Bars of a week, over which reversal is measured as well. */
const WEEK = 5;

/** The same figures of one listing or of the mean of several. */
export interface Figures {
  /** Logarithmic growth a year. */
  readonly growth: number;
  /** Standard deviation of daily returns, on days in and outside planted structures. */
  readonly volatility: number;
  readonly kurtosis: number;
  /** Autocorrelation of the sizes of daily returns. */
  readonly clustering1: number;
  readonly clustering5: number;
  readonly clustering20: number;
  /** Correlation of a day's return with that of the next day, and of a week's with that of the next week. */
  readonly reversal1: number;
  readonly reversal5: number;
}

/** Figures of a listing, and the volatility of its days outside planted structures by that which the constants say. */
export interface ListingFigures extends Figures {
  readonly listing: Listing;
  readonly unplanted: { readonly variance: number; readonly days: number; readonly gapShare: number };
}

const moment = (values: readonly number[], power: number): number => {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** power));
};
const laggedCorrelation = (values: readonly number[], lag: number): number =>
  correlation(values.slice(lag).map((value, i) => [values[i]!, value]));

/** Measures a listing of the market of a seed. Default: the market that every installation shares. */
export function figuresOf(recording: Recording): ListingFigures {
  const { path, listing } = recording;
  const candles = Array.from({ length: DAYS }, (_, day) => path.candle(day));
  const logs = candles.map(({ close }) => Math.log(close));
  const returns = logs.slice(1).map((log, i) => log - logs[i]!);
  const sizes = returns.map(Math.abs);
  const weeks = logs.filter((_, day) => day % WEEK === 0);
  const free = returns.flatMap((move, i) =>
    path.planted(i + 1) === null ? [[move, Math.log(candles[i + 1]!.open) - logs[i]!] as const] : [],
  );
  const variance = moment(
    free.map(([move]) => move),
    2,
  );
  return {
    listing,
    growth: (logs.at(-1)! - logs[0]!) / YEARS,
    volatility: Math.sqrt(moment(returns, 2)),
    kurtosis: moment(returns, 4) / moment(returns, 2) ** 2,
    clustering1: laggedCorrelation(sizes, 1),
    clustering5: laggedCorrelation(sizes, 5),
    clustering20: laggedCorrelation(sizes, 20),
    reversal1: laggedCorrelation(returns, 1),
    reversal5: laggedCorrelation(
      weeks.slice(1).map((log, i) => log - weeks[i]!),
      1,
    ),
    unplanted: {
      variance,
      days: free.length,
      gapShare: mean(free.map(([, gap]) => gap * gap)) / variance,
    },
  };
}

/** Measures every listing of the market of a seed. Default: the market that every installation shares. */
export function measureMarket(seed?: string): readonly ListingFigures[] {
  const recordings = recordingsOf(sampleMarketId(seed));
  return LISTINGS.map(({ instrument }) => figuresOf(recordings(instrument.symbol)!));
}

/** Seeds of other markets of the same law. */
export const OTHER_SEEDS = ["one", "two", "three", "four", "five", "six"] as const;
