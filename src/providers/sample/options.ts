import type { Instrument } from "../../domain/market.ts";
import type { FlowDay, OptionChain, OptionContract, PutCallDay } from "../../domain/options.ts";
import type { Chains, Clock, FlowDays, PutCalls, ToldChain, Untold } from "../../ports/index.ts";
import { DAY_MS, EPOCH } from "./daily.ts";
import { draw, keyOf, normal, unit } from "./draws.ts";
import { DAY_TICKS } from "./intraday.ts";
import { expiriesOn, strikesOn } from "./option-grid.ts";
import { modelled, yearsUntil } from "./option-model.ts";
import { bustle, type Mood, OPTIONS_FROM, optionMoods, putIv, shares, TRADED } from "./option-mood.ts";
import { newestTick } from "./series.ts";
import type { Recording } from "./tapes.ts";

const SOURCE = "sample";
const QUARTER = 900_000;
/** Days of open positions that the usual volume comes to. */
const HELD_DAYS = 14;

interface SampleOptions {
  readonly chains: Chains;
  readonly flowDays: FlowDays;
  readonly putCalls: PutCalls;
}

/**
 * Options of the simulated stocks and funds: chains at the market's current tick, priced by volatility that past closes
 * had, with puts dearer than calls; what they came to day by day; and the put/call ratios of the whole market. The share
 * of puts wanders, rises after falls and leans a little against the planted outcome of a structure.
 */
export function sampleOptions(
  recordings: (symbol: string) => Recording | null,
  { members, clock }: { readonly members: readonly Instrument[]; readonly clock: Clock },
): SampleOptions {
  const moods = optionMoods();
  const now = () => clock.now().getTime();

  function chainAt(recording: Recording, at: number): OptionChain | null {
    const newest = newestTick(at);
    const mood = newest === null ? null : moods(recording, newest.day);
    if (newest === null || mood === null) return null;
    const { symbol } = recording.listing.instrument;
    const price = recording.tape(newest.day, 0, newest.to).close;
    const asOf = new Date(newest.at).toISOString();
    return {
      underlying: { symbol, price, tradedAt: asOf },
      asOf,
      delayMinutes: 0,
      source: SOURCE,
      contracts: contractsOf(recording, mood, { ...newest, price, asOf }),
    };
  }

  const chains: Chains = {
    async chain(instrument): Promise<ToldChain | Untold> {
      const recording = recordings(instrument.symbol);
      const chain = recording === null ? null : chainAt(recording, now());
      if (recording === null || chain === null)
        return none(`No options on ${instrument.symbol} are listed here`);
      // volumes begin anew at midnight
      const sameDay = dayOf(now()) === dayOf(now() - QUARTER);
      return {
        chain,
        earlier: sameDay ? chainAt(recording, now() - QUARTER) : null,
        ...{ source: SOURCE, fetchedAt: new Date(now()).toISOString(), stale: false, tried: [] },
      };
    },
  };

  /** The whole days that were over by a moment, newest last. */
  const daysBefore = (until: number, limit: number): readonly number[] => {
    const over = Math.floor((Math.min(until, now()) - EPOCH) / DAY_MS);
    const first = Math.max(OPTIONS_FROM, over - Math.max(0, limit));
    return Array.from({ length: Math.max(0, over - first) }, (_, i) => first + i);
  };

  const flowDays: FlowDays = {
    async days(symbol, { until, limit }) {
      const recording = recordings(symbol);
      return daysBefore(until, limit).flatMap((day): FlowDay[] => {
        const mood = recording && moods(recording, day);
        if (mood === null) return [];
        return [
          {
            ...dated(day),
            ...{ callVolume: mood.calls, putVolume: mood.puts, callPremium: null, putPremium: null },
            atmIv: mood.atm(30 / 365),
            putIv: putIv(mood),
          },
        ];
      });
    },
    keep: async () => {}, // they can be told anew at any time
  };

  const putCalls: PutCalls = {
    async days({ until, limit }) {
      const days = daysBefore(until, limit).map((day): PutCallDay => {
        const sum = { etf: { puts: 0, calls: 0 }, equity: { puts: 0, calls: 0 } };
        for (const { symbol, asset_class } of members) {
          const recording = recordings(symbol);
          const mood = recording && moods(recording, day);
          if (mood === null || asset_class === "crypto") continue;
          sum[asset_class].puts += mood.puts;
          sum[asset_class].calls += mood.calls;
        }
        const [puts, calls] = [sum.etf.puts + sum.equity.puts, sum.etf.calls + sum.equity.calls];
        const ratio = (puts: number, calls: number) =>
          calls === 0 ? null : Math.round((1e4 * puts) / calls) / 1e4;
        return {
          ...dated(day),
          total: ratio(puts, calls),
          index: null,
          etp: ratio(sum.etf.puts, sum.etf.calls),
          equity: ratio(sum.equity.puts, sum.equity.calls),
          ...{ callVolume: calls, putVolume: puts },
        };
      });
      return { days, source: SOURCE, fetchedAt: new Date(now()).toISOString(), stale: false, tried: [] };
    },
  };
  return { chains, flowDays, putCalls };
}

