import fc from "fast-check";
import { expect, it } from "vitest";
import type { FailureKind, ProviderFailure } from "../../src/domain/providers/price-provider.ts";
import type { Reply, Vendor } from "../replay/vendor.ts";
import {
  countingFetch,
  endlessFetch,
  fetchAnswering,
  fetchCutOffAfter,
  recordingFetch,
  replayingFetch,
  rewritingFetch,
  stalledFetch,
  unreachableFetch,
} from "./faulty-fetch.ts";
import { inJson, MARKER, parsed, placesIn, replaced, restrung, wrongValue } from "./faulty-json.ts";
import { failureOf, messageOf } from "./price-provider-fixture.ts";

/** Ambiguous responses: self-contradictory, or indistinguishable from another kind. */
export type RefusalCase =
  | "unknown"
  | "limits"
  | "unauthorised"
  | "blocks"
  | "shapes"
  | "unreadable"
  | "other";

/** One request of a provider, and the expected results of its faulty responses. */
export interface RefusalContract<Q, A> {
  readonly request: (fetch: typeof globalThis.fetch, question: Q, signal: AbortSignal) => Promise<A>;
  /** The provider's correct responses. */
  readonly honest: typeof fetch;
  readonly vendor: Pick<Vendor, "limits" | "unauthorised" | "blocks" | "key">;
  /** A request that has a response. */
  readonly good: Q;
  /** Requests that the provider does not support; it makes no call. */
  readonly unsupported: readonly Q[];
  /** A request about something the provider does not have: fails, or returns an empty response. */
  readonly unknown?: { readonly question: Q; readonly outcome: "unknown_symbol" | "none" };
  /** Another request, whose response must be rejected for `good`. */
  readonly other?: Q;
  /** Bodies that mean "none" according to the provider's documentation. */
  readonly none?: readonly string[];
  /** Throws unless a response is empty. */
  readonly empty?: (answer: A) => void;
  /** Throws unless a response is plausible. */
  readonly plausible: (answer: A) => void;
  /** True if the provider documents its key as a query parameter. */
  readonly keyInUrl?: boolean;
  /** Additional kinds of failure accepted in a case. */
  readonly accept?: Readonly<Partial<Record<RefusalCase, readonly FailureKind[]>>>;
  /** Number of random corrupted responses. */
  readonly runs?: number;
}

const patient = () => new AbortController().signal;

/**
 * Registers a test for each unusable response: it must cause a failure of the right kind, and never a corrupted figure.
 */
