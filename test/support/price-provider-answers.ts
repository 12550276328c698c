import { describe, expect, it } from "vitest";
import { PROVIDER_TIMEFRAMES, type ProviderTimeframe, TIMEFRAME_MS } from "../../src/domain/market/bars.ts";
import {
  type ProviderBars,
  ProviderFailure,
  type ProviderQuote,
} from "../../src/domain/providers/price-provider.ts";
import type { WorldTrade } from "../replay/world.ts";
import {
  countingFetch,
  fetchAnswering,
  fetchFailingAt,
  recordingFetch,
  replayingFetch,
  rewritingFetch,
} from "./faulty-fetch.ts";
import { inJson, reordered } from "./faulty-json.ts";
import { failureOf, iso, near, type PriceProviderFixture, type Window } from "./price-provider-fixture.ts";

const DAY = 86_400_000;

/** A weekend, from Saturday 00:00 UTC to the end of Sunday. */
const WEEKEND = { from: Date.UTC(2025, 10, 22), until: Date.UTC(2025, 10, 24) - 1 };

/** Maximum number of bars that every provider returns at once. */
const MAX_BARS = 3_000;
const SPECIAL_DAYS = [
  {
    what: "Thanksgiving and the half day after it",
    from: Date.UTC(2025, 10, 26),
    until: Date.UTC(2025, 11, 2),
  },
  { what: "the day of a split", from: Date.UTC(2025, 10, 7), until: Date.UTC(2025, 10, 12) },
  { what: "the end of summer time", from: Date.UTC(2025, 9, 31), until: Date.UTC(2025, 10, 4) },
  { what: "the start of summer time", from: Date.UTC(2025, 2, 7), until: Date.UTC(2025, 2, 11) },
  { what: "a day of mourning", from: Date.UTC(2025, 0, 8), until: Date.UTC(2025, 0, 11) },
];

