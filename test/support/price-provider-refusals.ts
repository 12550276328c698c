import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  FailureKind,
  ProviderBars,
  ProviderFailure,
  ProviderQuote,
} from "../../src/domain/providers/price-provider.ts";
import { sanitizeBars } from "../../src/market/prices/sanitize-bars.ts";
import type { Reply } from "../replay/vendor.ts";
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
import type { Case } from "./price-provider-contract.ts";
import {
  type BarsCase,
  failureOf,
  messageOf,
  type PriceProviderFixture,
  rowsOf,
} from "./price-provider-fixture.ts";

/** What is no answer is a failure of the right kind, and what is spoiled never passes for a price. */
export function describeRefusals({
  contract,
  world,
  honest,
  shape,
  probe,
  questions,
}: PriceProviderFixture): void {
  const { make, vendor, echoless = [], accept = {} } = contract;
  const { good, unknown, other } = contract.instruments;
  const failing = async (
    question: BarsCase,
    fetch: typeof globalThis.fetch,
    of = good,
  ): Promise<ProviderFailure> => failureOf(question.ask(make(countingFetch(fetch)), { of }));

  describe.each(questions)("$what, when the response is unusable", (question) => {
    const kinds = (about: Case, kind: FailureKind): readonly FailureKind[] => [
      kind,
      ...(accept[about] ?? []),
    ];

    it("refuses what it does not serve without a request", async () => {
      for (const of of world.instruments().filter(({ asset_class }) => !shape.serves.has(asset_class))) {
        const calls = countingFetch(honest);
        const { kind } = await failureOf(question.ask(make(calls), { of }));
        expect([of.symbol, kind, calls.count()]).toEqual([of.symbol, "unsupported", 0]);
      }
    });

    it("does not know an unknown symbol", async () => {
      if (question.what === "history" && contract.unknownHistory === "empty")
        expect(await question.ask(make(honest), { of: unknown })).toMatchObject({ bars: [] });
      else
        expect(kinds("unknown", "unknown_symbol")).toContain((await failing(question, honest, unknown)).kind);
    });

    const replies = (list: readonly Reply[]) =>
      list.map((reply) => [`${reply.status} ${reply.body.slice(0, 40)}`, reply] as const);
    const refused = async (reply: Reply, expected: readonly FailureKind[]) => {
      const failure = await failing(question, fetchAnswering(reply));
      expect(expected).toContain(failure.kind);
      const seconds = Number(reply.headers?.["retry-after"] ?? Number.NaN);
      if (failure.kind === "rate_limited" && Number.isFinite(seconds))
        expect(failure.retryAfterMs).toBe(seconds * 1000);
      const marked = {
        ...reply,
        body: inJson(reply.body, (value) => restrung(value, (text) => `${text} ${MARKER}`), MARKER),
      };
      expect((await failing(question, fetchAnswering(marked))).message).not.toContain(MARKER);
    };
    it.each(replies(vendor.limits))("waits after a rate limit: %s", (_, reply) =>
      refused(reply, kinds("limits", "rate_limited")),
    );
    it.each(replies(vendor.unauthorised))("has a wrong key: %s", (_, reply) =>
      refused(reply, kinds("unauthorised", "auth")),
    );
    it.each(replies(vendor.blocks))("is shut out: %s", (_, reply) =>
      refused(reply, kinds("blocks", "blocked")),
    );

    it.each([500, 502, 503, 504])("calls it down at status %i", async (status) => {
      for (const body of ["", '{"message":"oops"}', "<html>oops</html>"])
        expect((await failing(question, fetchAnswering({ status, body }))).kind).toBe("down");
    });

    it("calls it down without a connection, or with one that breaks", async () => {
      expect((await failing(question, unreachableFetch)).kind).toBe("down");
      expect((await failing(question, fetchCutOffAfter('{"data":'))).kind).toBe("down");
    });

    it.each(["", "not json", "{", '{"a":1}{', "\u0000\u0001"])("does not read %j", async (body) => {
      const { kind } = await failing(question, fetchAnswering({ status: 200, body }));
      expect(kinds("unreadable", "malformed")).toContain(kind);
    });

    it("does not read half an answer", async () => {
      const half = rewritingFetch(honest, (text) => text.slice(0, text.length / 2));
      expect(kinds("unreadable", "malformed")).toContain((await failing(question, half)).kind);
    });

    it.each(["{}", "[]", "null", '"text"', "1", "true", "[[]]", "[{}]", '{"data":null}', '{"data":[]}'])(
      "takes %s for no answer",
      async (body) => {
        const request = question.ask(make(countingFetch(fetchAnswering({ status: 200, body }))));
        if (question.what === "history" && contract.noBars?.includes(body))
          expect(await request).toMatchObject({ bars: [] });
        else expect(kinds("shapes", "malformed")).toContain((await failureOf(request)).kind);
      },
    );

    it.each([{ begins: false }, { begins: true }])("stops when aborted: $begins", async (when) => {
      const stuck = stalledFetch(when);
      const leaving = new AbortController();
      const request = failureOf(question.ask(make(stuck), { signal: leaving.signal }));
      setImmediate(() => leaving.abort());
      expect((await request).kind).toBe("timeout");
      expect(stuck.stopped()).toBe(true);
    });

    it("stops reading an answer without end", async () => {
      const flood = endlessFetch();
      expect((await failing(question, flood)).kind).toBe("malformed");
      expect(flood.sent()).toBeLessThan(64 * 1024 * 1024);
      expect(flood.cancelled()).toBe(true);
    });

    if (other !== undefined && !echoless.includes(question.what))
      it("does not take another instrument's answer", async () => {
        const texts: string[] = [];
        await question.ask(make(recordingFetch(honest, texts)), { of: other });
        expect((await failing(question, replayingFetch(texts))).kind).toBe("malformed");
      });

    it("takes US dollars alone", async () => {
      let changed = 0;
      const inEuros = (text: string, key: string) => {
        if (!/^currency$/i.test(key) || text !== "USD") return text;
        changed += 1;
        return "EUR";
      };
      const fetch = rewritingFetch(honest, (text) => inJson(text, (value) => restrung(value, inEuros)));
      const kind = await question.ask(make(countingFetch(fetch))).then(
        () => "answered",
        (failure: ProviderFailure) => failure.kind,
      );
      expect(kind).toBe(changed > 0 ? "malformed" : "answered");
    });

    it("repeats no word of the vendor's", async () => {
      const fetch = rewritingFetch(honest, (text) => inJson(text, (value) => restrung(value, () => MARKER)));
      const said = await question.ask(make(countingFetch(fetch))).then(
        () => "",
        (failure: unknown) => messageOf(failure),
      );
      expect(said).not.toContain(MARKER);
    });

    it("gives prices that can be, or a failure of ours, whatever is wrong in an answer", async () => {
      const texts: string[] = [];
      await question.ask(make(recordingFetch(honest, texts)));
      const answers = texts.map((text) => ({ text, value: parsed(text) }));
      const places = answers.flatMap(({ value }, call) =>
        value === undefined ? [] : placesIn(value).map((place) => ({ call, place })),
      );
      const spoil = fc.record({ at: fc.constantFrom(...places), by: wrongValue });
      await fc.assert(
        fc.asyncProperty(spoil, async ({ at: { call, place }, by }) => {
          const spoiled = JSON.stringify(replaced(answers[call]!.value, place, by)) ?? "";
          const fetch = countingFetch(
            rewritingFetch(honest, (text, index) => (index === call ? spoiled : text)),
          );
          try {
            plausible(await question.ask(make(fetch)));
          } catch (failure) {
            expect(messageOf(failure)).not.toContain(MARKER);
          }
          expect(fetch.endless(), "it never stopped requesting").toBe(false);
        }),
        { numRuns: 200 },
      );
    });
  });

  /** Throws unless every figure of an answer could be true. */
  function plausible(answer: ProviderQuote | ProviderBars): void {
    if ("bars" in answer) {
      const { bars } = sanitizeBars(answer, {
        assetClass: good.asset_class,
        timeframe: probe!,
        at: world.now(),
      });
      const figures = rowsOf(bars).flatMap(({ open, high, low, close }) => [open, high, low, close]);
      expect(figures.filter((price) => !(Number.isFinite(price) && price > 0))).toEqual([]);
      return;
    }
    const { price, previousClose, open, high, low, volume, tradedAt } = answer;
    const prices = [price, previousClose, open, high, low].filter((figure) => figure !== null);
    expect(prices.filter((figure) => !(Number.isFinite(figure) && figure > 0))).toEqual([]);
    expect(volume === null || (Number.isFinite(volume) && volume >= 0), `volume ${volume}`).toBe(true);
    expect(Number.isFinite(new Date(tradedAt).getTime()), `traded at ${tradedAt}`).toBe(true);
  }
}
