import { describe, expect, it } from "vitest";
import type { Provider } from "../../src/domain/providers/provider.ts";
import { countingFetch } from "./faulty-fetch.ts";
import { describeRefusals, type RefusalContract } from "./provider-refusals.ts";

/** A provider over its replayed responses: valid requests and checks of responses. */
export interface ProviderContract<Q, A> extends Omit<RefusalContract<Q, A>, "request" | "unsupported"> {
  /** Creates the adapter over a fetch, with a key that the provider accepts. */
  readonly make: (fetch: typeof globalThis.fetch) => Provider<Q, A>;
  /** A request that the provider does not support; it makes no call. */
  readonly unsupported?: Q;
  /** Throws if a response is empty. */
  readonly filled: (answer: A) => void;
}

/** Registers the contract tests of any provider, independent of its kind of data; called once per adapter. */
export function describeProvider<Q, A>(name: string, contract: ProviderContract<Q, A>): void {
  const { make, honest, good, unsupported, plausible, filled, accept } = contract;

  describe(`${name}, provider contract`, () => {
    it("has a name and limits, and sends nothing before the first request", () => {
      const calls = countingFetch(honest);
      const { name: own, budget } = make(calls);
      expect(own).toMatch(/^[a-z][a-z0-9]*$/);
      expect(Math.min(budget.calls, budget.perMs, budget.atOnce)).toBeGreaterThanOrEqual(1);
      expect(calls.count()).toBe(0);
    });

    it("returns a non-empty, plausible response", async () => {
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
