import type { Instrument } from "../../domain/market.ts";
import type { OptionTrade, TideTick } from "../../domain/options.ts";
import type { Clock, FlowTape, ToldTide, ToldTrades, Untold } from "../../ports/index.ts";
import type { Guarded } from "./guard.ts";
import { type Provider, resourceOf, type Told } from "./resource.ts";

const MINUTE = 60_000;

export interface TradeQuestion {
  readonly instrument: Instrument;
  /** Epoch ms. */
  readonly from: number;
}
/** What a source told, in any order; complete from a moment on, `-Infinity` where nothing is left out. */
export interface TradesTold {
  readonly trades: readonly OptionTrade[];
  readonly completeFrom: number;
}
export type TradeProvider = Provider<TradeQuestion, TradesTold>;
export type TideProvider = Provider<null, { readonly ticks: readonly TideTick[] }>;

interface FlowTapeOptions {
  readonly trades: readonly Guarded<TradeProvider>[];
  readonly tide: readonly Guarded<TideProvider>[];
  readonly clock: Clock;
  /** Why there is none, where no source is on. */
  readonly missing: Untold;
}

/** A tape of option trades over sources in order; what was told is as good as new for a minute. */
export function liveFlowTape({ trades, tide, clock, missing }: FlowTapeOptions): FlowTape {
  const askTrades = resourceOf<TradeQuestion, TradesTold>({
    about: ({ instrument: { symbol } }) => `option trades of ${symbol}`,
    ...{ providers: trades, clock },
    // windows that begin in the same minute are one question
    keyOf: ({ instrument: { symbol }, from }) => `${symbol} ${Math.floor(from / MINUTE)}`,
    ...{ freshMs: MINUTE, staleMs: 15 * MINUTE },
  });
  const askTide = resourceOf<null, { readonly ticks: readonly TideTick[] }>({
    about: () => "net premium of the market",
    ...{ providers: tide, clock, keyOf: () => "tide" },
    ...{ freshMs: MINUTE, staleMs: 15 * MINUTE },
  });
  return {
    async trades(instrument, { from, until, signal }): Promise<ToldTrades | Untold> {
      if (trades.length === 0) return missing;
      const told = await askTrades({ instrument, from }, signal === undefined ? {} : { signal });
      if (told === null) return notCovered(instrument);
      const { answer } = told;
      return {
        trades: answer.trades
          .filter(({ executedAt }) => executedAt >= from && executedAt <= until)
          .toSorted((a, b) => a.executedAt - b.executedAt),
        completeFrom: answer.completeFrom > from ? answer.completeFrom : null,
        ...by(told),
      };
    },
    async tide({ signal } = {}): Promise<ToldTide | Untold> {
      if (tide.length === 0) return missing;
      const told = await askTide(null, signal === undefined ? {} : { signal });
      if (told === null) return { untold: "not_covered", reason: "No source tells net premium today" };
      return { ticks: told.answer.ticks.toSorted((a, b) => a.time - b.time), ...by(told) };
    },
  };
}

const notCovered = ({ symbol }: Instrument): Untold => ({
  untold: "not_covered",
  reason: `No tape has options on ${symbol}`,
});

const by = ({ source, fetchedAt, stale, tried }: Told<unknown>) => ({
  ...{ source, fetchedAt: new Date(fetchedAt).toISOString(), stale, tried },
});
