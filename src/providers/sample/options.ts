import { LRUCache } from "lru-cache";
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
import { DAY_MS, EPOCH } from "./daily.ts";
import { createOptionConditions, MIN_HISTORY_DAYS, putIv } from "./option-conditions.ts";
import { contractsOf } from "./option-contracts.ts";
import { newestTick } from "./series.ts";
import type { Recording } from "./tapes.ts";

const SOURCE = "sample";
const QUARTER = 900_000;
/** Days kept over all listings: those of a year of each. */
const CACHED_DAYS = 20_000;

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
  const moods = createOptionConditions();
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
    async chain(instrument): Promise<OptionChainAnswer | DataUnavailable> {
      const recording = recordings(instrument.symbol);
      const chain = recording === null ? null : chainAt(recording, now());
      if (recording === null || chain === null)
        return notCovered(`No options on ${instrument.symbol} are listed here`);
      // volumes begin anew at midnight
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

  /** The whole days that were over by a moment, newest last. */
  const daysBefore = (until: number, limit: number): readonly number[] => {
    const over = Math.floor((Math.min(until, now()) - EPOCH) / DAY_MS);
    const first = Math.max(MIN_HISTORY_DAYS, over - Math.max(0, limit));
    return Array.from({ length: Math.max(0, over - first) }, (_, i) => first + i);
  };

  const kept = new LRUCache<string, FlowDay>({ max: CACHED_DAYS });
  const flowDays: FlowDays = {
    async days(symbol, { until, limit }) {
      const recording = recordings(symbol);
      return daysBefore(until, limit).flatMap((day): FlowDay[] => {
        const name = `${symbol} ${day}`;
        const known = kept.get(name);
        if (known !== undefined) return [known];
        const mood = recording && moods(recording, day);
        if (mood === null) return [];
        const made = {
          ...dated(day),
          callVolume: mood.calls,
          putVolume: mood.puts,
          callPremium: null,
          putPremium: null,
          atmIv: mood.atm(30 / 365),
          putIv: putIv(mood),
        };
        kept.set(name, made);
        return [made];
      });
    },
    save: async () => {}, // they can be told anew at any time
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
          callVolume: calls,
          putVolume: puts,
        };
      });
      return { days, source: SOURCE, fetchedAt: new Date(now()).toISOString(), stale: false, tried: [] };
    },
  };
  return { chains, flowDays, putCalls };
}

const notCovered = (reason: string): DataUnavailable => ({ untold: "not_covered", reason });

const dayOf = (at: number): number => newestTick(at)?.day ?? -1;

/** A day of the market, known when it is over. */
const dated = (day: number) => ({
  day: new Date(EPOCH + day * DAY_MS).toISOString().slice(0, 10),
  at: EPOCH + (day + 1) * DAY_MS,
});
