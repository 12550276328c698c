import type { OptionContract } from "../../domain/options-flow/options.ts";
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
import type { Recording } from "./recordings.ts";
import { DAY_MS, EPOCH } from "./time.ts";

/** Open interest as a multiple of the usual daily volume. */
const HELD_DAYS = 14;

/** A time of a day with the price of the underlying at that time. */
export interface Moment {
  readonly day: number;
  /** Ticks of the day that are over; volumes grow with them. */
  readonly to: number;
  /** Epoch ms. */
  readonly at: number;
  readonly price: number;
}

/**
 * Returns every option listed on a stock or fund, priced by a model, with its part of the day's volume and
 * open interest.
 */
export function contractsOf(
  { listing, key }: Recording,
  conditions: OptionConditions,
  { day, to, at, price }: Moment,
): readonly OptionContract[] {
  const root = listing.instrument.symbol.replace(".", "");
  const elapsed = to / DAY_TICKS;
  const asOf = new Date(at).toISOString();
  const listed = expiriesOn(day).flatMap(({ expiry, date, monthly }) => {
    const years = yearsUntil(expiry, at);
    const whole = yearsUntil(expiry, EPOCH + day * DAY_MS);
    const usual = conditions.atm(whole) * Math.sqrt(whole);
    const days = 365 * whole;
    return strikesOn(conditions.before, usual).flatMap((strike) =>
      (["call", "put"] as const).map((type) => {
        const name = `${root}${date.slice(2).replaceAll("-", "")}${type === "call" ? "C" : "P"}`;
        const symbol = `${name}${String(Math.round(strike * 1000)).padStart(8, "0")}`;
        const own = keyOf(key, "contract", symbol);
        // most volume is a little out of the money, most open interest farther out
        const out = (type === "call" ? 1 : -1) * (Math.log(strike / conditions.before) / usual);
        const near = (width: number) => Math.exp(-0.5 * ((out - 0.3) / width) ** 2);
        const held = near(1.3) * Math.exp(0.5 * normal(own, 0)) * (monthly ? 4 : 1);
        return {
          symbol,
          date,
          type,
          strike,
          years,
          traded: (near(0.9) / (3 + days)) * activityFactor(own, day),
          held: (held / (20 + days)) * Math.exp(0.1 * normal(own, day)),
        };
      }),
    );
  });
  const split = (type: "call" | "put", by: "traded" | "held", total: number) => {
    const own = listed.filter((contract) => contract.type === type);
    const weights = own.map((contract) => contract[by]);
    const counts = splitByWeights(weights, total);
    return own.map(({ symbol }, i) => [symbol, counts[i]!] as const);
  };
  const usual = listing.volume * CONTRACTS_PER_SHARE * HELD_DAYS;
  const puts = 0.35 + 0.2 * unit(draw(keyOf(key, "held"), 0));
  const traded = new Map([
    ...split("call", "traded", conditions.calls),
    ...split("put", "traded", conditions.puts),
  ]);
  const open = new Map([
    ...split("call", "held", Math.round((1 - puts) * usual)),
    ...split("put", "held", Math.round(puts * usual)),
  ]);
  return listed.map(({ symbol, date, type, strike, years }) => {
    const spread = conditions.atm(years) * Math.sqrt(years);
    const iv = conditions.iv(years, Math.log(strike / price) / spread);
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
