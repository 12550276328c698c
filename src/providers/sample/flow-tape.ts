import type { Instrument } from "../../domain/market/market.ts";
import type { OptionTrade, TideTick } from "../../domain/options-flow/options.ts";
import type { Clock, FlowTape } from "../../domain/ports.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import type { Recording, Recordings } from "./recordings.ts";
import { newestTick } from "./series.ts";
import { startOf } from "./time.ts";

const SOURCE = "sample";
/** Interval of the market's net premium. */
const TIDE_STEP_MS = 300_000;

/** Large trades of a listing on a complete day, in order of time; null if it has no options on that day. */
export type DayTrades = (recording: Recording, day: number) => readonly OptionTrade[] | null;

interface FlowTapeDeps {
  readonly members: readonly Instrument[];
  readonly clock: Clock;
  readonly tradesOn: DayTrades;
}

/**
 * Creates the tape of large trades in simulated options, and the net premium of all of them as the tide of the market.
 * Like the volumes of the chains, both begin at 00:00 UTC. No trade is returned before its execution.
 */
export function sampleFlowTape(recordings: Recordings, { members, clock, tradesOn }: FlowTapeDeps): FlowTape {
  const now = () => clock.now().getTime();
  const origin = () => ({
    source: SOURCE,
    fetchedAt: new Date(now()).toISOString(),
    stale: false,
    tried: [],
  });

  return {
    async trades({ symbol }, { from, until }) {
      const end = Math.min(until, now());
      const newest = newestTick(end);
      const recording = recordings(symbol);
      const trades = newest === null || recording === null ? null : tradesOn(recording, newest.day);
      if (newest === null || trades === null)
        return { unavailable: "not_covered", reason: `The sample market lists no options on ${symbol}` };
      const start = startOf(newest.day);
      return {
        trades: trades.filter(({ executedAt }) => executedAt >= from && executedAt <= end),
        completeFrom: from < start ? start : null,
        completeUntil: end,
        ...origin(),
      };
    },

    async tide() {
      const newest = newestTick(now());
      const found: OptionTrade[] = [];
      for (const { symbol } of newest === null ? [] : members) {
        if (isBusy()) await yieldToEventLoop();
        found.push(...(tradesOn(recordings(symbol)!, newest!.day) ?? []));
      }
      const start = newest === null ? 0 : startOf(newest.day);
      return { ticks: tideOf(found, start, newest?.at ?? 0), ...origin() };
    },
  };
}

/** Sums the premium of trades in steps of five minutes from `start` up to `end`, epoch ms. */
function tideOf(trades: readonly OptionTrade[], start: number, end: number): readonly TideTick[] {
  const ordered = trades.toSorted((a, b) => a.executedAt - b.executedAt);
  const net = { call: 0, put: 0, volume: 0 };
  const ticks: TideTick[] = [];
  let next = 0;
  for (let time = start + TIDE_STEP_MS; time <= end; time += TIDE_STEP_MS) {
    for (
      let trade = ordered[next];
      trade !== undefined && trade.executedAt <= time;
      trade = ordered[++next]
    ) {
      const premium = trade.askPremium! - trade.bidPremium!;
      net[trade.type] += premium;
      net.volume += Math.sign(premium) * (trade.type === "call" ? 1 : -1) * trade.size;
    }
    ticks.push({
      time,
      netCallPremium: Math.round(net.call),
      netPutPremium: Math.round(net.put),
      netVolume: net.volume,
    });
  }
  return ticks;
}
