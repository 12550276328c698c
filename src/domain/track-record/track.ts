import { z } from "zod";
import type { Timeframe } from "../market/bars.ts";
import { AssetClass } from "../market/market.ts";
import { Direction, Grade, type Tier } from "../signal/signal.ts";

const figure = z.number().nullable();
/** Bars after a signal at which its outcome is measured. */
export const HORIZONS = [5, 20, 60] as const;
export const Horizon = z.literal(HORIZONS);
export type Horizon = z.infer<typeof Horizon>;
/** Origin of a signal: served to a caller, a run over a fixed universe, or a replay of history. */
export type SignalOrigin = "served" | "scheduled" | "replay";

/** A signal as returned. Immutable. */
export interface LoggedSignal {
  readonly symbol: string;
  readonly asset_class: AssetClass;
  readonly timeframe: Timeframe;
  /** Close time of the decision bar, ISO 8601 UTC. */
  readonly decided_at: string;
  readonly origin: SignalOrigin;
  /** Run or replay that computed it; null for a signal served to a caller. */
  readonly run_id: string | null;
  readonly direction: z.infer<typeof Direction>;
  readonly grade: z.infer<typeof Grade> | null;
  readonly score: number | null;
  readonly tier: z.infer<typeof Tier>;
  readonly entry: number;
  readonly stop: number;
  /** First target. */
  readonly target: number;
  readonly close: number;
  readonly inputs_hash: string;
  readonly model_version: string;
}

export interface SignalOutcome {
  readonly horizon: Horizon;
  /** Close time of the last of those bars, ISO 8601 UTC. */
  readonly known_at: string;
  /** Price change from close to close, as a fraction. */
  readonly change: number;
  /** Result of the trade with a 20-bar time exit; null at other horizons and without a trade. */
  readonly r: number | null;
}

/** A signal with its outcome, as input of a track record. */
export interface ScoredSignal extends Omit<SignalOutcome, "known_at"> {
  /** Close time of the decision bar (`at`) and of the last bar of the horizon (`known`), epoch ms. */
  readonly at: number;
  readonly known: number;
  readonly asset_class: AssetClass;
  readonly direction: z.infer<typeof Direction>;
  readonly grade: z.infer<typeof Grade> | null;
}

const Interval = z.object({ low: z.number(), high: z.number() }).nullable();

/** Outcomes of the signals of one grade, direction, asset class and horizon. */
export const TrackRow = z.object({
  grade: Grade.nullable(),
  direction: Direction,
  asset_class: AssetClass,
  horizon: Horizon,
  n: z.number().int(),
  n_eff: z.number().describe("Effective n, because outcomes overlap: n / 20; n / 60 at horizon 60"),
  entry_dates: z.number().int(),
  hit_rate: figure.describe("Share that closed in the signal's direction"),
  interval: Interval.describe("95% Wilson interval over n_eff"),
  base_rate: figure.describe("The same share over all signals of the asset class, including WAIT"),
  mean_excess: figure.describe("Mean return in the signal's direction minus that of all signals, a fraction"),
  brier: figure.describe("Brier score of forecasts by the group's past hit rate"),
  skill: figure.describe("Brier skill score relative to forecasts by the past base rate; 0: no skill"),
  trades: z
    .object({
      n: z.number().int(),
      n_eff: z.number(),
      win_rate: figure,
      interval: Interval,
      mean_win_r: figure,
      mean_loss_r: figure,
    })
    .describe("In R multiples, with a time exit after 20 bars at every horizon"),
  reason: z.string().nullable().describe("Why figures are null"),
});
export type TrackRow = z.infer<typeof TrackRow>;

/** Track record of one timeframe and model, from fixed universes only; signals requested by callers are excluded. */
export const PublishedRecord = z.object({
  model_version: z.string(),
  computed_at: z.iso.datetime(),
  /** Signals with an outcome, and when the first and last of them were decided. */
  signals: z.number().int(),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  rows: z.array(TrackRow),
});
export type PublishedRecord = z.infer<typeof PublishedRecord>;
