import type { CallOptions } from "../call-options.ts";
import type { JobClaim } from "../jobs-port.ts";
import type { Bars, Timeframe } from "../market/bars.ts";
import type { UniverseName } from "../nightly/engine.ts";
import type { ForecastOutcome, OddsForecast } from "../odds/forecast.ts";
import type { PlanOdds } from "../odds/odds.ts";
import type { OddsRecord } from "../odds/odds-record.ts";
import type { SignalInput } from "../signal/signal.ts";
import type { CheckedOrders } from "./calls-port.ts";
import type { Horizon, LoggedSignal, PublishedRecord, ScoredSignal, SignalOutcome } from "./track.ts";

/** An input of an answer: two equal inputs have the same fingerprint. */
export interface InputState {
  readonly input: string;
  /** When its newest figure became known, ISO 8601 UTC. */
  readonly known_at: string;
  readonly fingerprint: string;
}

/** An answer on one closed bar, with its inputs. */
export interface BarAnswer extends Pick<LoggedSignal, "symbol" | "timeframe" | "decided_at"> {
  readonly direction: LoggedSignal["direction"];
  readonly score: LoggedSignal["score"];
  readonly grade: LoggedSignal["grade"];
  readonly inputs: readonly InputState[];
}

/** What has changed since the first answer on a bar. */
export interface BarAnswerHistory {
  readonly first: Omit<BarAnswer, "inputs"> & { readonly at: string };
  readonly inputs: readonly SignalInput[];
  /** Inputs of earlier answers that this answer lacks. */
  readonly lost: readonly string[];
}

/** A served signal, and what its forecast is computed from. */
export interface ServedSignal extends LoggedSignal {
  /** Closed bars, the last one decides. Omitted: the signal is stored without a forecast. */
  readonly bars?: Bars;
  /** Odds of its levels. */
  readonly odds?: PlanOdds | null;
}

/** A signal with the odds that are stored with it. */
export interface ForecastSignal extends LoggedSignal {
  /** Null or omitted: none. */
  readonly forecast?: OddsForecast | null;
}

/** A bar on which `get_odds` answered; its forecast is computed from `bars`. */
export interface OddsBar extends Pick<LoggedSignal, "symbol" | "asset_class" | "timeframe" | "decided_at"> {
  /** Closed bars that the odds were computed from; the last one is the decision bar. */
  readonly bars: Bars;
}

/** The forecast stored for a bar on which `get_odds` answered. */
export interface LoggedOdds extends Omit<OddsBar, "bars"> {
  readonly forecast: OddsForecast;
}

/** Log of served signals. */
export interface SignalLog {
  /** Returns at once and never fails; ignores a signal that is already recorded. */
  record(signal: ServedSignal): void;
  /** Returns the first answer on the bar, and since when each input of an answer is used. Never fails. */
  observe(answer: BarAnswer): Promise<BarAnswerHistory>;
}

/** Log of odds that were served without a signal. */
export interface OddsLog {
  /** Returns at once and never fails; ignores a bar whose odds are already recorded. */
  record(odds: OddsBar): void;
}

/** Outcomes of signals over fixed universes. */
export interface TrackRecord {
  /** Returns the record last computed for the current model; null if there is none. */
  published(timeframe: Timeframe): Promise<PublishedRecord | null>;
  /** Returns the record of odds last computed; null if no forecast has an outcome. */
  odds(): Promise<OddsRecord | null>;
  /** Returns what the record of one symbol is computed from, in the order of decision. */
  ofSymbol(symbol: string): SymbolOutcomes;
}

/** Stored signals of the current model and forecasts of one symbol, each with an outcome. */
export interface SymbolOutcomes {
  readonly model_version: string;
  /** Signals of daily bars. */
  scored(): AsyncIterable<readonly ScoredSignal[]>;
  observed(timeframe: Timeframe): AsyncIterable<readonly ObservedForecast[]>;
}

/** The track record and the logs that it is computed from. */
export interface RecordPorts {
  signalLog: SignalLog;
  oddsLog: OddsLog;
  checkedOrders: CheckedOrders;
  trackRecord: TrackRecord;
}

/** A stored forecast with the outcomes of its horizons so far. */
export interface ObservedForecast {
  readonly symbol: string;
  /** Close time of the decision bar, epoch ms. */
  readonly at: number;
  readonly asset_class: LoggedSignal["asset_class"];
  readonly forecast: OddsForecast;
  /** `replayed`: the forecast was stored after the outcome was known. */
  readonly outcomes: readonly (ForecastOutcome & { readonly replayed: boolean })[];
}

