import type { OddsForecast } from "../../domain/odds/forecast.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import type {
  ForecastSignal,
  ServedSignal,
  SignalLog,
  TrackRepository,
} from "../../domain/track-record/track-port.ts";
import { barAnswers } from "./bar-answers.ts";
import { signalId } from "./track-repository.ts";

/** Delay after which pending signals are written together. */
const FLUSH_DELAY_MS = 2_000;
/** Maximum number of remembered ids of written signals; repeated requests do not write these signals again. */
const MAX_KNOWN_IDS = 10_000;
/** Maximum number of forecasts computed while the log is closed, so that a server stops at once. */
const MAX_CLOSING_FORECASTS = 50;
/** Number of pending signals at which they are written without delay. */
const MAX_PENDING = 1_000;

/**
 * Creates the log of served signals, which computes their forecasts and writes them in batches after a delay. A failed
 * batch is logged and lost; a signal whose forecast fails is written without. `close` writes the pending ones.
 */
export function signalLog({
  repository,
  forecastOf,
  market,
  log,
  clock,
}: {
  readonly repository: Pick<TrackRepository, "log">;
  /** Computes the odds to be stored with a signal. Default: none are stored. */
  readonly forecastOf?: (signal: ServedSignal) => Promise<OddsForecast | null>;
  readonly market: string;
  readonly log: Log;
  readonly clock: Clock;
}): SignalLog & { close(): Promise<void> } {
  const known = new Set<string>();
  let waiting: ServedSignal[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();
  let forecastsLeft = Number.POSITIVE_INFINITY;

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const signals = waiting;
    waiting = [];
    if (signals.length > 0)
      writing = writing
        .then(async () => void (await repository.log(await withForecasts(signals))))
        .catch((cause: unknown) => {
          log.warn("signals_not_logged", { signals: signals.length, cause });
          for (const signal of signals) known.delete(signalId(market, signal));
        });
    return writing;
  }

  /** Computes one forecast after another, so that they delay no answer. */
  async function withForecasts(signals: readonly ServedSignal[]): Promise<readonly ForecastSignal[]> {
    const found: ForecastSignal[] = [];
    for (const served of signals) {
      const { bars: _, odds: __, ...signal } = served;
      const forecast =
        forecastOf === undefined || forecastsLeft-- <= 0
          ? null
          : await forecastOf(served).catch((cause: unknown) => {
              log.warn("forecast_not_logged", { symbol: signal.symbol, cause });
              return null;
            });
      found.push({ ...signal, forecast });
    }
    return found;
  }

  return {
    ...barAnswers(clock),
    record(signal) {
      const id = signalId(market, signal);
      if (known.has(id)) return;
      if (known.size >= MAX_KNOWN_IDS) known.clear();
      known.add(id);
      waiting.push(signal);
      if (waiting.length >= MAX_PENDING) void flush();
      else timer ??= setTimeout(flush, FLUSH_DELAY_MS).unref();
    },
    close() {
      forecastsLeft = MAX_CLOSING_FORECASTS;
      return flush();
    },
  };
}
