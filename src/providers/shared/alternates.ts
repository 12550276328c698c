import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { OwnLimitReached } from "../../market/failover/meter.ts";
import type { ProviderSetup } from "./http-client.ts";

/** Failures after which another host or user agent may succeed: a refusal, or an outage. */
const REFUSALS: readonly FailureKind[] = ["rate_limited", "auth", "blocked"];
export const REFUSALS_AND_OUTAGES: readonly FailureKind[] = [...REFUSALS, "down"];

/** Runs a request with one of several alternates, such as hosts, and with the next one if the provider refuses it. */
export type TryAlternates<A> = <T>(request: (alternate: A) => Promise<T>) => Promise<T>;

/**
 * Creates a function that tries the alternate that worked last, then the others in order. Rejects with the failure of
 * the last one tried; a failure of another kind than `on` ends it. Default of `on`: refusals.
 */
export function tryAlternates<A>(
  alternates: readonly A[],
  on: readonly FailureKind[] = REFUSALS,
): TryAlternates<A> {
  let order = alternates;
  return async (request) => {
    let refusal: unknown;
    for (const alternate of order)
      try {
        const result = await request(alternate);
        order = [alternate, ...order.filter((other) => other !== alternate)];
        return result;
      } catch (cause) {
        // the provider did not refuse this one: it was not requested
        if (cause instanceof OwnLimitReached && refusal !== undefined) throw refusal;
        if (!isRefusal(cause, on)) throw cause;
        refusal = cause;
      }
    throw refusal;
  };
}

const isRefusal = (cause: unknown, on: readonly FailureKind[]): boolean =>
  cause instanceof ProviderFailure && !(cause instanceof OwnLimitReached) && on.includes(cause.kind);

/** Runs a request against the hosts of a provider, given by their base URLs. */
export type TryHosts = TryAlternates<string>;

/**
 * Creates a function that requests from the host that worked last, and from the next one after a refusal (429, 451,
 * 403) or an outage. A base URL in the setup replaces all hosts.
 */
export const tryHosts = (
  { baseUrl }: Pick<ProviderSetup, "baseUrl">,
  hosts: readonly string[],
  on: readonly FailureKind[] = REFUSALS_AND_OUTAGES,
): TryHosts => tryAlternates(baseUrl === undefined ? hosts : [baseUrl], on);
