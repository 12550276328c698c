import { ODDS_BARS } from "../../analytics/odds/range-model.ts";
import { oddsBarsOf } from "../../analytics/score/consensus.ts";
import { type Bars, type BarTimeframe, isSignalTimeframe, TIMEFRAMES } from "../../domain/market/bars.ts";
import type { Resolution } from "../../domain/market/market.ts";
import type { SignalOdds } from "../../domain/odds/odds.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type ClosedBars, closedBars } from "./closed-bars.ts";
import { type Picture, type PicturePorts, type PictureRequest, pictureOf } from "./picture.ts";

export interface ChartData {
  readonly resolution: Resolution;
  readonly series: Picture["series"];
  /** Close time of the last bar, ISO 8601 UTC. */
  readonly decidedAt: string;
  readonly consensus: Picture["consensus"] | null;
  /** Reason why no levels are drawn; null if they are. */
  readonly levels_reason: string | null;
  /** Bars that the odds and the range read. */
  readonly oddsBars: Bars;
  /** Odds of the levels; null without levels or odds. */
  readonly signalOdds: SignalOdds | null;
}

export interface ChartRequest extends Omit<PictureRequest, "timeframe"> {
  readonly timeframe: BarTimeframe;
  /** True requests the levels of the signal. */
  readonly levels: boolean;
}

/**
 * Reads a symbol's bars and, if requested, its signal. If there are too few bars for levels or no signals on the
 * timeframe, returns only the bars and the reason. Rejects like `pictureOf`, but with NOT_ENOUGH_DATA only if there are
 * no bars.
 */
export async function readChartData(request: ChartRequest, ports: PicturePorts): Promise<ChartData> {
  const { timeframe } = request;
  if (!request.levels) return withoutLevels(request, ports, "Levels were not requested.");
  if (!isSignalTimeframe(timeframe))
    return withoutLevels(
      request,
      ports,
      `There are no signals on ${timeframe} bars, only on ${TIMEFRAMES.join(", ")}.`,
    );
  try {
    const { resolution, series, decidedAt, consensus, input, odds } = await pictureOf(
      { ...request, timeframe },
      ports,
    );
    return {
      resolution,
      series,
      decidedAt,
      consensus,
      levels_reason: null,
      oddsBars: oddsBarsOf(input),
      signalOdds: odds.odds,
    };
  } catch (cause) {
    if (!(cause instanceof ToolError && cause.code === "NOT_ENOUGH_DATA")) throw cause;
    return withoutLevels(request, ports, cause.message);
  }
}

async function withoutLevels(request: ChartRequest, ports: PicturePorts, reason: string): Promise<ChartData> {
  const resolution = ports.symbols.resolve(request.symbol);
  const series: ClosedBars = await closedBars(resolution, { ...request, limit: ODDS_BARS }, ports);
  return {
    resolution,
    series,
    decidedAt: series.as_of,
    consensus: null,
    levels_reason: reason,
    oddsBars: series.bars,
    signalOdds: null,
  };
}
