import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FailureKind, ProviderFailure } from "../../src/domain/providers/price-provider.ts";
import type { Provider } from "../../src/domain/providers/provider.ts";
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

/** A provider over its replayed responses: valid requests and what a response must be. */
export interface ProviderContract<Q, A> {
  /** The adapter over a fetch, with the key that the vendor accepts. */
  readonly make: (fetch: typeof globalThis.fetch) => Provider<Q, A>;
  /** The vendor's true answers, and every way in which it refuses. */
  readonly honest: typeof fetch;
  readonly vendor: Pick<Vendor, "limits" | "unauthorised" | "blocks">;
  /** A question it answers with something. */
  readonly good: Q;
  /** One it has no answer for by its nature; no call is made. */
  readonly unsupported?: Q;
  /** About something it does not have: a failure, or an answer that says "none". */
  readonly unknown?: { readonly question: Q; readonly outcome: "unknown_symbol" | "none" };
  /** Another question whose answer must not pass for the good one's; leave it out where answers name nothing, and say why. */
  readonly other?: Q;
  /** Bodies that are its documented way of saying "none". */
  readonly none?: readonly string[];
  /** Throws unless an answer could be true. */
  readonly plausible: (answer: A) => void;
  /** Throws unless the answer holds something. */
  readonly filled: (answer: A) => void;
  /** Further kinds of failure that refusals may be, for answers that say two things at once. */
  readonly accept?: Readonly<
    Partial<Record<"limits" | "unauthorised" | "blocks" | "unreadable", readonly FailureKind[]>>
  >;
}

const patient = () => new AbortController().signal;

