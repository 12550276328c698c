import { isMarketMove, type MarketMove, medianMove, moveAt } from "../../analytics/backtest/market-moves.ts";
import {
  noSplitAt,
  type SuspectedSplit,
  sessionDate,
  suspectedSplits,
} from "../../analytics/backtest/splits.ts";
import { mayHaveSplits } from "../../analytics/score/split-fault.ts";
import { type Bars, hasDateLabel, type NoSplit } from "../../domain/market/bars.ts";
import { type Instrument, kindOf } from "../../domain/market/market.ts";
import type { BarHistory, HistoryRequest, Ports } from "../../domain/ports.ts";
import { benchmarkOf } from "./gather.ts";
import { seriesOrNull } from "./series.ts";

/** Maximum number of other symbols whose median stands for a market without a benchmark. */
const MAX_MEDIAN_SYMBOLS = 40;

type RealMovePorts = Pick<Ports, "noSplits" | "symbols" | "market">;

/**
 * Returns a history that marks changes like splits which are real moves: those that the owner of the server declared, and
 * those that the market shared. The market is the benchmark; in a folder of files without its bar, the median of other symbols.
 */
export const withRealMoves = (
  bars: BarHistory,
  { noSplits, symbols, market }: RealMovePorts,
): BarHistory => ({
  async history(instrument, request) {
    const series = await bars.history(instrument, request);
    if (!mayHaveSplits(series.bars)) return series;
    const found = suspectedSplits(series.bars);
    if (found.length === 0) return series;
    const declared = (await noSplits.list(instrument.symbol)).map(
      ({ date }): NoSplit => ({ date: Date.parse(date), basis: "declared" }),
    );
    const known = { ...series.bars, noSplits: [...(series.bars.noSplits ?? []), ...declared] };
    const open = found.filter(({ time }) => noSplitAt(known, time) === undefined);
    const movesAt = marketMoves({ bars, symbols, market }, instrument, request);
    for (const change of open) {
      const move = await movesAt(change.time);
      if (move !== null && isMarketMove(series.bars, change, move))
        known.noSplits.push({ date: dateOf(series.bars, change), basis: "market" });
    }
    return known.noSplits.length === 0 ? series : { ...series, bars: known };
  },
});

const dateOf = ({ timeframe, zone }: Bars, { time }: SuspectedSplit): number =>
  hasDateLabel(timeframe) ? time : sessionDate(time, zone);

/** Returns a function that gives the move of the market at a bar; null if it is not known. */
function marketMoves(
  { bars, symbols, market }: Pick<Ports, "bars" | "symbols" | "market">,
  instrument: Instrument,
  { timeframe, limit, asOf, signal }: HistoryRequest,
): (time: number) => Promise<MarketMove | null> {
  const request = { timeframe, limit, ...(asOf !== undefined && { asOf }), ...(signal && { signal }) };
  const read = (one: Instrument | undefined) => seriesOrNull(bars, one, request);
  const { benchmark } = benchmarkOf(instrument, symbols);
  const others = () =>
    market.mode === "files"
      ? symbols
          .members()
          .filter((one) => one.symbol !== instrument.symbol && kindOf(one) === kindOf(instrument))
          .slice(0, MAX_MEDIAN_SYMBOLS)
      : [];
  let benchmarkRead: ReturnType<typeof read> | undefined;
  let othersRead: Promise<readonly Bars[]> | undefined;
  return async (time) => {
    benchmarkRead ??= read(benchmark);
    const series = await benchmarkRead;
    const move = series === null ? null : moveAt(series.bars, time);
    if (move !== null) return move;
    othersRead ??= Promise.all(others().map(read)).then((all) => all.flatMap((one) => one?.bars ?? []));
    return medianMove((await othersRead).flatMap((one) => moveAt(one, time) ?? []));
  };
}
