import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Provider } from "../../src/market/live/resource.ts";
import type { FailureKind, SourceFailure } from "../../src/market/live/source.ts";
import { fetchFrom, type Reply, type Vendor } from "../replay/vendor.ts";
import type { World } from "../replay/world.ts";
import { failureOf, messageOf } from "./source-bench.ts";
import {
  always,
  brokenOff,
  counted,
  endless,
  overheard,
  repeated,
  rewritten,
  stalled,
  unreachable,
} from "./spoiled-fetch.ts";
import { inJson, MARKER, parsed, placesIn, replaced, restrung, wrongValue } from "./spoiled-json.ts";

export interface ProviderContract<Q, A> {
  readonly make: (fetch: typeof globalThis.fetch) => Provider<Q, A>;
  readonly vendor: Vendor;
  readonly world: World;
  readonly good: Q;
  /** A question about what the vendor does not have; null where it has an answer to all. */
  readonly unknown: Q | null;
  /** Another good question, whose answer must not pass for the good one's; null where answers do not say what they are of. */
  readonly other: Q | null;
  /** Questions that it does not answer, refused without a call. */
  readonly unsupported: readonly Q[];
  /** Throws unless every figure of an answer could be true. */
  readonly plausible: (answer: A) => void;
  /** Bodies that are the vendor's way of saying that it has nothing. */
  readonly nothing?: readonly string[];
  /** Further kinds that a refusal may be told as, for answers that say two things at once. */
  readonly accept?: Readonly<
    Partial<Record<"limits" | "unauthorised" | "blocks" | "shapes", readonly FailureKind[]>>
  >;
}

/** What every provider beyond prices promises, shown with its replayed vendor; registered once per adapter. */
export function describeProvider<Q, A extends object>(name: string, contract: ProviderContract<Q, A>): void {
  const {
    make,
    vendor,
    world,
    good,
    unknown,
    other,
    unsupported,
    plausible,
    nothing = [],
    accept = {},
  } = contract;
  const honest = fetchFrom(vendor, world);
  const patient = () => new AbortController().signal;
  const ask = (fetch: typeof globalThis.fetch, question = good, signal = patient()) =>
    make(fetch).ask(question, { signal });
  const failing = async (fetch: typeof globalThis.fetch): Promise<SourceFailure> =>
    failureOf(ask(counted(fetch)));

  describe(`${name}, the contract of a provider`, () => {
    it("says who it is and how often it may be asked, and asks nobody before it is asked", () => {
      const calls = counted(honest);
      const { name: own, budget } = make(calls);
      expect(own).toBe(vendor.name);
      expect(Math.min(budget.calls, budget.perMs, budget.atOnce)).toBeGreaterThanOrEqual(1);
      expect(calls.count()).toBe(0);
    });

    it("answers with what can be true, alike each time", async () => {
      const answer = await ask(honest);
      plausible(answer);
      expect(await ask(honest)).toEqual(answer);
    });

    it("does not know what is not there", async () => {
      if (unknown !== null) expect((await failureOf(ask(honest, unknown))).kind).toBe("unknown_symbol");
    });

    it("refuses what it does not answer without a call", async () => {
      for (const question of unsupported) {
        const calls = counted(honest);
        const { kind } = await failureOf(ask(calls, question));
        expect([kind, calls.count()]).toEqual(["unsupported", 0]);
      }
    });

    const replies = (list: readonly Reply[]) =>
      list.map((reply) => [`${reply.status} ${reply.body.slice(0, 40)}`, reply] as const);
    const refused = async (reply: Reply, kinds: readonly FailureKind[]) => {
      expect(kinds).toContain((await failing(always(reply))).kind);
      const marked = inJson(reply.body, (value) => restrung(value, (text) => `${text} ${MARKER}`), MARKER);
      expect((await failing(always({ ...reply, body: marked }))).message).not.toContain(MARKER);
    };
    if (vendor.limits.length > 0)
      it.each(replies(vendor.limits))("is told to wait: %s", (_, reply) =>
        refused(reply, ["rate_limited", ...(accept.limits ?? [])]),
      );
    if (vendor.unauthorised.length > 0)
      it.each(replies(vendor.unauthorised))("has a wrong key: %s", (_, reply) =>
        refused(reply, ["auth", ...(accept.unauthorised ?? [])]),
      );
    if (vendor.blocks.length > 0)
      it.each(replies(vendor.blocks))("is shut out: %s", (_, reply) =>
        refused(reply, ["blocked", ...(accept.blocks ?? [])]),
      );

    it("calls it down at a status of 500 and more, and without a connection", async () => {
      for (const status of [500, 502, 503, 504]) {
        const failure = await failing(always({ status, body: "<html>oops</html>" }));
        expect(["down", ...(accept.shapes ?? [])]).toContain(failure.kind);
      }
      expect((await failing(unreachable)).kind).toBe("down");
      expect((await failing(brokenOff('{"data":'))).kind).toBe("down");
    });

    it.each(["", "not json", "{", "{}", "[]", "null", '"text"', "1", "[{}]", '{"data":null}', '{"data":[]}'])(
      "takes %s for no answer",
      async (body) => {
        const asked = ask(counted(always({ status: 200, body })));
        if (nothing.includes(body)) return void (await asked.catch(messageOf));
        const kinds: readonly FailureKind[] = ["malformed", ...(accept.shapes ?? [])];
        expect(kinds).toContain((await failureOf(asked)).kind);
      },
    );

    it("does not read half an answer", async () => {
      const half = rewritten(honest, (text) => text.slice(0, text.length / 2));
      const kinds: readonly FailureKind[] = ["malformed", ...(accept.shapes ?? [])];
      expect(kinds).toContain((await failing(half)).kind);
    });

    it.each([{ begins: false }, { begins: true }])("lets go when told to: $begins", async (when) => {
      const stuck = stalled(when);
      const leaving = new AbortController();
      const asked = failureOf(ask(stuck, good, leaving.signal));
      setImmediate(() => leaving.abort());
      expect((await asked).kind).toBe("timeout");
      expect(stuck.stopped()).toBe(true);
    });

    it("stops reading an answer without end", async () => {
      const flood = endless();
      expect((await failing(flood)).kind).toBe("malformed");
      expect(flood.sent()).toBeLessThan(64 * 1024 * 1024);
      expect(flood.cancelled()).toBe(true);
    });

    if (other !== null)
      it("does not take another one's answer", async () => {
        const texts: string[] = [];
        await ask(overheard(honest, texts), other);
        expect(["malformed", ...(accept.shapes ?? [])]).toContain((await failing(repeated(texts))).kind);
      });

    it("gives what can be, or a failure of ours in our words, whatever is wrong in an answer", async () => {
      const texts: string[] = [];
      await ask(overheard(honest, texts));
      const answers = texts.map((text) => ({ text, value: parsed(text) }));
      const places = answers.flatMap(({ value }, call) =>
        value === undefined ? [] : placesIn(value).map((place) => ({ call, place })),
      );
      const spoil = fc.record({ at: fc.constantFrom(...places), by: wrongValue });
      await fc.assert(
        fc.asyncProperty(spoil, async ({ at: { call, place }, by }) => {
          const spoiled = JSON.stringify(replaced(answers[call]!.value, place, by)) ?? "";
          const fetch = counted(rewritten(honest, (text, index) => (index === call ? spoiled : text)));
          try {
            plausible(await ask(fetch));
          } catch (failure) {
            expect(messageOf(failure)).not.toContain(MARKER);
          }
          expect(fetch.endless(), "it asked on and on").toBe(false);
        }),
        { numRuns: 150 },
      );
    });
  });
}