/** The series of bars of a symbol. */
export type SeriesKey = Pick<LoggedSignal, "symbol" | "timeframe">;

/** A logged signal, or odds served without one, and the horizons whose bars may exist by now. */
export interface DueOutcome extends SeriesKey, Pick<LoggedSignal, "decided_at"> {
  readonly id: string;
  /** Null: odds without a signal. */
  readonly signal: Pick<LoggedSignal, "direction" | "stop" | "target" | "close"> | null;
  readonly horizons: readonly Horizon[];
}

/** A series with due decisions. */
export interface DueSince extends SeriesKey {
  /** Time of the oldest due decision, ISO 8601 UTC. */
  readonly since: string;
}

/** An outcome of the signal or odds with this id. */
export interface StoredOutcome extends SignalOutcome {
  readonly id: string;
}

/** A signal at a past close, with its outcomes. */
export interface ReplayedSignal {
  readonly logged: ForecastSignal;
  readonly outcomes: readonly SignalOutcome[];
}

/** Signals, odds and outcomes; stored rows are never changed. */
export interface TrackRepository {
  /** Records signals with their forecasts, each only once; returns their ids in the same order. */
  log(signals: readonly ForecastSignal[]): Promise<readonly string[]>;
  /** Records only the forecasts of signals, before the signals are logged. */
  logForecasts(signals: readonly ForecastSignal[]): Promise<void>;
  /** Records odds served without a signal, once per bar and method. */
  logOdds(odds: readonly LoggedOdds[]): Promise<void>;
  /** Returns signals and odds without an outcome at a horizon that `now` (epoch ms) may be past. */
  due(now: number): Promise<readonly DueOutcome[]>;
  /** Returns those of one series, decided at `since` or later. */
  dueOf(series: DueSince, now: number): Promise<readonly DueOutcome[]>;
  /**
   * Records outcomes and bases, ignoring a second one of the same id and horizon. Returns the number of new outcomes. With
   * `claim`, it also ends the job that computed them, with that number as its result; returns null, with nothing recorded,
   * if another process has taken the job.
   */
  score(outcomes: readonly StoredOutcome[], claim?: JobClaim): Promise<number | null>;
  /**
   * Records replayed signals like `log`, and their outcomes like `score`, and ends the job that computed them with the
   * numbers of `signals` and of new `outcomes` as its result. Returns false, with nothing recorded, if another process has
   * taken the job.
   */
  endReplay(claim: JobClaim, replayed: readonly ReplayedSignal[]): Promise<boolean>;
  /**
   * Returns pages of outcomes of scheduled and replayed signals of one model, one per symbol, bar and horizon, in the
   * order in which the signals were decided.
   */
  scored(of: {
    readonly timeframe: Timeframe;
    readonly model_version: string;
  }): AsyncIterable<readonly ScoredSignal[]>;
  publish(timeframe: Timeframe, record: PublishedRecord): Promise<void>;
  /**
   * Returns pages of the forecasts of one timeframe with an outcome, in the order in which they were decided: of each
   * symbol, bar and method the one stored first, whatever its origin, with a signal or without.
   */
  observedForecasts(timeframe: Timeframe): AsyncIterable<readonly ObservedForecast[]>;
  publishOdds(record: OddsRecord): Promise<void>;
}

export interface ReplayRequest extends CallOptions {
  readonly universe: UniverseName;
  /** Time of the first decision, epoch ms. Default: as early as the bars allow. */
  readonly from?: number | undefined;
  /** Sampling interval in days, separately for stocks and for crypto. Default: every day. */
  readonly every?: number | undefined;
  progress?(step: { readonly done: number; readonly total: number; readonly message: string }): void;
}

export interface ReplayReport {
  readonly run_id: string;
  readonly universe: string;
  readonly model_version: string;
  /** Number of decision times replayed; `from` and `until` are the first and last, ISO 8601 UTC. */
  readonly moments: number;
  readonly from: string;
  readonly until: string;
  readonly symbols: number;
  readonly signals: number;
  /** Number of new outcomes. */
  readonly outcomes: number;
  readonly failures: readonly { readonly symbol: string; readonly message: string }[];
  readonly record: PublishedRecord | null;
}

/** Builds the track record, started by an operator. */
export interface TrackRecordBuilder {
  /**
   * Computes the signals of a universe at past closes, using only data known at each, and their outcomes. Rejects with
   * INVALID_INPUT for a universe without members, with NOT_ENOUGH_DATA if no series is long enough, and with
   * CANCELLED when interrupted; results written until then stay stored.
   */
  replay(request: ReplayRequest): Promise<ReplayReport>;
}
