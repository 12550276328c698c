import { ODDS_VERSION } from "../../src/analytics/odds/odds.ts";
import type { OddsForecast } from "../../src/domain/odds/forecast.ts";
import type { OddsBucket, OddsRow } from "../../src/domain/odds/odds-record.ts";
import type { PublishedRecord, ROverBase, TrackRow } from "../../src/domain/track-record/track.ts";
import type { ForecastSignal, LoggedOdds, SymbolOutcomes } from "../../src/domain/track-record/track-port.ts";
import type { BarAnswerRows } from "../../src/store/track-record/bar-answer-rows.ts";

/** A row of a track record; every field can be overridden. */
export const trackRow = (over: Partial<TrackRow> = {}): TrackRow => ({
  grade: "A",
  direction: "LONG",
  asset_class: "equity",
  horizon: 20,
  n: 2_400,
  n_eff: 120,
  entry_dates: 300,
  hit_rate: 0.61,
  interval: { low: 0.52, high: 0.69 },
  base_rate: 0.56,
  mean_excess: 0.0123,
  brier: 0.241,
  skill: 0.012,
  trades: {
    n: 2_390,
    n_eff: 119.5,
    win_rate: 0.44,
    interval: { low: 0.35, high: 0.53 },
    mean_win_r: 1.75,
    mean_loss_r: -0.97,
  },
  reason: null,
  ...over,
});

/** Trades of a direction over their base; every field can be overridden. */
export const rOverBase = (over: Partial<ROverBase> = {}): ROverBase => ({
  direction: "LONG",
  asset_class: null,
  grade: null,
  n: 2_390,
  mean_r: 0.12,
  base_r: 0.2,
  over_base: -0.08,
  interval: { low: -0.13, high: -0.03 },
  reason: null,
  ...over,
});

/** A track record of these rows. */
export const published = (
  rows: readonly TrackRow[],
  over: Partial<PublishedRecord> = {},
): PublishedRecord => ({
  model_version: "consensus-1.2.0",
  computed_at: "2026-01-15T00:11:00.000Z",
  signals: 4_800,
  from: "2020-01-02T21:00:00.000Z",
  until: "2025-12-15T21:00:00.000Z",
  rows: [...rows],
  ...over,
});

/** A logged signal; every field can be overridden. */
export const loggedSignal = (over: Partial<ForecastSignal> = {}): ForecastSignal => ({
  symbol: "AAPL",
  asset_class: "equity",
  timeframe: "1d",
  decided_at: "2025-10-01T20:00:00.000Z",
  origin: "scheduled",
  run_id: "r1",
  direction: "LONG",
  grade: "A",
  score: 85,
  tier: "HOT",
  entry: 100.25,
  stop: 97,
  target: 106,
  close: 100,
  inputs_hash: "0123",
  model_version: "consensus-1.2.0",
  ...over,
});

const quantiles = [-0.07, -0.05, -0.02, 0.0002, 0.02, 0.05, 0.07];
const touch = [0.1, 0.4, 0.5, 0.2];

/** A stored forecast, with own history at 20 bars only; every field can be overridden. */
export const oddsForecast = (over: Partial<OddsForecast> = {}): OddsForecast => ({
  version: "odds-1.0.0",
  horizons: [
    { bars: 5, quantiles, baseQuantiles: null, touch, baseTouch: null },
    {
      bars: 20,
      quantiles,
      baseQuantiles: [-0.14, -0.1, -0.04, 0, 0.04, 0.1, 0.14],
      touch,
      baseTouch: [0.3, 0.6, 0.6, 0.3],
    },
    { bars: 60, quantiles, baseQuantiles: null, touch, baseTouch: null },
  ],
  plan: { odds: { stop: 0.5, target: 0.2, neither: 0.3 }, base: null },
  ...over,
});

/** Odds served without a signal, at the bar of `loggedSignal`; every field can be overridden. */
export const loggedOdds = (over: Partial<LoggedOdds> = {}): LoggedOdds => ({
  symbol: "AAPL",
  asset_class: "equity",
  timeframe: "1d",
  decided_at: "2025-10-01T20:00:00.000Z",
  forecast: oddsForecast({ plan: null }),
  ...over,
});

/** A row of a record of odds; every field can be overridden. */
export const oddsRow = (over: Partial<OddsRow> = {}): OddsRow => ({
  period: "all",
  timeframe: "1d",
  asset_class: null,
  version: "odds-1.0.0",
  horizon: 20,
  n: 1_000,
  n_eff: 50,
  entry_dates: 40,
  replayed: 0,
  cover_50: 0.51,
  cover_80: 0.8,
  cover_80_interval: { low: 0.67, high: 0.89 },
  cover_90: 0.9,
  crps_skill: 0.021,
  touch: {
    n: 4_000,
    brier_skill: 0.05,
    calibration_error: 0.011,
    reliability: [{ odds: 0.31, happened: 0.3, n: 4_000 }],
  },
  plan: {
    n: 1_000,
    stop: { odds: 0.5, happened: 0.49 },
    target: { odds: 0.2, happened: 0.22 },
    brier_skill: 0.03,
  },
  ...over,
});

/** Stored pages of a symbol without signals and forecasts. */
export const noPages = (): SymbolOutcomes => ({
  model_version: "consensus-1.0.0",
  async *scored() {},
  async *observed() {},
});

/** A bucket of odds; every field can be overridden. */
export const oddsBucket = (over: Partial<OddsBucket> = {}): OddsBucket => ({
  asset_class: null,
  version: ODDS_VERSION,
  horizon: 20,
  event: "touch",
  side: "LONG",
  volatility: "20-35%",
  n: 1_000,
  odds: 0.3,
  happened: 0.31,
  ...over,
});

/** Rows of answers on bars that keep nothing. */
export const noBarAnswers: BarAnswerRows = { find: async () => null, merge: async (answers) => answers };
