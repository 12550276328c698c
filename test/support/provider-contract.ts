import { describe, expect, it } from "vitest";
import type { Provider } from "../../src/domain/providers/provider.ts";
import { countingFetch } from "./faulty-fetch.ts";
import { describeRefusals, type RefusalContract } from "./provider-refusals.ts";

/** A provider over its replayed responses: valid requests and what a response must be. */
export interface ProviderContract<Q, A> extends Omit<RefusalContract<Q, A>, "request" | "unsupported"> {
  /** The adapter over a fetch, with the key that the provider accepts. */
  readonly make: (fetch: typeof globalThis.fetch) => Provider<Q, A>;
  /** A request that it does not serve by its nature; no call is made. */
  readonly unsupported?: Q;
  /** Throws unless a response holds something. */
  readonly filled: (answer: A) => void;
}

/** Registers what every provider promises, whatever its responses hold; called once per adapter. */
export function describeProvider<Q, A>(name: string, contract: ProviderContract<Q, A>): void {
  const { make, honest, good, unsupported, plausible, filled, accept } = contract;

  describe(`${name}, the contract of a provider`, () => {
    it("states its name and limits, and sends nothing before the first request", () => {
      const calls = countingFetch(honest);
      const { name: own, budget } = make(calls);
      expect(own).toMatch(/^[a-z][a-z0-9]*$/);
      expect(Math.min(budget.calls, budget.perMs, budget.atOnce)).toBeGreaterThanOrEqual(1);
      expect(calls.count()).toBe(0);
    });

    it("answers what it can answer", async () => {
      const answer = await make(honest).call(good, { signal: new AbortController().signal });
      plausible(answer);
      filled(answer);
    });

    describeRefusals({
      ...contract,
      unsupported: unsupported === undefined ? [] : [unsupported],
      request: (fetch, question, signal) => make(fetch).call(question, { signal }),
      accept: { shapes: ["unknown_symbol"], ...accept },
    });
  });
}
