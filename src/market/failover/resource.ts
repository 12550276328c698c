import type { CallOptions, Clock } from "../../domain/ports.ts";
import type { Provider, ProviderAnswer } from "../../domain/providers/provider.ts";
import { ToolError } from "../../kernel/errors.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { ChainFailure, callInOrder } from "./chain.ts";
import type { Guarded } from "./guard.ts";
import { problemsOf, rateLimitedOf } from "./problems.ts";
import { createSingleFlight } from "./single-flight.ts";

export interface ResourceOptions<Q, A> {
  /** Returns a description of a request for error messages, such as "news of AAPL". */
  readonly about: (request: Q) => string;
  /** Providers in order of preference. */
  readonly providers: readonly Guarded<Provider<Q, A>>[];
  readonly clock: Clock;
  /** Returns the cache key of a request. */
  readonly keyOf: (request: Q) => string;
  /** Time for which a cached response is fresh, and time for which it may be returned as stale, ms. */
  readonly freshMs: number;
  readonly staleMs: number;
  /** Time for which a request that no provider covers is not repeated, ms. Default: 0. */
  readonly uncoveredMs?: number;
  /** Maximum number of responses cached in memory. Default: 500; use less for large responses. */
  readonly maxCached?: number;
  /** Returns true for a complete response. After an incomplete one, the next providers are also called. */
  readonly best?: (answer: A) => boolean;
  /** Delay before the next provider is called concurrently, ms. Default: 400. */
  readonly hedgeMs?: number;
  /** Name of the setting with the key of each provider, by provider name. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Requests one kind of data. Resolves with null if no provider covers the request or none is connected. */
export type Resource<Q, A> = (request: Q, options?: CallOptions) => Promise<ProviderAnswer<A> | null>;

const MAX_CACHED = 500;
const MAX_UNCOVERED = 2_000;

/**
 * Creates a resource that calls providers in order, with one call at a time per key. Returns fresh responses from the
 * cache, and older ones as stale if all providers fail. Rejects with UPSTREAM_UNAVAILABLE if no provider responds and
 * nothing usable is cached.
 */
export function resourceOf<Q, A extends object>(options: ResourceOptions<Q, A>): Resource<Q, A> {
  const { providers, clock, keyOf, freshMs, staleMs, about, best, hedgeMs } = options;
  const { settings = {}, uncoveredMs = 0 } = options;
  const cache = createBoundedCache<string, ProviderAnswer<A>>({
    name: "provider answers",
    max: options.maxCached ?? MAX_CACHED,
  });
  /** Times (epoch ms) of requests that no provider covers. */
  const uncovered = createBoundedCache<string, number>({ name: "uncovered requests", max: MAX_UNCOVERED });
  const flights = createSingleFlight<ProviderAnswer<A> | null>();
  const now = () => clock.now().getTime();
  const ageOf = ({ fetchedAt }: ProviderAnswer<A>) => Math.max(0, now() - fetchedAt);

  async function call(request: Q, key: string, signal: AbortSignal): Promise<ProviderAnswer<A> | null> {
    try {
      const { answer, provider, tried } = await callInOrder(
        providers,
        ({ provider }, stop) => provider.call(request, { signal: stop }),
        { signal, ...(best && { best }), ...(hedgeMs !== undefined && { hedgeMs }) },
      );
      const fresh = { answer, source: provider.provider.name, fetchedAt: now(), stale: false, tried };
      cache.set(key, fresh);
      return fresh;
    } catch (cause) {
      if (!(cause instanceof ChainFailure)) throw cause;
      if (cause.unknown) {
        uncovered.set(key, now());
        return null;
      }
      const before = cache.get(key);
      if (before !== undefined && ageOf(before) <= staleMs)
        return { ...before, stale: true, tried: cause.tried };
      throw outageOf(about(request), cause);
    }
  }

  function outageOf(what: string, cause: ChainFailure): ToolError {
    const problems = problemsOf(providers, settings);
    const limited = rateLimitedOf(providers, now());
    const soon = providers.length - problems.length - limited.length;
    const freed = minuteAfter(Math.min(...limited.map(({ until }) => until)));
    const reasons = [
      ...problems,
      ...limited.map(({ name, until }) => `the call limit of ${name} is used up until ${minuteAfter(until)}`),
    ];
    const later = soon > 0 ? "Retry in a minute. " : limited.length > 0 ? `Retry at ${freed}. ` : "";
    const why = reasons.length === 0 ? "" : `: ${reasons.join("; ")}`;
    return new ToolError("UPSTREAM_UNAVAILABLE", `No provider answered for ${what}${why}`, {
      hint: `${later}get_health shows which providers respond.`,
      command: "market-signal doctor",
      data: { tried: cause.tried },
      cause,
    });
  }

  return async (request, { signal } = {}) => {
    if (providers.length === 0) return null;
    const key = keyOf(request);
    const before = cache.get(key);
    if (before !== undefined && ageOf(before) < freshMs) return before;
    // the clock may have been set back, so the age may be negative
    if (Math.abs(now() - (uncovered.get(key) ?? Number.NEGATIVE_INFINITY)) < uncoveredMs) return null;
    return flights(key, (stop) => call(request, key, stop), signal);
  };
}

/** Returns the first full minute at or after a time (epoch ms), ISO 8601; empty if the time is not finite. */
function minuteAfter(at: number): string {
  return Number.isFinite(at)
    ? `${new Date(Math.ceil(at / 60_000) * 60_000).toISOString().slice(0, 16)}Z`
    : "";
}
