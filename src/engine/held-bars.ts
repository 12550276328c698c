import { sliceBars, type Timeframe } from "../domain/bars.ts";
import type { BarSeries, Instrument } from "../domain/market.ts";
import { ToolError } from "../kernel/errors.ts";
import type { BarHistory, HistoryRequest } from "../ports/index.ts";
import { CONSENSUS_BARS } from "../signals/gather.ts";

/** Failures that may be over when somebody asks again. */
const PASSING: ReadonlySet<string> = new Set(["UPSTREAM_UNAVAILABLE", "RATE_LIMITED", "DEADLINE"]);

/**
 * Bars as of one moment, each series read once however many symbols are compared with it, and the same object each time it
 * is told. A passing failure is not kept, so that whoever asks next tries again.
 */
export function heldBars(
  bars: BarHistory,
  at: { readonly timeframe: Timeframe; readonly asOf: number; readonly signal: AbortSignal },
): BarHistory {
  const held = new Map<string, Promise<BarSeries>>();

  const once = (key: string, read: () => Promise<BarSeries>): Promise<BarSeries> => {
    const before = held.get(key);
    if (before !== undefined) return before;
    const reading = read();
    held.set(key, reading);
    reading.catch((cause: unknown) => {
      if (!(cause instanceof ToolError) || PASSING.has(cause.code)) held.delete(key);
    });
    return reading;
  };

  return {
    async history(instrument: Instrument, request: HistoryRequest) {
      const { symbol } = instrument;
      const { timeframe, limit } = request;
      const asOf = Math.min(request.asOf ?? at.asOf, at.asOf);
      if (timeframe !== at.timeframe || limit > CONSENSUS_BARS)
        return bars.history(instrument, { ...request, asOf });
      const whole = await once(symbol, () => bars.history(instrument, { ...at, limit: CONSENSUS_BARS }));
      if (whole.as_of === null || Date.parse(whole.as_of) <= asOf) {
        const count = whole.bars.time.length;
        if (count <= limit) return whole;
        return once(`${symbol}|${limit}`, async () => ({
          ...whole,
          bars: sliceBars(whole.bars, count - limit),
        }));
      }
      return once(`${symbol}|${limit}|${asOf}`, () =>
        bars.history(instrument, { timeframe, limit, asOf, signal: at.signal }),
      );
    },
  };
}
