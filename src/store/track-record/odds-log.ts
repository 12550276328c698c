import type { OddsForecast } from "../../domain/odds/forecast.ts";
import type { Log } from "../../domain/ports.ts";
import type { OddsBar, OddsLog, TrackRepository } from "../../domain/track-record/track-port.ts";
import { forecastLog } from "./forecast-log.ts";

/** Creates the log of odds served without a signal; odds whose forecast fails are not written. */
export const oddsLog = ({
  repository,
  forecastOf,
  log,
}: {
  readonly repository: Pick<TrackRepository, "logOdds">;
  readonly forecastOf: (odds: OddsBar) => Promise<OddsForecast | null>;
  readonly log: Log;
}): OddsLog & { close(): Promise<void> } =>
  forecastLog<OddsBar>({
    name: "odds",
    keyOf: ({ symbol, timeframe, decided_at }) => `${symbol}|${timeframe}|${decided_at}`,
    forecastOf,
    write: (found) =>
      repository.logOdds(
        found.flatMap(({ entry: { bars: _, ...odds }, forecast }) =>
          forecast === null ? [] : { ...odds, forecast },
        ),
      ),
    log,
  });
