import type { OddsForecast } from "../../domain/odds/forecast.ts";
import type { Log } from "../../domain/ports.ts";

/** Delay after which pending entries are written together. */
const FLUSH_DELAY_MS = 2_000;
/** Maximum number of remembered keys of written entries; repeated requests do not write these entries again. */
const MAX_KNOWN_KEYS = 10_000;
/** Maximum number of forecasts computed while the log is closed, so that a server stops at once. */
const MAX_CLOSING_FORECASTS = 50;
/** Number of pending entries at which they are written without delay. */
const MAX_PENDING = 1_000;

/** A recorded entry with its forecast; null if there is none. */
interface ForecastEntry<T> {
  readonly entry: T;
  readonly forecast: OddsForecast | null;
}

interface ForecastLogOptions<T> {
  /** Plural name of the entries in log lines. */
  readonly name: string;
  /** Returns the key of an entry; a second entry with the same key is ignored. */
  readonly keyOf: (entry: T) => string;
  /** Computes the odds to be stored with an entry. Default: none are stored. */
  readonly forecastOf?: ((entry: T) => Promise<OddsForecast | null>) | undefined;
  readonly write: (entries: readonly ForecastEntry<T>[]) => Promise<unknown>;
  readonly log: Log;
}

/**
 * Creates a log of served entries, which computes their forecasts and writes them in batches after a delay. A failed
 * batch is logged and lost; a forecast that fails is logged and null. `close` writes the pending entries.
 */
export function forecastLog<T extends { readonly symbol: string }>({
  name,
  keyOf,
  forecastOf,
  write,
  log,
}: ForecastLogOptions<T>): { record(entry: T): void; close(): Promise<void> } {
  const known = new Set<string>();
  let waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();
  let forecastsLeft = Number.POSITIVE_INFINITY;

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = waiting;
    waiting = [];
    if (entries.length > 0)
      writing = writing
        .then(async () => void (await write(await withForecasts(entries))))
        .catch((cause: unknown) => {
          log.warn(`${name}_not_logged`, { [name]: entries.length, cause });
          for (const entry of entries) known.delete(keyOf(entry));
        });
    return writing;
  }

  /** Computes one forecast after another, so that they delay no answer. */
  async function withForecasts(entries: readonly T[]): Promise<readonly ForecastEntry<T>[]> {
    const found: ForecastEntry<T>[] = [];
    for (const entry of entries) {
      const forecast =
        forecastOf === undefined || forecastsLeft-- <= 0
          ? null
          : await forecastOf(entry).catch((cause: unknown) => {
              log.warn("forecast_not_logged", { symbol: entry.symbol, cause });
              return null;
            });
      found.push({ entry, forecast });
    }
    return found;
  }

  return {
    record(entry) {
      const key = keyOf(entry);
      if (known.has(key)) return;
      if (known.size >= MAX_KNOWN_KEYS) known.clear();
      known.add(key);
      waiting.push(entry);
      if (waiting.length >= MAX_PENDING) void flush();
      else timer ??= setTimeout(flush, FLUSH_DELAY_MS).unref();
    },
    close() {
      forecastsLeft = MAX_CLOSING_FORECASTS;
      return flush();
    },
  };
}
