import { ToolError } from "../kernel/errors.ts";
import type { BarHistory, Clock, ProviderHealth, Quotes } from "../ports/index.ts";

interface Reading {
  readonly healthy: boolean;
  readonly latency_ms: number;
}

/** The provider answered, though perhaps not with what was hoped for. */
const ANSWERS: ReadonlySet<string> = new Set(["UNKNOWN_SYMBOL", "NO_PRICE", "NOT_ENOUGH_DATA", "CANCELLED"]);

/** Watches providers at work: the last call of each decides whether it is healthy. One never called is not reported. */
export function createHealth(clock: Clock) {
  const readings = new Map<string, Reading>();
  const watch =
    <A extends readonly unknown[], R>(name: string, ask: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const started = clock.now().getTime();
      const note = (healthy: boolean) =>
        readings.set(name, { healthy, latency_ms: clock.now().getTime() - started });
      try {
        const answer = await ask(...args);
        note(true);
        return answer;
      } catch (cause) {
        note(cause instanceof ToolError && ANSWERS.has(cause.code));
        throw cause;
      }
    };
  const providerHealth: ProviderHealth = {
    report: () => [...readings].map(([name, reading]) => ({ name, ...reading })),
  };
  return {
    providerHealth,
    quotes: (name: string, port: Quotes): Quotes => ({ latest: watch(name, port.latest) }),
    bars: (name: string, port: BarHistory): BarHistory => ({ history: watch(name, port.history) }),
  };
}