/** Tests that responses equal the simulated market, either complete or failed. */
export function describeAnswers(bench: PriceProviderFixture): void {
  const { contract, world, honest, shape, lengths, served, latest, history, truth, newest, expectTruth } =
    bench;
  const { make, tolerance = 1e-9, echoless = [] } = contract;
  const { good, other } = contract.instruments;
  const now = world.now();

  if (shape.latest !== undefined)
    describe("latest", () => {
      it.each(served.map((of) => [of.symbol, of] as const))("returns the last trade of %s", async (_, of) => {
        const quote = await latest(make(honest), { of });
        const trade = world.trade(of.symbol)!;
        const truth = contract.quoted?.(world, of) ?? { price: trade.price, tradedAt: trade.at };
        expect(near(quote.price, truth.price, tolerance), `${quote.price}, in truth ${truth.price}`).toBe(
          true,
        );
        expect(iso(quote.tradedAt)).toBe(iso(truth.tradedAt));
        expect(quote.tradedAt).toBeLessThanOrEqual(now);
        if (contract.quoted === undefined) expect(wrongFields(quote, trade)).toEqual([]);
      });
    });

  /** Fields of a quote that are present but wrong. */
  const wrongFields = (quote: ProviderQuote, trade: WorldTrade): string[] => {
    const fields = ["previousClose", "open", "high", "low", "volume"] as const;
    return fields
      .filter((field) => field !== "volume" || contract.volumes !== false)
      .filter((field) => quote[field] !== null && !near(quote[field], trade[field], tolerance))
      .map((field) => `${field}: ${quote[field]}, in truth ${trade[field]}`);
  };

  /** Passes if the response is rejected as malformed or correct despite the corruption. */
  async function trueOrMalformed(
    request: Promise<ProviderBars>,
    timeframe: ProviderTimeframe,
    window: Window,
  ) {
    try {
      expectTruth(await request, timeframe, window, good);
    } catch (failure) {
      if (!(failure instanceof ProviderFailure)) throw failure;
      expect(failure.kind).toBe("malformed");
    }
  }

  describe.each(lengths)("history of %s", (timeframe) => {
    it.each(served.map((of) => [of.symbol, of] as const))(
      "returns the newest closed bars of %s",
      async (_, of) => {
        const window = newest(timeframe, 500, of);
        const given = await history(make(countingFetch(honest)), timeframe, { ...window, of });
        expectTruth(given, timeframe, window, of);
        expect(truth(timeframe, window, of).length).toBeGreaterThan(0);
        // tokens never split
        if (of.asset_class !== "crypto")
          expect(given.adjustment, "prices on both sides of a split agree with today's").not.toBe("raw");
      },
    );

    const reach = now - (shape.reaches[timeframe] ?? 0) * DAY;
    const days = SPECIAL_DAYS.filter(
      ({ from, until }) => from >= reach && (until - from) / TIMEFRAME_MS[timeframe] <= MAX_BARS,
    );
    it.each(days)("returns the correct bars over $what", async ({ from, until }) => {
      for (const of of served)
        expectTruth(
          await history(make(countingFetch(honest)), timeframe, { from, until, of }),
          timeframe,
          { from, until },
          of,
        );
    });

    it.runIf(WEEKEND.from >= reach)("returns no bars for a weekend", async () => {
      for (const of of served.filter(({ asset_class }) => asset_class !== "crypto")) {
        const given = await history(make(honest), timeframe, { ...WEEKEND, of });
        expect(given.bars.filter(({ time }) => time >= WEEKEND.from)).toEqual([]);
      }
    });

    if (other !== undefined && !echoless.includes("history"))
      it("rejects another instrument's response", async () => {
        const window = newest(timeframe, 12, good);
        const texts: string[] = [];
        await history(make(recordingFetch(honest, texts)), timeframe, { ...window, of: other });
        const { kind } = await failureOf(history(make(replayingFetch(texts)), timeframe, window));
        expect(kind).toBe("malformed");
      });

    it("fails or requests from another host if one of its calls fails, instead of returning a part", async () => {
      const window = newest(timeframe, 500, good);
      const calls = countingFetch(honest);
      await history(make(calls), timeframe, window);
      for (let call = 0; call < calls.count(); call += 1) {
        const cut = fetchFailingAt(honest, call, fetchAnswering({ status: 503, body: "" }));
        const given = await history(make(cut), timeframe, window).catch(
          (failure: ProviderFailure) => failure,
        );
        if (given instanceof ProviderFailure) expect(given.kind).toBe("down");
        else expectTruth(given, timeframe, window, good);
      }
    });

    it("ends, and returns no partial history, if every page is the same", async () => {
      const window = newest(timeframe, 500, good);
      const texts: string[] = [];
      await history(make(recordingFetch(honest, texts)), timeframe, window);
      const fetch = countingFetch(replayingFetch(texts.slice(0, 1)));
      await trueOrMalformed(history(make(fetch), timeframe, window), timeframe, window);
      expect(fetch.endless()).toBe(false);
    });

    it.each(["twice", "backwards"] as const)("returns correct bars or fails with rows %s", async (how) => {
      const order = <T>(rows: readonly T[]): T[] =>
        how === "twice" ? rows.flatMap((row) => [row, row]) : rows.toReversed();
      const window = newest(timeframe, 100, good);
      const fetch = rewritingFetch(honest, (text) => inJson(text, (value) => reordered(value, order)));
      await trueOrMalformed(history(make(countingFetch(fetch)), timeframe, window), timeframe, window);
    });
  });

  if (shape.history !== undefined)
    it("rejects unsupported timeframes without a request", async () => {
      for (const timeframe of PROVIDER_TIMEFRAMES.filter((length) => !lengths.includes(length))) {
        const calls = countingFetch(honest);
        const failure = await failureOf(history(make(calls), timeframe, { from: now - DAY }));
        expect([timeframe, failure.kind, calls.count()]).toEqual([timeframe, "unsupported", 0]);
      }
    });
}
