import type { Levels } from "../../analytics/levels/levels.ts";
import { worseEdge } from "../../analytics/levels/side.ts";
import { type Consensus, consensus, oddsBarsOf } from "../../analytics/score/consensus.ts";
import { MIN_SCORE_BARS } from "../../analytics/score/verdict.ts";
import { type Bars, isSignalTimeframe, type Timeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { EngineRow } from "../../domain/nightly/engine.ts";
import type { LoggedSignal } from "../../domain/track-record/track.ts";
import type { ForecastSignal, ServedSignal } from "../../domain/track-record/track-port.ts";
import { answerForecast } from "./forecast.ts";
import type { Gathered } from "./gather.ts";
import { type Digest, inputsHash } from "./inputs-hash.ts";
import type { Picture } from "./picture.ts";
import { rowOdds } from "./signal-odds.ts";

/** Minimum number of bars before a past signal is replayed; with fewer it would have no score. */
export const SCORED_BARS = MIN_SCORE_BARS;

export type LogOrigin = Pick<LoggedSignal, "origin" | "run_id">;

/** Returns the log entry of the signal that a picture serves, with the inputs of its forecast. */
export const servedSignal = (picture: Picture): ServedSignal => ({
  symbol: picture.resolution.instrument.symbol,
  asset_class: picture.resolution.instrument.asset_class,
  timeframe: picture.timeframe,
  decided_at: picture.decidedAt,
  origin: "served",
  run_id: null,
  ...verdictFields(picture.consensus, picture.consensus.levels),
  inputs_hash: picture.inputsHash,
  bars: oddsBarsOf(picture.input),
  odds: picture.odds.odds,
});

/** Computes the log entry of a past signal from gathered inputs; null if it has no levels. `withForecast`: adds its odds. */
export function replayedSignal(
  { symbol, asset_class }: Instrument,
  { series, decidedAt, input }: Gathered,
  origin: LogOrigin & { readonly withForecast?: boolean },
  digest: Digest,
): ForecastSignal | null {
  const { withForecast = false, ...logOrigin } = origin;
  const computed = consensus(input);
  const { levels } = computed;
  if (levels === null) return null;
  const subject = { bars: oddsBarsOf(input), symbol, assetClass: asset_class };
  const odds = withForecast ? rowOdds({ ...subject, levels }) : null;
  return {
    symbol,
    asset_class,
    timeframe: timeframeOf(series.bars),
    decided_at: decidedAt,
    ...logOrigin,
    ...verdictFields(computed, levels),
    inputs_hash: inputsHash(input, digest),
    ...(withForecast && { forecast: odds && answerForecast({ ...subject, odds }) }),
  };
}

/** Returns the timeframe of a signal's bars. @throws RangeError for bars without signals */
function timeframeOf({ timeframe }: Bars): Timeframe {
  if (!isSignalTimeframe(timeframe)) throw new RangeError(`no signals on ${timeframe} bars`);
  return timeframe;
}

const verdictFields = (
  { direction, grade, score, tier, close, model_version }: Consensus,
  levels: Levels,
) => ({
  direction,
  grade,
  score,
  tier,
  entry: worseEdge(levels),
  stop: levels.stop,
  target: levels.targets[0]!,
  close,
  model_version,
});

export const rowSignal = (row: EngineRow, timeframe: Timeframe, origin: LogOrigin): LoggedSignal => ({
  symbol: row.symbol,
  asset_class: row.asset_class,
  timeframe,
  decided_at: row.as_of,
  ...origin,
  direction: row.direction,
  grade: row.grade,
  score: row.score,
  tier: row.tier,
  entry: row.entry,
  stop: row.stop,
  target: row.targets[0]!,
  close: row.close,
  inputs_hash: row.inputs_hash,
  model_version: row.model_version,
});
