import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convictionOf } from "../../../src/analytics/conviction/conviction.ts";
import { type Consensus, consensus, MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { pricePlaces } from "../../../src/lib/price-places.ts";
import { inputFor, scaled } from "../../support/consensus-input.ts";
import { readDailyFolder } from "../../support/daily-bars.ts";
import { draws } from "../../support/draws.ts";
import { printsWithin } from "../../support/prints.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

const MARKETS = Array.from({ length: 30 }, (_, i) => i + 1);

/** The decision of the model without wording; digits beyond the tenth may differ between machines. */
const figures = ({
  drivers,
  s,
  coverage,
  grade,
  direction,
  tier,
  agreement,
  levels,
  levels_basis,
  ics,
}: Consensus) =>
  JSON.stringify(
    {
      drivers: drivers.map(({ value }) => value),
      s,
      coverage,
      grade,
      direction,
      tier,
      // the name in the published hash
      confidence: agreement,
      levels,
      levels_basis,
      ics: { score: ics.score, conviction: ics.conviction, source: ics.source, tests: ics.tests },
    },
    (_, value) => (typeof value === "number" ? Number(value.toPrecision(10)) : value),
  );

function expectOrder({ levels, direction, levels_basis }: Consensus) {
  if (levels === null) return expect(levels_basis).toBeNull();
  const { side, stop, entry, targets } = levels;
  const path = [stop, entry.low, entry.high, ...targets];
  const mirrored = [...targets.toReversed(), entry.low, entry.high, stop];
  for (const [i, level] of (side === "LONG" ? path : mirrored).entries())
    if (i > 0) expect(level).toBeGreaterThan((side === "LONG" ? path : mirrored)[i - 1]!);
  expect(levels_basis).toBe(direction === "WAIT" ? "watch" : "signal");
  if (direction !== "WAIT") expect(side).toBe(direction);
}

/** The bars with everything after `at` garbled. Columns have full length, so that views can share them. */
const garbledAfter = (bars: Bars, at: number): Bars => {
  const garble = (column: Float64Array) => column.map((value, i) => (i > at ? value * (3 + (i % 5)) : value));
  const { high, low, open, close, volume } = bars;
  const [h, l, o, c, v] = [high, low, open, close, volume].map(garble);
  return { ...bars, high: h!, low: l!, open: o!, close: c!, volume: v! };
};

describe("consensus", () => {
  it("scores a stock from prices alone, without optional data", () => {
    const result = consensus(inputFor(syntheticBars(1, 500)));
    expect(result.coverage).toBe(0.8);
    expect(result.score).toBeCloseTo(50 + 50 * result.s!, 12);
    expect(result).toMatchObject({
      model_version: MODEL_VERSION,
      bars: 500,
    });
    expect(result.ics).toMatchObject({ conviction: "INSUFFICIENT", source: "none" });
  });

  it("distinguishes a fund without peers from a stock without peers only by the reason", () => {
    const bars = syntheticBars(1, 500);
    const sector = (assetClass: "equity" | "etf" | "crypto") =>
      consensus(inputFor(bars, { assetClass, peers: [] })).drivers.find(({ id }) => id === "r_sector")!
        .reason;
    expect([sector("equity"), sector("etf"), sector("crypto")]).toEqual([
      "Needs 2 peers with 64 bars up to the decision bar, adjusted for splits; has 0",
      "Sectors apply to stocks only",
      "Sectors apply to stocks only",
    ]);
  });

  it("scores a benchmark without relative strength, with a coverage of .65", () => {
    const alone = { benchmark: null, isBenchmark: true, peers: [], universe: null };
    const { coverage, score, component_scores } = consensus(inputFor(syntheticBars(1, 500), alone));
    expect(coverage).toBe(0.65);
    expect(score).not.toBeNull();
    expect(component_scores.relative_strength).toBeNull();
  });

  it("returns component scores on the scale of the score", () => {
    const { component_scores, groups } = consensus(inputFor(syntheticBars(2, 500)));
    expect(Object.keys(component_scores)).toEqual([
      "trend",
      "momentum",
      "volume",
      "relative_strength",
      "volatility",
    ]);
    expect(component_scores.trend).toBe(50 + 50 * groups[0]!.value!);
  });

  it("has watch levels but no score below 252 bars, and no levels below 15", () => {
    expect(consensus(inputFor(syntheticBars(3, 251)))).toMatchObject({
      score: null,
      grade: null,
      direction: "WAIT",
      agreement: 0,
      levels_basis: "watch",
      levels: { side: "LONG" },
    });
    expect(consensus(inputFor(syntheticBars(3, 14)))).toMatchObject({
      levels: null,
      levels_reason: "Too few bars for an average true range: 15 are needed",
      levels_basis: null,
    });
  });

  it("is exactly neutral and has no levels in a flat market", () => {
    const alone = { benchmark: null, peers: [], universe: null };
    expect(consensus(inputFor(barsAround(new Array(500).fill(12.34)), alone))).toMatchObject({
      s: 0,
      score: 50,
      grade: "C",
      direction: "WAIT",
      coverage: 0.65,
      agreement: 0,
      levels: null,
      levels_reason: "The average true range is 0",
      ics: { score: null, volume_proxy: 50 },
    });
  });

  it("throws for no bars", () => {
    expect(() => consensus(inputFor(syntheticBars(1, 0)))).toThrow(RangeError);
  });

  it("produces every direction and target basis on some market, with levels in order on all", () => {
    const results = MARKETS.flatMap((seed) =>
      [300, 400, 500].map((end) => consensus(inputFor(sliceBars(syntheticBars(seed, 500), 0, end)))),
    );
    expect(new Set(results.map(({ direction }) => direction))).toEqual(new Set(["LONG", "SHORT", "WAIT"]));
    expect(new Set(results.map(({ levels }) => levels!.target_basis))).toEqual(new Set(["pivot", "reach"]));
    results.forEach(expectOrder);
  });

  it("changes with dated facts by at most their weight", () => {
    const bars = syntheticBars(1, 500);
    const withExtra = consensus(inputFor(bars, { facts: { n_sent: { value: 0.5, time: 0, inputs: {} } } }));
    expect(withExtra.sum! - consensus(inputFor(bars)).sum!).toBeCloseTo(0.04 * 0.5, 12);
    expect(withExtra.coverage).toBe(0.84);
  });

  it("reads only conviction from prints, if given", () => {
    const bars = syntheticBars(1, 500);
    const prints = printsWithin(bars, 1, 100);
    const { ics, ...withExtra } = consensus(inputFor(bars, { prints, printsSource: "tape" }));
    const { ics: proxy, ...without } = consensus(inputFor(bars));
    expect(withExtra).toEqual(without);
    expect(ics).toEqual(convictionOf({ bars, prints, drivers: withExtra.drivers, source: "tape" }));
    expect([ics.source, proxy.source]).toEqual(["tape", "none"]);
    expect(consensus(inputFor(bars, { prints: null })).ics).toEqual(proxy);
  });

  it("does not depend on data after the decision bar: own, benchmark's or peers'", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 15, max: 560 }), (seed, at) => {
        const bars = syntheticBars(seed, 600);
        const input = inputFor(bars);
        const now = {
          ...inputFor(sliceBars(bars, 0, at + 1)),
          benchmark: input.benchmark,
          peers: input.peers,
        };
        const known = {
          ...inputFor(sliceBars(bars, 0, at + 1)),
          benchmark: sliceBars(input.benchmark!, 0, at + 1),
          peers: input.peers.map((peer) => sliceBars(peer, 0, at + 1)),
        };
        const garbled = {
          ...now,
          bars: sliceBars(garbledAfter(bars, at), 0, at + 1),
          benchmark: garbledAfter(input.benchmark!, at),
          peers: input.peers.map((peer) => garbledAfter(peer, at)),
        };
        expect(consensus(known)).toEqual(consensus(now));
        expect(consensus(garbled)).toEqual(consensus(now));
      }),
      { numRuns: draws(80) },
    );
  });

  it("does not depend on the price unit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.double({ min: 0.001, max: 1000, noNaN: true }),
        (seed, k) => {
          const bars = syntheticBars(seed, 420);
          const [one, other] = [consensus(inputFor(bars)), consensus(inputFor(scaled(bars, k)))];
          for (const [i, { id, value }] of one.drivers.entries())
            expect(Math.abs((other.drivers[i]!.value ?? 9) - (value ?? 9)), id).toBeLessThan(1e-9);
          expect(other.s).toBeCloseTo(one.s!, 9);
          expect(other.grade).toBe(one.grade);
          const tickOf = (price: number) => 10 ** -pricePlaces(price, "equity");
          const [stop, same] = [one.levels!.stop, other.levels!.stop];
          expect(Math.abs(same / k - stop)).toBeLessThan(1.001 * (tickOf(stop) + tickOf(same) / k));
        },
      ),
      { numRuns: draws(80) },
    );
  });

  it("matches the stored hash of its version: a change needs a new version and hash", () => {
    const hash = createHash("sha256");
    for (const seed of MARKETS)
      for (const assetClass of ["equity", "crypto"] as const) {
        const bars = syntheticBars(seed, 500, assetClass === "crypto" ? "UTC" : "America/New_York");
        for (const end of [140, 320, 500])
          hash.update(figures(consensus(inputFor(sliceBars(bars, 0, end), { assetClass }))));
      }
    expect({ version: MODEL_VERSION, hash: hash.digest("hex").slice(0, 16) }).toEqual({
      version: "consensus-1.2.0",
      hash: "31bcb637f4e9b67e",
    });
  });
});

describeWithData("consensus on real daily bars", ["ohlcv", "us_daily"], (folder) => {
  const markets = readDailyFolder(folder);

  it("limits drivers to [-1, 1] and orders levels correctly, in every market and at any bar", () => {
    for (const bars of markets.values())
      for (let end = bars.time.length; end > 15; end -= 173) {
        const result = consensus(
          inputFor(sliceBars(bars, Math.max(0, end - 500), end), { benchmark: markets.get("SPY")! }),
        );
        for (const { id, value } of result.drivers)
          if (value !== null && !(Math.abs(value) <= 1)) expect.fail(`${id} is ${value}`);
        expectOrder(result);
      }
  });

  it("is the same from 500 bars and from the entire history", () => {
    for (const symbol of ["AAPL", "KO", "TSLA"]) {
      const bars = markets.get(symbol)!;
      const whole = consensus(inputFor(bars, { benchmark: markets.get("SPY")! }));
      const last = consensus(
        inputFor(sliceBars(bars, bars.time.length - 500), { benchmark: markets.get("SPY")! }),
      );
      expect([last.grade, last.direction]).toEqual([whole.grade, whole.direction]);
    }
  });
});
