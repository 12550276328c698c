import type { OddsForecast } from "../../domain/odds/forecast.ts";
import type { Log } from "../../domain/ports.ts";
import type { ServedSignal, SignalLog, TrackRepository } from "../../domain/track-record/track-port.ts";
import { forecastLog } from "./forecast-log.ts";
import { signalId } from "./track-repository.ts";

/** Creates the log of served signals; a signal whose forecast fails is written without. */
export function signalLog({
  repository,
  forecastOf,
  market,
  log,
}: {
  readonly repository: Pick<TrackRepository, "log">;
  /** Computes the odds to be stored with a signal. Default: none are stored. */
  readonly forecastOf?: (signal: ServedSignal) => Promise<OddsForecast | null>;
  readonly market: string;
  readonly log: Log;
}): Pick<SignalLog, "record"> & { close(): Promise<void> } {
  const { record, close } = forecastLog<ServedSignal>({
    name: "signals",
    keyOf: (signal) => signalId(market, signal),
    forecastOf,
    write: (found) =>
      repository.log(
        found.map(({ entry: { bars: _, odds: __, ...signal }, forecast }) => ({ ...signal, forecast })),
      ),
    log,
  });
  return { record, close };
}
