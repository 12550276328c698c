import type { TideTick } from "../../../domain/options-flow/options.ts";
import type {
  OptionTradesRequest,
  TideProvider,
  TradeProvider,
  TradeProviderAnswer,
} from "../../../domain/options-flow/provider.ts";
import type { DataUnavailable, FlowTape, OptionTradesAnswer, TideAnswer } from "../../../domain/ports.ts";
import type { ProviderAnswer } from "../../../domain/providers/provider.ts";
import type { Guarded } from "../../../market/failover/guard.ts";
import { type ResourceOptions, resourceOf } from "../../../market/failover/resource.ts";

const MINUTE = 60_000;

interface FlowTapeOptions extends Pick<ResourceOptions<never, never>, "clock" | "settings"> {
  readonly trades: readonly Guarded<TradeProvider>[];
  readonly tide: readonly Guarded<TideProvider>[];
  /** Reason returned if no provider is enabled. */
  readonly missing: DataUnavailable;
  /** Reason returned if no provider of the market's net premium is enabled. */
  readonly noTide: DataUnavailable;
}

/** Creates the port for option trades and net premium: from the first available provider, trades cached for a minute. */
export function liveFlowTape({
  trades,
  tide,
  clock,
  missing,
  noTide,
  settings = {},
}: FlowTapeOptions): FlowTape {
  const fetchTrades = resourceOf<OptionTradesRequest, TradeProviderAnswer>({
    about: ({ instrument: { symbol } }) => `option trades of ${symbol}`,
    providers: trades,
    clock,
    settings,
    // ranges starting in the same minute share one request
    keyOf: ({ instrument: { symbol }, from }) => `${symbol} ${Math.floor(from / MINUTE)}`,
    freshMs: MINUTE,
    staleMs: 15 * MINUTE,
    best: ({ emptyReason }) => emptyReason === undefined,
  });
  const fetchTide = resourceOf<null, { readonly ticks: readonly TideTick[] }>({
    about: () => "net premium of the market",
    providers: tide,
    clock,
    keyOf: () => "tide",
    settings,
    freshMs: MINUTE,
    staleMs: 15 * MINUTE,
  });
  return {
    async trades(instrument, { from, until, signal }): Promise<OptionTradesAnswer | DataUnavailable> {
      if (trades.length === 0) return missing;
      const tapeAnswer = await fetchTrades({ instrument, from }, { signal });
      if (tapeAnswer === null)
        return { unavailable: "not_covered", reason: `No tape has options on ${instrument.symbol}` };
      const { answer, fetchedAt } = tapeAnswer;
      const { notes = [], emptyReason } = answer;
      if (emptyReason !== undefined)
        return { unavailable: "not_covered", reason: [emptyReason, ...notes].join(". ") };
      return {
        trades: answer.trades
          .filter(({ executedAt }) => executedAt >= from && executedAt <= until)
          .toSorted((a, b) => a.executedAt - b.executedAt),
        completeFrom: answer.completeFrom > from ? answer.completeFrom : null,
        completeUntil: Math.min(answer.completeUntil ?? fetchedAt, until),
        notes,
        ...originOf(tapeAnswer),
      };
    },
    async tide({ signal } = {}): Promise<TideAnswer | DataUnavailable> {
      if (tide.length === 0) return noTide;
      const tapeAnswer = await fetchTide(null, { signal });
      if (tapeAnswer === null)
        return { unavailable: "not_covered", reason: "No provider has net premium today" };
      return { ticks: tapeAnswer.answer.ticks.toSorted((a, b) => a.time - b.time), ...originOf(tapeAnswer) };
    },
  };
}

/** Returns the provenance of a provider's answer, with the fetch time in ISO 8601. */
export const originOf = ({ source, fetchedAt, stale, tried }: ProviderAnswer<unknown>) => ({
  source,
  fetchedAt: new Date(fetchedAt).toISOString(),
  stale,
  tried,
});
