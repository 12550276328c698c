import { LRUCache } from "lru-cache";
import type { CallOptions, Clock } from "../../domain/ports.ts";
import type { Provider, ProviderAnswer } from "../../domain/providers/provider.ts";
import { ToolError } from "../../kernel/errors.ts";
import { ChainFailure, callInOrder } from "./chain.ts";
import type { Guarded } from "./guard.ts";
import { problemsOf, rateLimitedOf } from "./problems.ts";
import { createSingleFlight } from "./single-flight.ts";

export interface ResourceOptions<Q, A> {
  /** What is asked for, in words of a message: "news of AAPL". */
  readonly about: (question: Q) => string;
  /** In order of preference. */
  readonly providers: readonly Guarded<Provider<Q, A>>[];
  readonly clock: Clock;
  /** The same for questions that have the same answer. */
  readonly keyOf: (question: Q) => string;
  /** How long an answer is as good as new, and how long it may stand in for one that cannot be had. */
  readonly freshMs: number;
  readonly staleMs: number;
  /** Maximum number of answers cached in memory. Default: 500; use fewer for large answers. */
  readonly maxCached?: number;
  /** Whether an answer is as good as there can be: after another one the next providers are asked too. */
  readonly best?: (answer: A) => boolean;
  /** Delay before the next provider is called concurrently, ms. Default: a fraction of a second. */
  readonly hedgeMs?: number;
  /** The setting that each provider's key is in, by the provider's name: a refusal names it. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Asks about one kind of thing. Null where every provider that spoke covers no such thing, or none is connected. */
export type Resource<Q, A> = (question: Q, options?: CallOptions) => Promise<ProviderAnswer<A> | null>;

const MAX_CACHED = 500;

/**
 * A resource over providers in order: one question at a time for each thing, answers kept while they are new, older ones told only
 * as stale. Rejects with UPSTREAM_UNAVAILABLE where nobody answers and nothing is kept.
 */
export function resourceOf<Q, A extends object>(options: ResourceOptions<Q, A>): Resource<Q, A> {
  const { providers, clock, keyOf, freshMs, staleMs, about, best, hedgeMs, settings = {} } = options;
  const kept = new LRUCache<string, ProviderAnswer<A>>({ max: options.maxCached ?? MAX_CACHED });
  const flights = createSingleFlight<ProviderAnswer<A> | null>();
  const now = () => clock.now().getTime();
  const ageOf = ({ fetchedAt }: ProviderAnswer<A>) => Math.max(0, now() - fetchedAt);

  async function ask(question: Q, key: string, signal: AbortSignal): Promise<ProviderAnswer<A> | null> {
    try {
      const {
        answer,
        provider: by,
        tried,
      } = await callInOrder(
        providers,
        ({ provider: source }, stop) => source.call(question, { signal: stop }),
        { signal, ...(best && { best }), ...(hedgeMs !== undefined && { hedgeMs }) },
      );
      const told = { answer, source: by.provider.name, fetchedAt: now(), stale: false, tried };
      kept.set(key, told);
      return told;
    } catch (cause) {
      if (!(cause instanceof ChainFailure)) throw cause;
      if (cause.unknown) return null;
      const before = kept.get(key);
      if (before !== undefined && ageOf(before) <= staleMs)
        return { ...before, stale: true, tried: cause.tried };
      throw outageOf(about(question), cause);
    }
  }

  function outageOf(what: string, cause: ChainFailure): ToolError {
    const troubles = problemsOf(providers, settings);
    const limited = rateLimitedOf(providers, now());
    const soon = providers.length - troubles.length - limited.length;
    const freed = minuteAfter(Math.min(...limited.map(({ until }) => until)));
    const reasons = [
      ...troubles,
      ...limited.map(
        ({ name, until }) => `the calls we may make to ${name} are used up until ${minuteAfter(until)}`,
      ),
    ];
    const later = soon > 0 ? "Ask again in a minute; " : limited.length > 0 ? `Ask again at ${freed}; ` : "";
    const why = reasons.length === 0 ? " just now" : `: ${reasons.join("; ")}`;
    return new ToolError("UPSTREAM_UNAVAILABLE", `No source answers for ${what}${why}`, {
      hint: `${later}\`market-signal doctor\` says which sources work.`,
      data: { tried: cause.tried },
      cause,
    });
  }

  return async (question, { signal } = {}) => {
    if (providers.length === 0) return null;
    const key = keyOf(question);
    const before = kept.get(key);
    if (before !== undefined && ageOf(before) < freshMs) return before;
    return flights(key, (stop) => ask(question, key, stop), signal);
  };
}

/** The first whole minute at or after a moment, epoch ms. */
function minuteAfter(at: number): string {
  return Number.isFinite(at)
    ? `${new Date(Math.ceil(at / 60_000) * 60_000).toISOString().slice(0, 16)}Z`
    : "";
}
