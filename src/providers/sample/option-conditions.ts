import { LRUCache } from "lru-cache";
import { draw, keyOf, normal, unit } from "./draws.ts";
import { blackScholes } from "./option-model.ts";
import type { Recording } from "./tapes.ts";

/** Closes that the level of volatility is taken from; before that many there are no options. */
export const MIN_HISTORY_DAYS = 60;
const LONG = 250;
const MEMORY = 0.94;
/** How fast volatility returns to its long level, a year. */
const MEAN_REVERSION = 6;
/** What buyers of options pay above what prices did. */
const IMPLIED_VOL_PREMIUM = 1.08;
const MIN_VARIANCE = 1e-6;
/** Contracts traded for each share of the listing's usual volume. */
export const CONTRACTS_PER_SHARE = 0.02;
const MAX_CACHED = 20_000;

/**
 * How far the share of puts leans against the planted outcome of a slot, in its logarithmic odds; the part that wanders
 * by itself has a spread of .3.
 */
export const PLANTED_LEAN = 0.1;

/** What the options of a listing are priced and traded by on a day. Nothing in it is later than the close before. */
export interface OptionConditions {
  /** Close of the day before, in dollars. */
  readonly before: number;
  /** Volatility at the money by years until expiry, a fraction a year. */
  atm(years: number): number;
  /** Volatility of a strike `steps` spreads above the price, negative below it. */
  iv(years: number, steps: number): number;
  /** Contracts of the whole day. */
  readonly calls: number;
  readonly puts: number;
}

/** The moods of all listings by day; null in the first 60 days, and for coins, which have no options here. */
export function createOptionConditions(): (recording: Recording, day: number) => OptionConditions | null {
  const kept = new LRUCache<string, OptionConditions>({ max: MAX_CACHED });
  const pasts = new Map<string, PriceHistory>();
  return (recording, day) => {
    const { symbol, asset_class } = recording.listing.instrument;
    if (day < MIN_HISTORY_DAYS || asset_class === "crypto") return null;
    const name = `${symbol} ${day}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const past = pasts.get(symbol) ?? createPriceHistory(recording);
    pasts.set(symbol, past);
    const made = conditionsOn(recording, past, day);
    kept.set(name, made);
    return made;
  };
}

/** Logarithms of closes in price units, and sums of squared moves, by day. */
interface PriceHistory {
  reach(day: number): void;
  readonly logs: number[];
  readonly squares: number[];
}

function createPriceHistory({ path }: Recording): PriceHistory {
  const logs: number[] = [];
  const squares: number[] = [];
  return {
    logs,
    squares,
    reach(day) {
      for (let at = logs.length; at <= day; at++) {
        logs.push(Math.log(path.candle(at).close));
        squares.push(at === 0 ? 0 : squares[at - 1]! + (logs[at]! - logs[at - 1]!) ** 2);
      }
    },
  };
}

function conditionsOn({ listing, key, path }: Recording, past: PriceHistory, day: number): OptionConditions {
  const last = day - 1;
  past.reach(last);
  const { logs, squares } = past;
  const first = Math.max(0, last - LONG);
  const long = Math.max(MIN_VARIANCE, (squares[last]! - squares[first]!) / (last - first));
  const short = Math.max(MIN_VARIANCE, recentVariance(logs, last));
  const wanders = keyOf(key, "options");
  const bid = IMPLIED_VOL_PREMIUM * Math.exp(0.03 * drift(keyOf(wanders, 0), day));
  const atm = (years: number) => {
    const pull = (1 - Math.exp(-MEAN_REVERSION * years)) / (MEAN_REVERSION * years);
    return bid * Math.sqrt(365 * (long + (short - long) * pull));
  };
  const week = (logs[last]! - logs[last - 5]!) / Math.sqrt(5 * long);
  const fear = Math.max(-2, Math.min(2, -week));
  const slope = 0.055 + 0.012 * drift(keyOf(wanders, 1), day) + 0.008 * fear;
  const iv = (years: number, steps: number) => {
    const far = Math.max(-4, Math.min(4, steps));
    return atm(years) * Math.max(0.5, 1 - slope * far + 0.012 * far * far);
  };
  const fund = listing.instrument.asset_class === "etf";
  const wandering = 0.3 * drift(keyOf(wanders, 2), day);
  const odds = (fund ? 0.25 : -0.35) + wandering + 0.06 * fear - plantedLean(path.planted(day));
  const share = 1 / (1 + Math.exp(-odds));
  const traded = listing.volume * CONTRACTS_PER_SHARE * Math.exp(0.3 * drift(keyOf(wanders, 3), day));
  const puts = Math.round(traded * share);
  const before = path.candle(last).close / listing.scale;
  return { before, atm, iv, calls: Math.round(traded) - puts, puts };
}

const plantedLean = (planted: ReturnType<Recording["path"]["planted"]>): number =>
  planted === null
    ? 0
    : PLANTED_LEAN * planted.planting.sign * (planted.planting.outcome === "hold" ? 1 : -1);

/** Mean square of the last 60 daily moves, each weighing .94 of the one after it. */
function recentVariance(logs: readonly number[], last: number): number {
  let [sum, weights, weight] = [0, 0, 1];
  for (let at = last; at > last - MIN_HISTORY_DAYS + 1; at--) {
    sum += weight * (logs[at]! - logs[at - 1]!) ** 2;
    weights += weight;
    weight *= MEMORY;
  }
  return sum / weights;
}

/** A number of mean 0 and spread 1 that wanders: eight days' draws together. */
function drift(key: number, day: number): number {
  let sum = 0;
  for (let back = 0; back < 8; back++) sum += normal(key, day - back);
  return sum / Math.sqrt(8);
}

/** Volatility of the put of delta -0.25 over 30 days, as the market's own curve has it. */
export function putIv(mood: OptionConditions): number {
  const years = 30 / 365;
  let [near, far] = [-4, 0];
  for (let step = 0; step < 40; step++) {
    const middle = (near + far) / 2;
    const iv = mood.iv(years, middle);
    const strike = Math.exp(middle * mood.atm(years) * Math.sqrt(years));
    if (blackScholes({ type: "put", spot: 1, strike, years, iv }).delta < -0.25) far = middle;
    else near = middle;
  }
  return mood.iv(years, (near + far) / 2);
}

/** A whole number split by weights into whole numbers that add up to it. */
export function splitByWeights(weights: readonly number[], total: number): readonly number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let [sum, told] = [0, 0];
  return weights.map((weight) => {
    sum += weight;
    const until = Math.round((total * sum) / all);
    const own = until - told;
    told = until;
    return own;
  });
}

/** How much more or less than usual a contract trades on a day: now and then twelve times as much. */
export const activityFactor = (key: number, day: number): number =>
  Math.exp(0.8 * normal(key, day)) * (unit(draw(key, -day)) < 1 / 150 ? 12 : 1);
