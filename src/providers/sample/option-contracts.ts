import type { OptionContract } from "../../domain/options-flow/options.ts";
import { DAY_TICKS } from "./intraday.ts";
import type { OptionConditions } from "./option-conditions.ts";
import type { ListedOption } from "./option-listing.ts";
import { blackScholes, yearsUntil } from "./option-model.ts";

/** A time within a day, with the price of the underlying at that time. */
export interface Moment {
  readonly day: number;
  /** Number of ticks of the day that are over; volumes grow with this number. */
  readonly to: number;
  /** Epoch ms. */
  readonly at: number;
  readonly price: number;
}

/** Returns the number of contracts of an option that have traded after `to` ticks of its day. */
export const tradedBy = ({ traded }: Pick<ListedOption, "traded">, to: number): number =>
  Math.floor(traded * (to / DAY_TICKS));

/** Computes volatility, greeks and quotes of an option by the model, in dollars per share; `bid` is 0 without a bid. */
export function priceOption(
  { expiry, type, strike }: Pick<ListedOption, "expiry" | "type" | "strike">,
  conditions: OptionConditions,
  { at, price }: Pick<Moment, "at" | "price">,
) {
  const years = yearsUntil(expiry, at);
  const spread = conditions.atm(years) * Math.sqrt(years);
  const iv = conditions.iv(years, Math.log(strike / price) / spread);
  const model = blackScholes({ type, spot: price, strike, years, iv });
  const half = Math.max(0.01, 0.01 * model.value);
  const cents = (dollars: number) => Math.round(100 * dollars) / 100;
  return {
    ...model,
    iv,
    bid: Math.max(0, cents(model.value - half)),
    ask: Math.max(0.01, cents(model.value + half)),
    last: cents(model.value),
  };
}

/** Returns the rows of a chain at a time of its day. */
export function contractsOf(
  listed: readonly ListedOption[],
  conditions: OptionConditions,
  moment: Moment,
): readonly OptionContract[] {
  const asOf = new Date(moment.at).toISOString();
  return listed.map((option) => {
    const { value, delta, gamma, theta, vega, iv, bid, ask, last } = priceOption(option, conditions, moment);
    const volume = tradedBy(option, moment.to);
    const sold = volume > 0 && last > 0;
    return {
      symbol: option.symbol,
      expiry: option.date,
      type: option.type,
      strike: option.strike,
      bid: bid > 0 ? bid : null,
      ask,
      bidSize: bid > 0 ? 50 : null,
      askSize: 50,
      last: sold ? last : null,
      lastTradedAt: sold ? asOf : null,
      volume,
      openInterest: option.held,
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
