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
  /** Complete up to here, epoch ms; up to when it was asked where it is not said. */
  readonly completeUntil?: number;
  /** Why it tells nothing of the time asked for, where it does not reach so far. */
  readonly silent?: string;
  /** What is missing of it, a sentence each. */
  readonly notes?: readonly string[];
}
export type TradeProvider = Provider<TradeQuestion, TradesTold>;
export type TideProvider = Provider<null, { readonly ticks: readonly TideTick[] }>;

interface FlowTapeOptions {
  readonly trades: readonly Guarded<TradeProvider>[];
  readonly tide: readonly Guarded<TideProvider>[];
  readonly clock: Clock;
  /** Why there is none, where no source is on. */
  readonly missing: Untold;
  /** The same of the whole market's net premium. */
  readonly noTide: Untold;
  /** The setting that each source's key is in, by the source's name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A tape of option trades over sources in order; what was told is as good as new for a minute. */
export function liveFlowTape({
  trades,
  tide,
  clock,
  missing,
  noTide,
  settings = {},
}: FlowTapeOptions): FlowTape {
  const askTrades = resourceOf<TradeQuestion, TradesTold>({
    about: ({ instrument: { symbol } }) => `option trades of ${symbol}`,
    ...{ providers: trades, clock, settings },
    // windows that begin in the same minute are one question
    keyOf: ({ instrument: { symbol }, from }) => `${symbol} ${Math.floor(from / MINUTE)}`,
    ...{ freshMs: MINUTE, staleMs: 15 * MINUTE },
    best: ({ silent }) => silent === undefined,
  });
  const askTide = resourceOf<null, { readonly ticks: readonly TideTick[] }>({
    about: () => "net premium of the market",
    ...{ providers: tide, clock, keyOf: () => "tide", settings },
    ...{ freshMs: MINUTE, staleMs: 15 * MINUTE },
  });
  return {
    async trades(instrument, { from, until, signal }): Promise<ToldTrades | Untold> {
      if (trades.length === 0) return missing;
      const told = await askTrades({ instrument, from }, signal === undefined ? {} : { signal });
      if (told === null) return notCovered(instrument);
      const { answer, fetchedAt } = told;
      const { notes = [], silent } = answer;
      if (silent !== undefined) return { untold: "not_covered", reason: [silent, ...notes].join(". ") };
      return {
        trades: answer.trades
          .filter(({ executedAt }) => executedAt >= from && executedAt <= until)
          .toSorted((a, b) => a.executedAt - b.executedAt),
        completeFrom: answer.completeFrom > from ? answer.completeFrom : null,
        completeUntil: Math.min(answer.completeUntil ?? fetchedAt, until),
        notes,
        ...by(told),
      };
    },
    async tide({ signal } = {}): Promise<ToldTide | Untold> {
      if (tide.length === 0) return noTide;
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
