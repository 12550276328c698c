import { describe, expect, it } from "vitest";
import type {
  ProviderBars,
  ProviderFailure,
  ProviderQuote,
} from "../../src/domain/providers/price-provider.ts";
import { sanitizeBars } from "../../src/market/prices/sanitize-bars.ts";
import { countingFetch, rewritingFetch } from "./faulty-fetch.ts";
import { inJson, restrung } from "./faulty-json.ts";
import { type PriceProviderFixture, rowsOf } from "./price-provider-fixture.ts";
import { describeRefusals } from "./provider-refusals.ts";

/** Registers failure tests for quotes and bars: a corrupted response never becomes a price. */
export function describePriceRefusals(fixture: PriceProviderFixture): void {
  const { contract, world, honest, shape, probe, questions } = fixture;
  const { make, vendor, echoless = [], accept = {} } = contract;
  const { good, unknown, other } = contract.instruments;

  describe.each(questions)("$what, with an unusable response", ({ what, ask }) => {
    const history = what === "history";
    describeRefusals({
      request: (fetch, of, signal) => ask(make(fetch), { of, signal }),
      honest,
      vendor,
      good,
      unsupported: world.instruments().filter(({ asset_class }) => !shape.serves.has(asset_class)),
      unknown: {
        question: unknown,
        outcome: history && contract.unknownHistory === "empty" ? "none" : "unknown_symbol",
      },
      ...(other !== undefined && !echoless.includes(what) && { other }),
      none: (history ? contract.noBars : null) ?? [],
      empty: (answer) => expect(answer).toMatchObject({ bars: [] }),
      plausible,
      accept,
      runs: 250,
    });

    it("rejects currencies other than US dollars", async () => {
      let changed = 0;
      const inEuros = (text: string, key: string) => {
        if (!/^currency$/i.test(key) || text !== "USD") return text;
        changed += 1;
        return "EUR";
      };
      const fetch = rewritingFetch(honest, (text) => inJson(text, (value) => restrung(value, inEuros)));
      const kind = await ask(make(countingFetch(fetch))).then(
        () => "answered",
        (failure: ProviderFailure) => failure.kind,
      );
      expect(kind).toBe(changed > 0 ? "malformed" : "answered");
    });
  });

  /** Throws unless every figure of a response is plausible. */
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
