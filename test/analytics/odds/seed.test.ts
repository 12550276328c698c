import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { simulatePaths } from "../../../src/analytics/odds/paths.ts";
import { rangeModel } from "../../../src/analytics/odds/range-model.ts";
import { oddsSeed } from "../../../src/analytics/odds/seed.ts";
import { BAR_TIMEFRAMES } from "../../../src/domain/market/bars.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const DAY = 86_400_000;

/** FNV-1a, 32 bits, in whole numbers of any size. */
const fnv1a = (text: string): number => {
  let hash = 2_166_136_261n;
  for (const byte of Buffer.from(text, "utf8")) hash = ((hash ^ BigInt(byte)) * 16_777_619n) % 2n ** 32n;
  return Number(hash);
};

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** 702 symbols of one and two letters, and 26 pairs. */
const SYMBOLS = [
  ...LETTERS,
  ...[...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second)),
  ...[...LETTERS].map((letter) => `${letter}BC-USD`),
];

const correlation = (a: Float64Array, b: Float64Array): number => {
  const centred = (values: Float64Array) => {
    const middle = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - middle);
  };
  const [x, y] = [centred(a), centred(b)];
  const dot = (p: Float64Array, q: Float64Array) => p.reduce((sum, value, i) => sum + value * q[i]!, 0);
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
};

describe("the seed of paths", () => {
  it("is the FNV-1a hash of symbol, timeframe and bar", () => {
    // isthe.com/chongo/src/fnv/test_fnv.c
    expect([fnv1a(""), fnv1a("a"), fnv1a("foobar")]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
    for (const symbol of ["AAPL", "BRK.B", "BTC-USD"])
      for (const timeframe of BAR_TIMEFRAMES)
        expect(oddsSeed(symbol, timeframe, 1_700_006_400_000)).toBe(
          fnv1a(`${symbol}|${timeframe}|1700006400000`),
        );
  });

  it("is never the same for two of thousands of symbols and bars", () => {
    const seeds = new Set<number>();
    for (const symbol of SYMBOLS)
      for (let bar = 0; bar < 8; bar++) seeds.add(oddsSeed(symbol, "1d", 1_700_006_400_000 + bar * DAY));
    expect(seeds.size).toBe(8 * SYMBOLS.length);
    for (const seed of seeds) expect(seed >>> 0).toBe(seed);
  });

  it("gives uncorrelated paths to other symbols, bars and timeframes", () => {
    const model = rangeModel(syntheticBars(3, 400));
    const closes = (
      [
        ["AAPL", "1d", 0],
        ["AAPM", "1d", 0],
        ["MSFT", "1d", 0],
        ["AAPL", "1d", 1],
        ["AAPL", "1h", 0],
      ] as const
    ).map(([symbol, timeframe, bar]) => {
      const random = seededRandom(oddsSeed(symbol, timeframe, 1_700_006_400_000 + bar * DAY));
      return simulatePaths(model, { paths: 2_000, drift: 0, random, horizons: [10] }).ends[0]!.close;
    });
    // four standard deviations of a correlation of 2,000 pairs
    for (const [i, first] of closes.entries())
      for (const second of closes.slice(i + 1))
        expect(Math.abs(correlation(first, second))).toBeLessThan(4 / Math.sqrt(2_000));
    expect(correlation(closes[0]!, closes[0]!)).toBeCloseTo(1, 12);
  });
});
