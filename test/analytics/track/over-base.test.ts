import { describe, expect, it } from "vitest";
import { overBaseFold } from "../../../src/analytics/track/over-base.ts";
import { recordFold } from "../../../src/analytics/track/record.ts";
import type { ScoredSignal } from "../../../src/domain/track-record/track.ts";

const DAY = 86_400_000;
const quarter = (index: number) => Date.UTC(2020, 3 * index, 10);
const scored = (over: Partial<ScoredSignal> = {}): ScoredSignal => ({
  at: 0,
  known: 20 * DAY,
  symbol: "AAPL",
  asset_class: "equity",
  direction: "LONG",
  grade: "A",
  horizon: 20,
  change: 0.01,
  r: null,
  base: { long: 0, short: 0 },
  ...over,
});
const compare = (signals: readonly ScoredSignal[], direction = "LONG") => {
  const fold = overBaseFold();
  for (const signal of signals) fold.add(signal);
  return fold.compare((group) => group.direction === direction);
};
const wait = { direction: "WAIT", grade: "C" } as const;

describe("the results of trades over their base", () => {
  it("compare each trade with all closes of its own symbol, in its direction", () => {
    const signals = [
      // AAPL: the same plan made (.2 + .4 + .6) / 3 = .4 long; MSFT: (-.1 + .1 + .3) / 3 = .1
      scored({ r: 1, base: { long: 0.2, short: -0.2 } }),
      scored({ ...wait, at: DAY, base: { long: 0.4, short: -0.4 } }),
      scored({ ...wait, at: 2 * DAY, base: { long: 0.6, short: -0.6 } }),
      scored({ symbol: "MSFT", r: 0.5, base: { long: -0.1, short: 0.1 } }),
      scored({ symbol: "MSFT", at: DAY, r: -1, base: { long: 0.1, short: -0.1 } }),
      scored({ symbol: "MSFT", at: 2 * DAY, direction: "SHORT", r: 2, base: { long: 0.3, short: -0.3 } }),
    ];
    // LONG: (1 + .5 - 1) / 3 less (.4 + .1 + .1) / 3; SHORT: 2 less -.1
    const long = compare(signals);
    expect(long).toMatchObject({ n: 3, interval: null });
    expect(long.mean_r).toBeCloseTo(0.5 / 3, 12);
    expect(long.base_r).toBeCloseTo(0.2, 12);
    expect(long.over_base).toBeCloseTo(-0.1 / 3, 12);
    const short = compare(signals, "SHORT");
    expect([short.n, short.mean_r]).toEqual([1, 2]);
    expect(short.base_r).toBeCloseTo(-0.1, 12);
    expect(short.over_base).toBeCloseTo(2.1, 12);
  });

  it("do not mix a stock and a coin of the same symbol", () => {
    const signals = [scored({ r: 1 }), scored({ asset_class: "crypto", base: { long: 9, short: 9 } })];
    expect(compare(signals)).toMatchObject({ n: 1, base_r: 0, over_base: 1 });
  });

  it("are null with a reason without a base, and count no trade that has none", () => {
    const { base: _, ...without } = scored({ r: 1 });
    const signals = [without, scored({ symbol: "MSFT", r: 3, base: { long: null, short: null } })];
    const none = { n: 0, mean_r: null, base_r: null, over_base: null, interval: null };
    expect(compare(signals)).toEqual({
      ...none,
      reason: expect.stringContaining("when history is replayed again"),
    });
    expect(compare([...signals, scored({ r: 0.5 })])).toMatchObject({ n: 1, mean_r: 0.5 });
  });

  it("have an interval from 8 calendar quarters on, clustered by them", () => {
    // one trade a quarter with R 1 or 0 in turn, over a base of 0
    const turns = (count: number) =>
      Array.from({ length: count }, (_, i) => scored({ at: quarter(i), r: i % 2 }));
    expect(compare(turns(7))).toMatchObject({ interval: null, reason: expect.stringContaining("8") });
    const { over_base, interval, reason } = compare(turns(8));
    expect([over_base, reason]).toEqual([0.5, null]);
    // errors of +-.5 in 8 quarters: sqrt(8 x .25 x 8 / 7) / 8 = .18898; t of 7 degrees of freedom 2.365, here 2.356
    expect(interval!.low).toBeCloseTo(0.5 - 0.4453, 3);
    expect(interval!.high).toBeCloseTo(0.5 + 0.4453, 3);
  });

  it("are refused out of order", () => {
    expect(() => compare([scored({ at: quarter(1) }), scored({ at: quarter(0) })])).toThrow(RangeError);
  });

  it("have a wider interval if all symbols of a quarter err together", () => {
    const repeated = (names: readonly string[]) =>
      compare(
        Array.from({ length: 8 }, (_, i) =>
          names.map((symbol) => scored({ symbol, at: quarter(i), r: i % 2 })),
        ).flat(),
      ).interval!;
    // four symbols that agree know no more than one
    expect(repeated(["A", "B", "C", "D"]).low).toBeCloseTo(repeated(["A"]).low, 12);
  });

  it("include the error of the base in the interval", () => {
    // trades and base rise and fall together: the difference is certain
    const together = Array.from({ length: 8 }, (_, i) =>
      scored({ at: quarter(i), r: i % 2, base: { long: i % 2, short: 0 } }),
    );
    const { over_base, interval } = compare(together);
    expect(over_base).toBeCloseTo(0, 12);
    expect(interval!.high - interval!.low).toBeCloseTo(0, 12);
  });
});

describe("the rows of a record over its base", () => {
  it("are by asset class and direction, of each grade and of all", () => {
    const fold = recordFold();
    fold.add([
      scored({ r: 1 }),
      scored({ grade: "B", r: 0 }),
      scored({ grade: "F", direction: "SHORT", r: 0.25 }),
      scored({ asset_class: "crypto", symbol: "BTC-USD", grade: "B", r: 2 }),
      scored({ ...wait }),
      // other horizons have no result in R
      scored({ horizon: 5, r: null }),
    ]);
    const rows = [...fold.overBase()].map(({ asset_class, direction, grade, n, over_base }) => [
      ...[asset_class, direction, grade, n, over_base],
    ]);
    expect(rows).toEqual([
      ["crypto", "LONG", "B", 1, 2],
      ["crypto", "LONG", null, 1, 2],
      ["equity", "LONG", "A", 1, 1],
      ["equity", "LONG", "B", 1, 0],
      ["equity", "LONG", null, 2, 0.5],
      ["equity", "SHORT", "F", 1, 0.25],
      ["equity", "SHORT", null, 1, 0.25],
      [null, "LONG", "A", 1, 1],
      [null, "LONG", "B", 2, 1],
      [null, "LONG", null, 3, 1],
      [null, "SHORT", "F", 1, 0.25],
      [null, "SHORT", null, 1, 0.25],
    ]);
  });
});
