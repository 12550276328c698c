import { type BacktestTimeframe, hasDateLabel } from "../../domain/market/bars.ts";
import type { Dividend } from "../../domain/market/corporate-actions.ts";
import type { BarSeries, Instrument, Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { missingDataError } from "../signal/missing-data.ts";

/** Maximum bars read per symbol: about 25 years of daily bars, or a typical intraday history. */
export const MAX_BARS = { daily: 6_500, intraday: 20_000 } as const;
/** Maximum number of series read concurrently. */
const MAX_CONCURRENT = 4;

interface HistoriesRequest {
  /** As the caller wrote them. */
  readonly symbols: readonly string[];
  readonly timeframe: BacktestTimeframe;
  /** Start of trading and latest time of the data, epoch ms. Default: all bars. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly signal: AbortSignal;
}

/** The bars of a symbol up to the end of the run. */
export interface SymbolHistory {
  readonly instrument: Instrument;
  readonly series: BarSeries & { readonly as_of: string };
  /** Cash dividends of the prices. Default: not known. */
  readonly dividends?: readonly Dividend[] | null;
}

export interface SymbolHistories {
  readonly read: readonly SymbolHistory[];
  /** Names of instruments that an earlier name already requested. */
  readonly repeated: readonly string[];
  readonly alternatives: Resolution["alternatives"];
}

/**
 * Reads the closed bars of every symbol from the earliest possible time, so that strategies warm up before `from`.
 * @throws ToolError UNKNOWN_SYMBOL, or NOT_ENOUGH_DATA when a symbol has no bars in the period
 */
export async function readHistories(
  request: HistoriesRequest,
  ports: Pick<Ports, "symbols" | "bars">,
): Promise<SymbolHistories> {
  const { symbols, timeframe, from, to, signal } = request;
  const found = new Map<string, Resolution>();
  const repeated: string[] = [];
  for (const name of symbols) {
    const resolution = ports.symbols.resolve(name);
    const { symbol } = resolution.instrument;
    if (found.has(symbol)) repeated.push(name);
    else found.set(symbol, resolution);
  }
  const instruments = [...found.values()].map(({ instrument }) => instrument);
  const read: SymbolHistory[] = [];
  await forEachConcurrent(MAX_CONCURRENT, instruments.entries(), async ([place, instrument]) => {
    const series = await ports.bars.history(instrument, {
      timeframe,
      limit: hasDateLabel(timeframe) ? MAX_BARS.daily : MAX_BARS.intraday,
      signal,
      ...(to !== undefined && { asOf: to }),
    });
    const last = series.bars.time.at(-1);
    if (last === undefined || series.as_of === null || (from !== undefined && last < from))
      throw await noBarsInRange(instrument, request, ports);
    read[place] = { instrument, series: { ...series, as_of: series.as_of } };
  });
  return { read, repeated, alternatives: [...found.values()].flatMap(({ alternatives }) => alternatives) };
}

async function noBarsInRange(
  instrument: Instrument,
  { timeframe, signal }: HistoriesRequest,
  { symbols, bars }: Pick<Ports, "symbols" | "bars">,
): Promise<ToolError> {
  const { symbol } = instrument;
  const absent = missingDataError(symbols, instrument);
  if (absent !== null)
    return new ToolError("NOT_ENOUGH_DATA", absent.message, { hint: absent.hint, data: { symbol, have: 0 } });
  const { time } = (await bars.history(instrument, { timeframe, limit: MAX_BARS.daily, signal })).bars;
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const has = time.length === 0 ? "none" : `bars from ${day(time[0]!)} to ${day(time[time.length - 1]!)}`;
  return new ToolError(
    "NOT_ENOUGH_DATA",
    `${symbol} has no ${timeframe} bars in the requested period; available: ${has}`,
    {
      hint: time.length === 0 ? "Request another timeframe or symbol." : "Choose from and to in that range.",
      data: { symbol, have: time.length },
    },
  );
}
