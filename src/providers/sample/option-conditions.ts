import { draw, drift, keyOf, normal, unit } from "./draws.ts";
import { blackScholes } from "./option-model.ts";
import { cached, cachedByDay, type Recording } from "./recordings.ts";

/** Number of closes from which volatility is computed; no options are listed before that. */
export const MIN_HISTORY_DAYS = 60;
const LONG = 250;
const MEMORY = 0.94;
/** Yearly rate at which volatility returns to its long-term level. */
const MEAN_REVERSION = 6;
/** Ratio of implied to realised volatility. */
const IMPLIED_VOL_PREMIUM = 1.08;
const MIN_VARIANCE = 1e-6;
/** Number of contracts traded per share of the listing's usual volume. */
export const CONTRACTS_PER_SHARE = 0.02;
const MAX_CACHED = 20_000;

/**
 * Lean of the share of puts against the planted outcome of a slot, in logarithmic odds. For comparison: the part that
 * varies randomly has a spread of 0.3.
 */
export const PLANTED_LEAN = 0.1;

/** Volatility and volume of the options of a listing on a day, computed from earlier days only. */
export interface OptionConditions {
  /** Close of the day before, in dollars. */
  readonly before: number;
  /** Returns the volatility at the money, given the years until expiry, as a fraction a year. */
  atm(years: number): number;
  /** Returns the volatility of a strike that lies `steps` spreads above the price; negative `steps` are below it. */
  iv(years: number, steps: number): number;
  /** Number of contracts traded on the complete day, calls and puts. */
  readonly calls: number;
  readonly puts: number;
}

/**
 * Creates the function that returns option conditions by listing and day: null in the first 60 days, and for coins,
 * which have no options.
 */
export function createOptionConditions(): (recording: Recording, day: number) => OptionConditions | null {
  const historyOf = cached(MAX_CACHED, ({ listing }) => listing.instrument.symbol, createPriceHistory);
  const conditions = cachedByDay(MAX_CACHED, (recording, day) =>
    conditionsOn(recording, historyOf(recording), day),
  );
  return (recording, day) =>
    day < MIN_HISTORY_DAYS || recording.listing.instrument.asset_class === "crypto"
      ? null
      : conditions(recording, day);
}

/** Creates the logarithms of closes in price units, and the sums of squared moves, by day; `reach` adds days. */
function createPriceHistory({ path }: Recording) {
  const logs: number[] = [];
  const squares: number[] = [];
  return {
    logs,
    squares,
    reach(day: number) {
      for (let at = logs.length; at <= day; at++) {
        logs.push(Math.log(path.candle(at).close));
        squares.push(at === 0 ? 0 : squares[at - 1]! + (logs[at]! - logs[at - 1]!) ** 2);
      }
    },
  };
}

function conditionsOn(
  { listing, key, path }: Recording,
  history: ReturnType<typeof createPriceHistory>,
  day: number,
): OptionConditions {
  const last = day - 1;
  history.reach(last);
  const { logs, squares } = history;
  const first = Math.max(0, last - LONG);
  const long = Math.max(MIN_VARIANCE, (squares[last]! - squares[first]!) / (last - first));
  const short = Math.max(MIN_VARIANCE, recentVariance(logs, last));
  const ofOptions = keyOf(key, "options");
  const slow = (stream: number) => {
    const ofStream = keyOf(ofOptions, stream);
    return drift(8, (back) => normal(ofStream, day - back));
  };
  const premium = IMPLIED_VOL_PREMIUM * Math.exp(0.03 * slow(0));
  const atm = (years: number) => {
    const pull = (1 - Math.exp(-MEAN_REVERSION * years)) / (MEAN_REVERSION * years);
    return premium * Math.sqrt(365 * (long + (short - long) * pull));
  };
  const week = (logs[last]! - logs[last - 5]!) / Math.sqrt(5 * long);
  const fear = Math.max(-2, Math.min(2, -week));
  const slope = 0.055 + 0.012 * slow(1) + 0.008 * fear;
  const iv = (years: number, steps: number) => {
    const far = Math.max(-4, Math.min(4, steps));
    return atm(years) * Math.max(0.5, 1 - slope * far + 0.012 * far * far);
  };
  const fund = listing.instrument.asset_class === "etf";
  const wandering = 0.3 * slow(2);
  const odds = (fund ? 0.25 : -0.35) + wandering + 0.06 * fear - plantedLean(path.planted(day));
  const share = 1 / (1 + Math.exp(-odds));
  const traded = listing.volume * CONTRACTS_PER_SHARE * Math.exp(0.3 * slow(3));
  const puts = Math.round(traded * share);
  const before = path.candle(last).close / listing.scale;
  return { before, atm, iv, calls: Math.round(traded) - puts, puts };
}

const plantedLean = (planted: ReturnType<Recording["path"]["planted"]>): number =>
  planted === null
    ? 0
    : PLANTED_LEAN * planted.planting.sign * (planted.planting.outcome === "hold" ? 1 : -1);

/**
 * Returns the weighted mean square of the last 60 daily moves; each move has 0.94 times the weight of the one after it.
 */
function recentVariance(logs: readonly number[], last: number): number {
  let [sum, weights, weight] = [0, 0, 1];
  for (let at = last; at > last - MIN_HISTORY_DAYS + 1; at--) {
    sum += weight * (logs[at]! - logs[at - 1]!) ** 2;
    weights += weight;
    weight *= MEMORY;
  }
  return sum / weights;
}

/** Returns the volatility of the 30-day put with delta -0.25, on the simulated volatility curve. */
export function putIv(conditions: OptionConditions): number {
  const years = 30 / 365;
  let [near, far] = [-4, 0];
  for (let step = 0; step < 40; step++) {
    const middle = (near + far) / 2;
    const iv = conditions.iv(years, middle);
    const strike = Math.exp(middle * conditions.atm(years) * Math.sqrt(years));
    if (blackScholes({ type: "put", spot: 1, strike, years, iv }).delta < -0.25) far = middle;
    else near = middle;
  }
  return conditions.iv(years, (near + far) / 2);
}

/** Splits an integer by weights into integers that add up to it. */
export function splitByWeights(weights: readonly number[], total: number): readonly number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let [sum, given] = [0, 0];
  return weights.map((weight) => {
    sum += weight;
    const until = Math.round((total * sum) / all);
    const own = until - given;
    given = until;
    return own;
  });
}

/** Returns the volume of a contract on a day as a multiple of its usual volume; on rare days twelve times higher. */
export const activityFactor = (key: number, day: number): number =>
  Math.exp(0.8 * normal(key, day)) * (unit(draw(key, -day)) < 1 / 150 ? 12 : 1);