export function describeRefusals<Q, A>(contract: RefusalContract<Q, A>): void {
  const { honest, vendor, good, unsupported, unknown, other, none = [], plausible, runs = 150 } = contract;
  const { empty = plausible, accept = {} } = contract;
  const request = (fetch: typeof globalThis.fetch, question = good, signal = patient()) =>
    contract.request(fetch, question, signal);
  const failing = (fetch: typeof globalThis.fetch): Promise<ProviderFailure> =>
    failureOf(request(countingFetch(fetch)));
  const kinds = (about: RefusalCase, kind: FailureKind): readonly FailureKind[] => [
    kind,
    ...(accept[about] ?? []),
  ];
  const recorded = async (question = good): Promise<readonly string[]> => {
    const texts: string[] = [];
    await request(recordingFetch(honest, texts), question);
    return texts;
  };

  if (unsupported.length > 0)
    it("rejects unsupported requests without a call", async () => {
      for (const question of unsupported) {
        const calls = countingFetch(honest);
        expect((await failureOf(request(calls, question))).kind).toBe("unsupported");
        expect(calls.count()).toBe(0);
      }
    });

  if (unknown !== undefined)
    it("fails with unknown_symbol, or returns an empty response, for an unknown subject", async () => {
      const response = request(honest, unknown.question);
      if (unknown.outcome === "none") empty(await response);
      else expect(kinds("unknown", "unknown_symbol")).toContain((await failureOf(response)).kind);
    });

  const keys = vendor.key?.split(", ") ?? [];
  if (keys.length > 0 && !contract.keyInUrl)
    it("sends its key in headers only", async () => {
      await request(async (input, init) => {
        for (const key of keys) expect(String(input)).not.toContain(key);
        return await honest(input, init);
      });
    });

  const replies = (list: readonly Reply[]) =>
    list.map((reply) => [`${reply.status} ${reply.body.slice(0, 40)}`, reply] as const);
  const refused = async (reply: Reply, expected: readonly FailureKind[]) => {
    const failure = await failing(fetchAnswering(reply));
    expect(expected).toContain(failure.kind);
    const seconds = Number(reply.headers?.["retry-after"] ?? Number.NaN);
    if (failure.kind === "rate_limited" && Number.isFinite(seconds))
      expect(failure.retryAfterMs).toBe(seconds * 1000);
    for (const key of keys) expect(failure.message).not.toContain(key);
    const marked = inJson(reply.body, (value) => restrung(value, (text) => `${text} ${MARKER}`), MARKER);
    expect((await failing(fetchAnswering({ ...reply, body: marked }))).message).not.toContain(MARKER);
  };
  it.each(replies(vendor.limits))("fails with rate_limit: %s", (_, reply) =>
    refused(reply, kinds("limits", "rate_limited")),
  );
  it.each(replies(vendor.unauthorised))("fails with auth for a wrong key: %s", (_, reply) =>
    refused(reply, kinds("unauthorised", "auth")),
  );
  it.each(replies(vendor.blocks))("fails with blocked: %s", (_, reply) =>
    refused(reply, kinds("blocks", "blocked")),
  );

  it.each([500, 502, 503, 504])("fails with down for status %i", async (status) => {
    for (const body of ["", '{"message":"oops"}', "<html>oops</html>"])
      expect((await failing(fetchAnswering({ status, body }))).kind).toBe("down");
  });

  it("fails with down without a connection, or if the connection breaks", async () => {
    expect((await failing(unreachableFetch)).kind).toBe("down");
    expect((await failing(fetchCutOffAfter('{"data":'))).kind).toBe("down");
  });

  it.each(["", "not json", "{", '{"a":1}{', "\u0000\u0001"])(
    "rejects the malformed body %j",
    async (body) => {
      const { kind } = await failing(fetchAnswering({ status: 200, body }));
      expect(kinds("unreadable", "malformed")).toContain(kind);
    },
  );

  it("rejects half a response", async () => {
    const half = rewritingFetch(honest, (text) => text.slice(0, text.length / 2));
    expect(kinds("unreadable", "malformed")).toContain((await failing(half)).kind);
  });

  it.each(["{}", "[]", "null", '"text"', "1", "true", "[[]]", "[{}]", '{"data":null}', '{"data":[]}'])(
    "rejects the body %s, unless it is the documented empty response",
    async (body) => {
      const response = request(countingFetch(fetchAnswering({ status: 200, body })));
      if (none.includes(body)) empty(await response);
      else expect(kinds("shapes", "malformed")).toContain((await failureOf(response)).kind);
    },
  );

  it.each([{ begins: false }, { begins: true }])(
    "stops when aborted, with a response begun: $begins",
    async (when) => {
      const stuck = stalledFetch(when);
      const leaving = new AbortController();
      const response = failureOf(request(stuck, good, leaving.signal));
      setImmediate(() => leaving.abort());
      expect((await response).kind).toBe("timeout");
      expect(stuck.stopped()).toBe(true);
    },
  );

  it("stops reading an endless response", async () => {
    const flood = endlessFetch();
    expect((await failing(flood)).kind).toBe("malformed");
    expect(flood.sent()).toBeLessThan(64 * 1024 * 1024);
    expect(flood.cancelled()).toBe(true);
  });

  if (other !== undefined)
    it("rejects the response to another request", async () => {
      const { kind } = await failing(replayingFetch(await recorded(other)));
      expect(kinds("other", "malformed")).toContain(kind);
    });

  it("repeats no text of the provider in its failures", async () => {
    const fetch = rewritingFetch(honest, (text) => inJson(text, (value) => restrung(value, () => MARKER)));
    await request(countingFetch(fetch)).catch((failure: unknown) =>
      expect(messageOf(failure)).not.toContain(MARKER),
    );
  });

  it("returns plausible data or fails with our own message for any corruption of a response", async () => {
    const spoil = fc.oneof(...(await recorded()).flatMap(spoiled));
    await fc.assert(
      fc.asyncProperty(spoil, async ({ call, text }) => {
        const fetch = countingFetch(rewritingFetch(honest, (own, index) => (index === call ? text : own)));
        try {
          plausible(await request(fetch));
        } catch (failure) {
          expect(messageOf(failure)).not.toContain(MARKER);
        }
        expect(fetch.endless(), "it never stopped requesting").toBe(false);
      }),
      { numRuns: runs },
    );
  });
}

/** Corrupts the response to one call at random: its text or, four times as often, a value of its JSON. */
function spoiled(text: string, call: number): fc.WeightedArbitrary<{ call: number; text: string }>[] {
  const inText = fc
    .record({
      from: fc.nat({ max: Math.max(0, text.length - 1) }),
      length: fc.oneof(fc.constant(1), fc.nat({ max: 60 })),
      by: fc.oneof(fc.constantFrom("", "|", "-", "9", "\n", "x", '"'), fc.string()),
    })
    .map(({ from, length, by }) => ({ call, text: text.slice(0, from) + by + text.slice(from + length) }));
  const value = parsed(text);
  const places = value === undefined ? [] : placesIn(value);
  if (places.length === 0) return [{ weight: 1, arbitrary: inText }];
  const inPlace = fc
    .record({ place: fc.nat({ max: places.length - 1 }), by: wrongValue })
    .map(({ place, by }) => ({ call, text: JSON.stringify(replaced(value, places[place]!, by)) ?? "" }));
  return [
    { weight: 1, arbitrary: inText },
    { weight: 4, arbitrary: inPlace },
  ];
}