const none = (reason: string): Untold => ({ untold: "not_covered", reason });

const dayOf = (at: number): number => newestTick(at)?.day ?? -1;

/** A day of the market, known when it is over. */
const dated = (day: number) => ({
  day: new Date(EPOCH + day * DAY_MS).toISOString().slice(0, 10),
  at: EPOCH + (day + 1) * DAY_MS,
});

interface Moment {
  readonly day: number;
  readonly to: number;
  readonly at: number;
  readonly price: number;
  readonly asOf: string;
}

function contractsOf(
  { listing, key }: Recording,
  mood: Mood,
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
          ...{ symbol, date, type, strike, years },
          wanted: (near(0.9) / (3 + days)) * bustle(own, day),
          held: (held / (20 + days)) * Math.exp(0.1 * normal(own, day)),
        };
      }),
    );
  });
  const of = (type: "call" | "put", by: "wanted" | "held", total: number) => {
    const own = listed.filter((one) => one.type === type);
    const split = shares(
      own.map((one) => one[by]),
      total,
    );
    return new Map(own.map(({ symbol }, i) => [symbol, split[i]!]));
  };
  const usual = listing.volume * TRADED * HELD_DAYS;
  const puts = 0.35 + 0.2 * unit(draw(keyOf(key, "held"), 0));
  const traded = new Map([...of("call", "wanted", mood.calls), ...of("put", "wanted", mood.puts)]);
  const open = new Map([
    ...of("call", "held", Math.round((1 - puts) * usual)),
    ...of("put", "held", Math.round(puts * usual)),
  ]);
  return listed.map(({ symbol, date, type, strike, years }) => {
    const spread = mood.atm(years) * Math.sqrt(years);
    const iv = mood.iv(years, Math.log(strike / price) / spread);
    const { value, delta, gamma, theta, vega } = modelled({ type, spot: price, strike, years, iv });
    const half = Math.max(0.01, 0.01 * value);
    const cents = (dollars: number) => Math.round(100 * dollars) / 100;
    const [bid, ask, last] = [cents(value - half), cents(value + half), cents(value)];
    const volume = Math.floor(traded.get(symbol)! * elapsed);
    const sold = volume > 0 && last > 0;
    return {
      ...{ symbol, expiry: date, type, strike },
      bid: bid > 0 ? bid : null,
      ask: Math.max(0.01, ask),
      bidSize: bid > 0 ? 50 : null,
      askSize: 50,
      last: sold ? last : null,
      lastTradedAt: sold ? asOf : null,
      ...{ volume, openInterest: open.get(symbol)! },
      ...{ iv: round(iv, 4), delta: round(delta, 4), gamma: round(gamma, 6) },
      ...{ theta: round(theta, 4), vega: round(vega, 4), theoretical: round(value, 4) },
    };
  });
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
