import type {
  LoggedSignal,
  PublishedRecord,
  ROverBase,
  TrackRow,
} from "../../src/domain/track-record/track.ts";

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
  model_version: "consensus-1.0.0",
  computed_at: "2026-01-15T00:11:00.000Z",
  signals: 4_800,
  from: "2020-01-02T21:00:00.000Z",
  until: "2025-12-15T21:00:00.000Z",
  rows: [...rows],
  ...over,
});

/** A logged signal; every field can be overridden. */
export const loggedSignal = (over: Partial<LoggedSignal> = {}): LoggedSignal => ({
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
  model_version: "consensus-1.0.0",
  ...over,
});
