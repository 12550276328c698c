import { z } from "zod";
import { Ratio } from "../figures.ts";
import type { Timeframe } from "../market/bars.ts";
import { AssetClass } from "../market/market.ts";
import type { PlanEnd } from "../odds/plan-end.ts";
import { Direction, Grade, type Tier } from "../signal/signal.ts";

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

/** Results in R of the usual plan at a close, in either direction, whatever the signal was; null without a trade. */
export interface BaseResult {
  readonly long: number | null;
  readonly short: number | null;
}

export interface SignalOutcome {
  readonly horizon: Horizon;
  /** Close time of the last of those bars, ISO 8601 UTC. */
  readonly known_at: string;
  /** Price change from close to close, as a fraction. */
  readonly change: number;
  /** Result of the trade with a 20-bar time exit; null at other horizons and without a trade. */
  readonly r: number | null;
  /** Base of `r` at the 20-bar horizon. Omitted: other horizons, or scored by an earlier version. */
  readonly base?: BaseResult | undefined;
  /** Logs of the ratio of the highest high and the lowest low of those bars to the close of the decision bar. */
  readonly highest: number;
  readonly lowest: number;
  /** How the levels of the signal ended, from that close; null at other horizons than 20 bars and without levels. */
  readonly plan_end: PlanEnd | null;
}

/** A signal with its outcome, as input of a track record. */
export interface ScoredSignal extends Pick<SignalOutcome, "horizon" | "change" | "r" | "base"> {
  /** Close time of the decision bar (`at`) and of the last bar of the horizon (`known`), epoch ms. */
  readonly at: number;
  readonly known: number;
  /** Omitted: the outcome has no base to be compared with. */
  readonly symbol?: string;
  readonly asset_class: AssetClass;
  readonly direction: z.infer<typeof Direction>;
  readonly grade: z.infer<typeof Grade> | null;
}

export const Interval = z.object({ low: Ratio, high: Ratio }).nullable();

/** Outcomes of the signals of one grade, direction, asset class and horizon. */
export const TrackRow = z.object({
  grade: Grade.nullable(),
  direction: Direction,
  asset_class: AssetClass,
  horizon: Horizon,
  n: z.number().int(),
  n_eff: Ratio.describe("Effective n, because outcomes overlap: n / 20; n / 60 at horizon 60"),
  entry_dates: z.number().int(),
  hit_rate: Ratio.nullable().describe("Share that closed in the signal's direction"),
  interval: Interval.describe("95% Wilson interval over n_eff"),
  base_rate: Ratio.nullable().describe("The same share over all signals of the asset class, including WAIT"),
  mean_excess: Ratio.nullable().describe(
    "Mean return in the signal's direction minus that of all signals, a fraction",
  ),
  brier: Ratio.nullable().describe("Brier score of forecasts by the group's past hit rate"),
  skill: Ratio.nullable().describe(
    "Brier skill score relative to forecasts by the past base rate; 0: no skill",
  ),
  trades: z
    .object({
      n: z.number().int(),
      n_eff: Ratio,
      win_rate: Ratio.nullable(),
      interval: Interval,
      mean_win_r: Ratio.nullable(),
      mean_loss_r: Ratio.nullable(),
    })
    .describe("In R multiples, with a time exit after 20 bars at every horizon"),
  reason: z.string().nullable().describe("Why figures are null"),
});
export type TrackRow = z.infer<typeof TrackRow>;

/** A row as it is published: the share of trades with a gain has a name of its own, because `win_rate` is in percent. */
export const ShownTrackRow = TrackRow.extend({
  trades: TrackRow.shape.trades
    .omit({ win_rate: true })
    .extend({ win_share: Ratio.nullable() })
    .describe(TrackRow.shape.trades.description!),
});
export type ShownTrackRow = z.infer<typeof ShownTrackRow>;
export const shownTrackRow = ({ trades: { win_rate, ...trades }, ...row }: TrackRow): ShownTrackRow => ({
  ...row,
  trades: { ...trades, win_share: win_rate },
});

/** Trades of a direction against their base: the same plan at every close of the same symbols. */
export const ROverBase = z.object({
  direction: Direction,
  asset_class: AssetClass.nullable().describe("null: all"),
  grade: Grade.nullable().describe("null: all"),
  n: z.number().int().describe("Trades compared"),
  mean_r: Ratio.nullable().describe("Mean result of the trades, in R"),
  base_r: Ratio.nullable().describe(
    "Mean R of the usual plan (stop 1.5, target 4.25 ATR14 from the close, exit after 20 bars) at every close of the same symbols, weighted by their trades",
  ),
  over_base: Ratio.nullable().describe("mean_r - base_r: what the choice of closes added"),
  interval: Interval.describe("95% interval of over_base, errors clustered by calendar quarter"),
  reason: z.string().nullable().describe("Why figures are null"),
});
export type ROverBase = z.infer<typeof ROverBase>;

/** Track record of one timeframe and model, from fixed universes only; signals requested by callers are excluded. */
export const PublishedRecord = z.object({
  model_version: z.string(),
  computed_at: z.iso.datetime(),
  /** Signals with an outcome, and when the first and last of them were decided. */
  signals: z.number().int(),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  rows: z.array(TrackRow),
  /** For each asset class, direction and grade, and for all. Omitted in records of an earlier version. */
  r_over_base: z.array(ROverBase).optional(),
});
export type PublishedRecord = z.infer<typeof PublishedRecord>;
