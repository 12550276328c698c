import type { OptionContract } from "../../domain/options-flow/options.ts";
import { DAY_MS, EPOCH } from "./daily.ts";
import { draw, keyOf, normal, unit } from "./draws.ts";
import { DAY_TICKS } from "./intraday.ts";
import {
  activityFactor,
  CONTRACTS_PER_SHARE,
  type OptionConditions,
  splitByWeights,
} from "./option-conditions.ts";
import { expiriesOn, strikesOn } from "./option-grid.ts";
import { blackScholes, yearsUntil } from "./option-model.ts";
import type { Recording } from "./tapes.ts";

/** Days of open positions that the usual volume comes to. */
const HELD_DAYS = 14;

/** A tick of the simulated market: its day, ticks of it that are over, its end (epoch ms and ISO 8601) and the price then. */
export interface Moment {
  readonly day: number;
  readonly to: number;
  readonly at: number;
  readonly price: number;
  readonly asOf: string;
}

/** Every option listed on a stock or fund at a tick: priced by a model, the mood's volume and open positions split among them. */
export function contractsOf(
  { listing, key }: Recording,
  mood: OptionConditions,
  { day, to, at, price, asOf }: Moment,
): readonly OptionContract[] {
  const root = listing.instrument.symbol.replace(".", "");
  const elapsed = to / DAY_TICKS;
  const listed = expiriesOn(day).flatMap(({ expiry, date, monthly }) => {
    const years = yearsUntil(expiry, at);
    const whole = yearsUntil(expiry, EPOCH + day * DAY_MS);
    const usual = mood.atm(whole) * Math.sqrt(whole);
    const days = 365 * whole;
    return strikesOn(mood.before, usual).flatMap((strike) =>
      (["call", "put"] as const).map((type) => {
        const name = `${root}${date.slice(2).replaceAll("-", "")}${type === "call" ? "C" : "P"}`;
        const symbol = `${name}${String(Math.round(strike * 1000)).padStart(8, "0")}`;
        const own = keyOf(key, "contract", symbol);
        // most is traded a little out of the money, and held farther out
        const out = (type === "call" ? 1 : -1) * (Math.log(strike / mood.before) / usual);
        const near = (width: number) => Math.exp(-0.5 * ((out - 0.3) / width) ** 2);
        const held = near(1.3) * Math.exp(0.5 * normal(own, 0)) * (monthly ? 4 : 1);
        return {
          symbol,
          date,
          type,
          strike,
          years,
          wanted: (near(0.9) / (3 + days)) * activityFactor(own, day),
          held: (held / (20 + days)) * Math.exp(0.1 * normal(own, day)),
        };
      }),
    );
  });
  const of = (type: "call" | "put", by: "wanted" | "held", total: number) => {
    const own = listed.filter((one) => one.type === type);
    const split = splitByWeights(
      own.map((one) => one[by]),
      total,
    );
    return new Map(own.map(({ symbol }, i) => [symbol, split[i]!]));
  };
  const usual = listing.volume * CONTRACTS_PER_SHARE * HELD_DAYS;
  const puts = 0.35 + 0.2 * unit(draw(keyOf(key, "held"), 0));
  const traded = new Map([...of("call", "wanted", mood.calls), ...of("put", "wanted", mood.puts)]);
  const open = new Map([
    ...of("call", "held", Math.round((1 - puts) * usual)),
    ...of("put", "held", Math.round(puts * usual)),
  ]);
  return listed.map(({ symbol, date, type, strike, years }) => {
    const spread = mood.atm(years) * Math.sqrt(years);
    const iv = mood.iv(years, Math.log(strike / price) / spread);
    const { value, delta, gamma, theta, vega } = blackScholes({ type, spot: price, strike, years, iv });
    const half = Math.max(0.01, 0.01 * value);
    const cents = (dollars: number) => Math.round(100 * dollars) / 100;
    const [bid, ask, last] = [cents(value - half), cents(value + half), cents(value)];
    const volume = Math.floor(traded.get(symbol)! * elapsed);
    const sold = volume > 0 && last > 0;
    return {
      symbol,
      expiry: date,
      type,
      strike,
      bid: bid > 0 ? bid : null,
      ask: Math.max(0.01, ask),
      bidSize: bid > 0 ? 50 : null,
      askSize: 50,
      last: sold ? last : null,
      lastTradedAt: sold ? asOf : null,
      volume,
      openInterest: open.get(symbol)!,
      iv: round(iv, 4),
      delta: round(delta, 4),
      gamma: round(gamma, 6),
      theta: round(theta, 4),
      vega: round(vega, 4),
      theoretical: round(value, 4),
    };
  });
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
