import type { BarHistory, Clock, ProviderHealth, Quotes } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { isWithin } from "../lib/expiry.ts";

interface CallHistory {
  readonly latency_ms: number;
  /** Epoch ms of the last failure and of the last response. */
  readonly failedAt: number;
  readonly answeredAt: number;
}

const NEVER = { failedAt: Number.NEGATIVE_INFINITY, answeredAt: Number.NEGATIVE_INFINITY };
/** Time for which a failure makes a provider unhealthy, even if later calls succeed, in milliseconds. */
const FAILURE_WINDOW_MS = 60_000;

/** Error codes that count as a response of the provider. */
const ANSWERED_CODES: ReadonlySet<string> = new Set([
  "UNKNOWN_SYMBOL",
  "NO_PRICE",
  "NOT_ENOUGH_DATA",
  "CANCELLED",
]);

/**
 * Creates a health monitor from the calls made. A provider that failed within the last minute is unhealthy; a provider
 * never called is not reported.
 */
export function createHealth(clock: Clock) {
  const calls = new Map<string, CallHistory>();
  const watch =
    <A extends readonly unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const started = clock.now().getTime();
      const record = (healthy: boolean) => {
        const now = clock.now().getTime();
        const { failedAt, answeredAt } = calls.get(name) ?? NEVER;
        calls.set(name, {
          latency_ms: now - started,
          failedAt: healthy ? failedAt : now,
          answeredAt: healthy ? now : answeredAt,
        });
      };
      try {
        const answer = await call(...args);
        record(true);
        return answer;
      } catch (cause) {
        record(cause instanceof ToolError && ANSWERED_CODES.has(cause.code));
        throw cause;
      }
    };
  const current: ProviderHealth["current"] = () => {
    const now = clock.now().getTime();
    return [...calls].map(([name, { latency_ms, failedAt, answeredAt }]) => ({
      name,
      healthy: !isWithin(failedAt, now, FAILURE_WINDOW_MS),
      latency_ms,
      answering: isWithin(answeredAt, now, FAILURE_WINDOW_MS) || answeredAt > failedAt,
    }));
  };
  const providerHealth: ProviderHealth = { current, report: async () => current() };
  return {
    providerHealth,
    quotes: (name: string, port: Quotes): Quotes => ({ ...port, latest: watch(name, port.latest) }),
    bars: (name: string, port: BarHistory): BarHistory => ({ ...port, history: watch(name, port.history) }),
  };
}
