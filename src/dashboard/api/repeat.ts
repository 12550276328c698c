import { MarketSignalError } from "../../client/client.ts";

/** Interval of answers that change with the bars, and first wait after an error, in milliseconds. */
const SLOW_MS = 5 * 60_000;
const RETRY_MS = 10_000;

/** What a query knows of its earlier calls. */
interface Calls {
  readonly error: Error | null;
  readonly errorUpdateCount: number;
}

/** Returns true if a failed call is sent once more: the same call may succeed later. */
export const mayRetry = (failures: number, error: Error): boolean =>
  failures < 1 && (!(error instanceof MarketSignalError) || error.retryable);

/**
 * Returns the time until the next call: 5 minutes, and after an error 10 s, which doubles with each error up to 5
 * minutes. A tab that stays open while a provider is unavailable thereby leaves the quota of the day.
 */
export const slowInterval = ({ error, errorUpdateCount }: Calls): number =>
  error === null ? SLOW_MS : Math.min(SLOW_MS, RETRY_MS * 2 ** Math.min(errorUpdateCount - 1, 10));

/** Options of answers that change with the bars. */
export const slowly = {
  staleTime: SLOW_MS,
  refetchInterval: ({ state }: { readonly state: Calls }) => slowInterval(state),
};
