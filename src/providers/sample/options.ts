import type { Instrument } from "../../domain/market/market.ts";
import type { FlowDay, OptionChain, PutCallDay } from "../../domain/options-flow/options.ts";
import type {
  Chains,
  Clock,
  DataUnavailable,
  FlowDays,
  OptionChainAnswer,
  PutCalls,
} from "../../domain/ports.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { sampleFlowTape } from "./flow-tape.ts";
import {
  createOptionConditions,
  MIN_HISTORY_DAYS,
  type OptionConditions,
  putIv,
} from "./option-conditions.ts";
import { contractsOf, type Moment } from "./option-contracts.ts";
import { listedOptions } from "./option-listing.ts";
import { optionTradesOn } from "./option-trades.ts";
import { cachedByDay, type Recording, type Recordings } from "./recordings.ts";
import { newestTick } from "./series.ts";
import { dayAt, isoDate, startOf } from "./time.ts";

const SOURCE = "sample";
const QUARTER = 900_000;
/** Number of days cached, all listings together: a year of each. */
const CACHED_DAYS = 20_000;
/** Number of days whose options and trades are cached: the current one of each listing, and the one before. */
const CACHED_LISTS = 128;

/**
 * Creates the options of the simulated stocks and funds: chains at the current tick, priced with the volatility of past
 * closes, puts more expensive than calls; their daily summaries; the tape of large trades; and the put/call ratios of the
 * market. The share of puts varies randomly, rises after falls and leans slightly against the planted outcome of a
 * structure.
 */
export function sampleOptions(
  recordings: Recordings,
  { members, clock }: { readonly members: readonly Instrument[]; readonly clock: Clock },
) {
  const conditionsOn = createOptionConditions();
  const listedOn = cachedByDay(CACHED_LISTS, (recording, day) =>
    listedOptions(recording, conditionsOn(recording, day)!, day),
  );
  const dayTrades = cachedByDay(CACHED_LISTS, (recording, day) =>
    optionTradesOn(recording, day, {
      conditions: conditionsOn(recording, day)!,
      listed: listedOn(recording, day),
    }),
  );
  const flowTape = sampleFlowTape(recordings, {
    members,
    clock,
    tradesOn: (recording, day) => (conditionsOn(recording, day) === null ? null : dayTrades(recording, day)),
  });
  const now = () => clock.now().getTime();

  function chainAt(recording: Recording, at: number): OptionChain | null {
    const newest = newestTick(at);
    const conditions = newest === null ? null : conditionsOn(recording, newest.day);
    if (newest === null || conditions === null) return null;
    const price = recording.tape(newest.day, 0, newest.to).close;
    return chainOf(recording, conditions, { ...newest, price }, listedOn(recording, newest.day));
  }

  const chains: Chains = {
    async chain(instrument): Promise<OptionChainAnswer | DataUnavailable> {
      const recording = recordings(instrument.symbol);
      const chain = recording === null ? null : chainAt(recording, now());
      if (recording === null || chain === null)
        return {
          unavailable: "not_covered",
          reason: `The sample market lists no options on ${instrument.symbol}`,
        };
      // volumes restart at 00:00 UTC
      const sameDay = dayOf(now()) === dayOf(now() - QUARTER);
      return {
        chain,
        earlier: sameDay ? chainAt(recording, now() - QUARTER) : null,
        source: SOURCE,
        fetchedAt: new Date(now()).toISOString(),
        stale: false,
        tried: [],
      };
    },
  };

  /** Returns the numbers of the days that had ended by a time, newest last. */
  const daysBefore = (until: number, limit: number): readonly number[] => {
    const over = dayAt(Math.min(until, now()));
    const first = Math.max(MIN_HISTORY_DAYS, over - Math.max(0, limit));
    return Array.from({ length: Math.max(0, over - first) }, (_, i) => first + i);
  };

  const flowDayOn = cachedByDay(CACHED_DAYS, (recording, day): FlowDay => {
    const conditions = conditionsOn(recording, day)!;
    return {
      ...dated(day),
      callVolume: conditions.calls,
      putVolume: conditions.puts,
      callPremium: null,
      putPremium: null,
      atmIv: conditions.atm(30 / 365),
      putIv: putIv(conditions),
    };
  });
  const flowDays: FlowDays = {
    async days(symbol, { until, limit }) {
      const recording = recordings(symbol);
      if (recording === null || recording.listing.instrument.asset_class === "crypto") return [];
      return daysBefore(until, limit).map((day) => flowDayOn(recording, day));
    },
    save: async () => {}, // nothing is stored, because it can be simulated again
  };

  const putCalls: PutCalls = {
    async days({ until, limit }) {
      const listed = members.flatMap(({ symbol }) => recordings(symbol) ?? []);
      const days: PutCallDay[] = [];
      const requested = daysBefore(until, limit);
      // the first request for a listing simulates its history, which takes long for all of them
      for (const recording of requested.length === 0 ? [] : listed) {
        if (isBusy()) await yieldToEventLoop();
        conditionsOn(recording, requested[0]!);
      }
      for (const day of requested) {
        if (isBusy()) await yieldToEventLoop();
        days.push(putCallsOn(listed, conditionsOn, day));
      }
      return { days, source: SOURCE, fetchedAt: new Date(now()).toISOString(), stale: false, tried: [] };
    },
  };
  return { chains, flowTape, flowDays, putCalls };
}

/** Returns the chain of a listing at a time of its day. */
export function chainOf(
  recording: Recording,
  conditions: OptionConditions,
  moment: Moment,
  listed = listedOptions(recording, conditions, moment.day),
): OptionChain {
  const asOf = new Date(moment.at).toISOString();
  return {
    underlying: { symbol: recording.listing.instrument.symbol, price: moment.price, tradedAt: asOf },
    asOf,
    delayMinutes: 0,
    source: SOURCE,
    contracts: contractsOf(listed, conditions, moment),
  };
}

/** Returns the put/call ratios of a day over the options of all `listings`; there are no index options. */
export function putCallsOn(
  listed: readonly Recording[],
  conditionsOn: ReturnType<typeof createOptionConditions>,
  day: number,
): PutCallDay {
  const sum = { etf: { puts: 0, calls: 0 }, equity: { puts: 0, calls: 0 } };
  for (const recording of listed) {
    const { asset_class } = recording.listing.instrument;
    const conditions = conditionsOn(recording, day);
    if (conditions === null || asset_class === "crypto") continue;
    sum[asset_class].puts += conditions.puts;
    sum[asset_class].calls += conditions.calls;
  }
  const [puts, calls] = [sum.etf.puts + sum.equity.puts, sum.etf.calls + sum.equity.calls];
  const ratio = (of: number, over: number) => (over === 0 ? null : Math.round((1e4 * of) / over) / 1e4);
  return {
    ...dated(day),
    total: ratio(puts, calls),
    index: null,
    etp: ratio(sum.etf.puts, sum.etf.calls),
    equity: ratio(sum.equity.puts, sum.equity.calls),
    callVolume: calls,
    putVolume: puts,
  };
}

const dayOf = (at: number): number => newestTick(at)?.day ?? -1;

/** Returns the date of a day, and its end, at which its figures become known. */
const dated = (day: number) => ({ day: isoDate(startOf(day)), at: startOf(day + 1) });