/** What every provider of a resource promises, whatever its vendor sends; registered once per adapter. */
export function describeProvider<Q, A>(name: string, contract: ProviderContract<Q, A>): void {
  const { make, honest, vendor, good, unsupported, unknown, other, none = [], plausible, filled } = contract;
  const { accept = {} } = contract;
  const ask = (fetch: typeof globalThis.fetch, question = good, signal = patient()) =>
    make(fetch).call(question, { signal });
  const failing = (fetch: typeof globalThis.fetch): Promise<ProviderFailure> =>
    failureOf(ask(countingFetch(fetch)));

  describe(`${name}, the contract of a provider`, () => {
    it("states its name and limits, and sends nothing before the first request", () => {
      const calls = countingFetch(honest);
      const { name: own, budget } = make(calls);
      expect(own).toMatch(/^[a-z][a-z0-9]*$/);
      expect(Math.min(budget.calls, budget.perMs, budget.atOnce)).toBeGreaterThanOrEqual(1);
      expect(calls.count()).toBe(0);
    });

    it("answers what it can answer", async () => {
      const answer = await ask(honest);
      plausible(answer);
      filled(answer);
    });

    if (unsupported !== undefined)
      it("refuses what it does not serve without a request", async () => {
        const calls = countingFetch(honest);
        expect((await failureOf(ask(calls, unsupported))).kind).toBe("unsupported");
        expect(calls.count()).toBe(0);
      });

    if (unknown !== undefined)
      it("does not know what it does not have", async () => {
        const request = ask(honest, unknown.question);
        if (unknown.outcome === "none") plausible(await request);
        else expect((await failureOf(request)).kind).toBe("unknown_symbol");
      });

    const replies = (list: readonly Reply[]) =>
      list.map((reply) => [`${reply.status} ${reply.body.slice(0, 40)}`, reply] as const);
    const refused = async (reply: Reply, expected: readonly FailureKind[]) => {
      const failure = await failing(fetchAnswering(reply));
      expect(expected).toContain(failure.kind);
      const seconds = Number(reply.headers?.["retry-after"] ?? Number.NaN);
      if (failure.kind === "rate_limited" && Number.isFinite(seconds))
        expect(failure.retryAfterMs).toBe(seconds * 1000);
      const marked = inJson(reply.body, (value) => restrung(value, (text) => `${text} ${MARKER}`), MARKER);
      expect((await failing(fetchAnswering({ ...reply, body: marked }))).message).not.toContain(MARKER);
    };
    it.each(replies(vendor.limits))("waits after a rate limit: %s", (_, reply) =>
      refused(reply, ["rate_limited", ...(accept.limits ?? [])]),
    );
    it.each(replies(vendor.unauthorised))("has a wrong key: %s", (_, reply) =>
      refused(reply, ["auth", ...(accept.unauthorised ?? [])]),
    );
    it.each(replies(vendor.blocks))("is shut out: %s", (_, reply) =>
      refused(reply, ["blocked", ...(accept.blocks ?? [])]),
    );

    it.each([500, 502, 503, 504])("calls it down at status %i", async (status) => {
      for (const body of ["", '{"message":"oops"}', "<html>oops</html>"])
        expect((await failing(fetchAnswering({ status, body }))).kind).toBe("down");
    });

    it("calls it down without a connection, or with one that breaks", async () => {
      expect((await failing(unreachableFetch)).kind).toBe("down");
      expect((await failing(fetchCutOffAfter('{"data":'))).kind).toBe("down");
    });

    const unreadable: readonly FailureKind[] = ["malformed", ...(accept.unreadable ?? [])];
    it.each(["", "not json", "{", '{"a":1}{', "\u0000\u0001"])("does not read %j", async (body) => {
      expect(unreadable).toContain((await failing(fetchAnswering({ status: 200, body }))).kind);
    });

    it("does not read half an answer", async () => {
      const half = rewritingFetch(honest, (text) => text.slice(0, text.length / 2));
      expect(unreadable).toContain((await failing(half)).kind);
    });

    it.each(["{}", "[]", "null", '"text"', "1", "true", "[[]]", "[{}]", '{"data":null}', '{"data":[]}'])(
      "takes %s for no answer, or for none where that is what it says",
      async (body) => {
        const request = ask(countingFetch(fetchAnswering({ status: 200, body })));
        if (none.includes(body)) plausible(await request);
        else expect(["malformed", "unknown_symbol"]).toContain((await failureOf(request)).kind);
      },
    );

    it.each([{ begins: false }, { begins: true }])("stops when aborted: $begins", async (when) => {
      const stuck = stalledFetch(when);
      const leaving = new AbortController();
      const request = failureOf(ask(stuck, good, leaving.signal));
      setImmediate(() => leaving.abort());
      expect((await request).kind).toBe("timeout");
      expect(stuck.stopped()).toBe(true);
    });

    it("stops reading an answer without end", async () => {
      const flood = endlessFetch();
      expect((await failing(flood)).kind).toBe("malformed");
      expect(flood.sent()).toBeLessThan(64 * 1024 * 1024);
      expect(flood.cancelled()).toBe(true);
    });

    if (other !== undefined)
      it("does not take another question's answer", async () => {
        const texts: string[] = [];
        await ask(recordingFetch(honest, texts), other);
        expect((await failing(replayingFetch(texts))).kind).toBe("malformed");
      });

    it("gives what can be, or a failure of ours, whatever is wrong in an answer", async () => {
      const texts: string[] = [];
      await ask(recordingFetch(honest, texts));
      const answers = texts.map((text) => ({ text, value: parsed(text) }));
      const spoil = fc.oneof(
        ...answers.flatMap(({ text, value }, call) => {
          const places = value === undefined ? [] : placesIn(value).slice(0, 4_000);
          const inText = fc
            .tuple(
              fc.nat({ max: Math.max(0, text.length - 1) }),
              fc.constantFrom("", "|", "-", "9", "\n", "x", '"'),
            )
            .map(([at, by]) => ({ call, text: `${text.slice(0, at)}${by}${text.slice(at + 1)}` }));
          if (places.length === 0) return [inText];
          const inPlace = fc
            .record({ place: fc.constantFrom(...places), by: wrongValue })
            .map(({ place, by }) => ({ call, text: JSON.stringify(replaced(value, place, by)) ?? "" }));
          return [inText, inPlace];
        }),
      );
      await fc.assert(
        fc.asyncProperty(spoil, async ({ call, text }) => {
          const fetch = countingFetch(rewritingFetch(honest, (own, index) => (index === call ? text : own)));
          try {
            plausible(await ask(fetch));
          } catch (failure) {
            expect(messageOf(failure)).not.toContain(MARKER);
          }
          expect(fetch.endless(), "it never stopped requesting").toBe(false);
        }),
        { numRuns: 150 },
      );
    });
  });
}
