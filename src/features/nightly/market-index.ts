import {
  bandOf,
  INDEX_BARS,
  INDEX_PARTS,
  type IndexBars,
  indexHistory,
  indexPart,
  indexValue,
  partHistory,
} from "../../analytics/sentiment/market-index.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { INDEX_DAYS, type MarketIndexValue } from "../../domain/nightly/engine.ts";
import type { Ports, PutCalls } from "../../domain/ports.ts";
import { asToolError } from "../../kernel/errors.ts";
import { mapInSteps } from "../../lib/event-loop.ts";
import { seriesOrNull } from "../signal/series.ts";

interface MarketIndexRequest extends Pick<Ports, "symbols" | "bars"> {
  readonly members: readonly string[];
  /** Provider of put/call ratios. Default: that part of the index is omitted. */
  readonly putCalls?: PutCalls;
  readonly signal: AbortSignal;
}

/**
 * Computes the sentiment index over members, each counted once, as of the newest closed bar of SPY; null without such a
 * bar.
 */
export async function computeMarketIndex(inputs: MarketIndexRequest): Promise<MarketIndexValue | null> {
  const { members, symbols, bars, putCalls, signal } = inputs;
  const request = { timeframe: "1d", limit: INDEX_BARS, signal } as const;
  const known = new Map(symbols.members().map((one) => [one.symbol, one]));
  const benchmark = await seriesOrNull(bars, known.get("SPY"), request);
  if (benchmark === null || benchmark.as_of === null) return null;
  const bonds = await seriesOrNull(bars, known.get("TLT"), request);
  const all = [...new Set(members)].flatMap((symbol) => known.get(symbol) ?? []);
  const barsOf = async (kind: Instrument["asset_class"]): Promise<readonly Bars[]> => {
    const found: Bars[] = [];
    for (const one of all.filter(({ asset_class }) => asset_class === kind)) {
      signal.throwIfAborted();
      const series = await seriesOrNull(bars, one, request).catch(() => null); // the run reports failures of members
      if (series !== null) found.push(series.bars);
    }
    return found;
  };
  const putCall = putCalls && (await ratiosBy(benchmark.as_of, putCalls, signal));
  const indexBars: IndexBars = {
    benchmark: benchmark.bars,
    bonds: bonds?.bars ?? null,
    stocks: await barsOf("equity"),
    coins: await barsOf("crypto"),
    ...(putCall && { putCall }),
  };
  const parts = await mapInSteps(INDEX_PARTS, (part) => indexPart(part, indexBars));
  const value = indexValue(parts);
  const histories = await mapInSteps(INDEX_PARTS, (part) => partHistory(part, indexBars, INDEX_DAYS));
  return {
    value,
    band: value === null ? null : bandOf(value),
    parts: [...parts],
    as_of: benchmark.as_of,
    history: indexHistory(histories),
  };
}

/** Days of ratios read; enough to rank five-day means even when some days are missing. */
const RATIO_DAYS = 420;
/** Delay after the close by which the ratios of a day are published. */
const PUBLISHED_MS = 8 * 3_600_000;

/** Reads the put/call ratios up to the day of a close; null when no provider responds. */
async function ratiosBy(close: string, putCalls: PutCalls, signal: AbortSignal) {
  const day = close.slice(0, 10);
  const until = Date.parse(close) + PUBLISHED_MS;
  const ratios = await putCalls.days({ until, limit: RATIO_DAYS, signal }).catch((cause: unknown) => {
    if (asToolError(cause).code === "INTERNAL" && !signal.aborted) throw cause;
    return null;
  });
  if (ratios === null || "unavailable" in ratios) return null;
  return ratios.days.flatMap((one) =>
    one.total === null || one.day > day ? [] : [{ day: Date.parse(one.day), ratio: one.total }],
  );
}
