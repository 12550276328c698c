import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definitionOf, PATTERNS, type PatternId } from "../../../src/analytics/patterns/definitions.ts";
import { findPatterns, readPatterns } from "../../../src/analytics/patterns/patterns.ts";
import { type Bars, sliceBars } from "../../../src/domain/bars.ts";
import { readDailyFolder } from "../../support/daily-bars.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

type Row = readonly [open: number, high: number, low: number, close: number];

/** Daily bars of the given rows. */
const barsOf = (rows: readonly Row[]): Bars => ({
  ...barsAround(
    rows.map((row) => row[3]),
    { high: rows.map((row) => row[1]), low: rows.map((row) => row[2]) },
  ),
  open: Float64Array.from(rows, (row) => row[0]),
});

/** Closes half a dollar inside their bars, each opening at the close before: the average true range is exactly 1. */
const rowsThrough = (closes: readonly number[]): Row[] =>
  closes.map((close, i) => [closes[i - 1] ?? close, close + 0.5, close - 0.5, close]);

/** 40 closes a quarter apart, the last of them 110. */
const DECLINE = rowsThrough(Array.from({ length: 40 }, (_, i) => 110 + 0.25 * (39 - i)));
const declining = (...rows: readonly Row[]) => barsOf([...DECLINE, ...rows]);

/** Straight legs of half a dollar a bar through the given closes. */
function legs(...turns: readonly number[]): Bars {
  const closes = [turns[0]!];
  for (const turn of turns.slice(1))
    while (closes.at(-1) !== turn) closes.push(closes.at(-1)! + 0.5 * Math.sign(turn - closes.at(-1)!));
  return barsOf(rowsThrough(closes));
}

/** 40 bars around 100, a rise of 9 in 6 bars, a fall to `bottom` in 6 bars, and a bar that closes at `last`. */
function flag(bottom: number, last: number): Bars {
  const closes: number[] = [
    ...Array<number>(40).fill(100),
    ...[101.5, 103, 104.5, 106, 107.5, 109],
    ...Array.from({ length: 6 }, (_, i) => 109 + ((bottom - 109) * (i + 1)) / 6),
  ];
  return barsOf([...rowsThrough(closes), [bottom, last + 0.125, bottom - 0.125, last]]);
}

/** The same bars upside down. */
const mirrored = (bars: Bars, around = 1024): Bars => ({
  ...bars,
  open: bars.open.map((price) => around - price),
  high: bars.low.map((price) => around - price),
  low: bars.high.map((price) => around - price),
  close: bars.close.map((price) => around - price),
});
const ids = (bars: Bars): PatternId[] => findPatterns(bars).map(({ id }) => id);

const MIRROR: Readonly<Partial<Record<PatternId, PatternId>>> = {
  hammer: "shooting_star",
  bullish_engulfing: "bearish_engulfing",
  piercing_line: "dark_cloud_cover",
  morning_star: "evening_star",
  three_white_soldiers: "three_black_crows",
  channel_breakout: "channel_breakdown",
  bull_flag: "bear_flag",
  double_bottom: "double_top",
  inverse_head_and_shoulders: "head_and_shoulders",
  ascending_triangle: "descending_triangle",
};

interface Case {
  readonly id: PatternId;
  readonly has: Bars;
  /** From, confirmed at, level, void price. */
  readonly found: readonly [number, number, number | null, number | null];
  readonly misses: Readonly<Record<string, Bars>>;
}
const CASES: readonly Case[] = [
  {
    id: "hammer",
    has: declining([110, 110, 109, 109.75]),
    found: [40, 40, null, 109],
    misses: {
      "a lower shadow under twice the body": declining([110, 110, 109, 109.625]),
      "an upper shadow of an eighth": declining([110, 110.125, 109, 109.75]),
      "a bar of half the usual range": declining([110, 110, 109.5, 109.875]),
      "no body": declining([110, 110, 109, 110]),
      "no decline before": barsOf([...rowsThrough(Array<number>(40).fill(110)), [110, 110, 109, 109.75]]),
    },
  },
  {
    id: "bullish_engulfing",
    has: declining([110, 110.25, 109.25, 109.5], [109.5, 110.25, 109.25, 110.125]),
    found: [40, 41, null, 109.25],
    misses: {
      "an open above the close before": declining(
        [110, 110.25, 109.25, 109.5],
        [109.625, 110.5, 109.25, 110.25],
      ),
      "a close at the open before": declining([110, 110.25, 109.25, 109.375], [109.375, 110.25, 109.25, 110]),
      "a body of half the usual range": declining(
        [109.75, 110, 109.25, 109.5],
        [109.375, 110, 109.25, 109.875],
      ),
    },
  },
  {
    id: "piercing_line",
    has: declining([110, 110.125, 109, 109.125], [109, 109.875, 108.875, 109.75]),
    found: [40, 41, null, 108.875],
    misses: {
      "a close under the middle": declining([110, 110.125, 109, 109.125], [109, 109.875, 108.875, 109.5]),
      "a close over the open before": declining(
        [110, 110.125, 109, 109.125],
        [109, 110.25, 108.875, 110.125],
      ),
      "an open at the close before": declining(
        [110, 110.125, 109, 109.125],
        [109.125, 109.875, 108.875, 109.75],
      ),
    },
  },
  {
    id: "morning_star",
    has: declining([110, 110.125, 109, 109.125], [109, 109.25, 108.5, 108.875], [109, 110, 108.875, 109.75]),
    found: [40, 42, null, 108.5],
    misses: {
      "a star above the first close": declining(
        [110, 110.125, 109, 109.125],
        [109.25, 109.375, 108.5, 109.125],
        [109, 110, 108.875, 109.75],
      ),
      "a star with a long body": declining(
        [110, 110.125, 109, 109.125],
        [109, 109.25, 108.5, 108.625],
        [109, 110, 108.875, 109.75],
      ),
      "a last close under the middle": declining(
        [110, 110.125, 109, 109.125],
        [109, 109.25, 108.5, 108.875],
        [109, 110, 108.875, 109.5],
      ),
    },
  },
  {
    id: "three_white_soldiers",
    has: declining(
      [110, 110.75, 109.875, 110.625],
      [110.5, 111.25, 110.375, 111.125],
      [111, 111.875, 110.875, 111.75],
    ),
    found: [40, 42, null, 109.875],
    misses: {
      "an open over the close before": declining(
        [110, 110.75, 109.875, 110.625],
        [110.5, 111.25, 110.375, 111.125],
        [111.25, 112, 110.875, 111.875],
      ),
      "an upper shadow": declining(
        [110, 110.75, 109.875, 110.625],
        [110.5, 112, 110.375, 111.125],
        [111, 111.875, 110.875, 111.75],
      ),
      "a short body": declining(
        [110.25, 110.75, 109.875, 110.625],
        [110.5, 111.25, 110.375, 111.125],
        [111, 111.875, 110.875, 111.75],
      ),
    },
  },
  {
    id: "narrow_inside_bar",
    has: declining([110, 110.25, 109.75, 110]),
    found: [39, 40, null, null],
    misses: {
      "the same high": declining([110, 110.5, 109.75, 110]),
      "a narrower bar two before": declining(
        [109.5, 109.75, 109.375, 109.5],
        [109.5, 111, 109, 110],
        [110, 110.25, 109.75, 110],
      ),
    },
  },
  {
    id: "channel_breakout",
    has: declining([110, 115.5, 109.5, 115.375]),
    found: [20, 40, 115.25, 109.5],
    misses: { "a close at the high of 20 bars": declining([110, 115.5, 109.5, 115.25]) },
  },
  {
    id: "bull_flag",
    has: flag(106, 110.125),
    // the pole's foot is the first of the equal lows of the 10 bars before its top
    found: [35, 52, 109.5, 105.5],
    misses: {
      "a close at the top": flag(106, 109.5),
      "more than half given back": flag(104, 110.125),
    },
  },
  {
    id: "double_bottom",
    has: legs(120, 110, 115, 110.5, 117),
    found: [20, 50, 115.5, 109.5],
    misses: {
      "lows a dollar apart": legs(120, 110, 115, 111, 117),
      "no close over the high between": legs(120, 110, 115, 110.5, 115.5),
      "a close under both lows": legs(120, 110, 115, 109, 117),
      "lows nine bars apart": legs(120, 110, 112.5, 110.5, 117),
    },
  },
  {
    id: "inverse_head_and_shoulders",
    has: legs(120, 112, 116, 110, 116.5, 112.5, 120),
    // highs of 116.5 at bar 24 and 117 at bar 49: the line is at 117.34 on bar 66, which closes at 117, then at 117.36
    found: [16, 67, 116.5 + (0.5 * (67 - 24)) / 25, 112],
    misses: {
      "a head half a dollar below": legs(120, 112, 116, 111.5, 116.5, 112.5, 120),
      "shoulders two dollars apart": legs(120, 112, 116, 110, 116.5, 114, 120),
      "a neckline two dollars apart": legs(120, 112, 116, 110, 118, 112.5, 121),
      "no close over the neckline": legs(120, 112, 116, 110, 116.5, 112.5, 117),
    },
  },
  {
    id: "ascending_triangle",
    has: legs(105, 115, 110, 115, 112, 117),
    found: [20, 54, 115.5, 111.5],
    misses: {
      "lows half a dollar apart": legs(105, 115, 110, 115, 110.5, 117),
      "highs a dollar apart": legs(105, 115, 110, 116, 112, 118),
      "no close over the highs": legs(105, 115, 110, 115, 112, 115.5),
    },
  },
];

describe.each(CASES)("the pattern $id", ({ id, has, found, misses }) => {
  const [from, confirmedAt, level, voidPrice] = found;

  it("is found where it is, and upside down as its mirror", () => {
    expect(findPatterns(has).filter((one) => one.id === id)).toEqual([
      { id, from, confirmedAt, level, voidPrice, voidAt: null },
    ]);
    const upside = (price: number | null) => (price === null ? null : 1024 - price);
    expect(findPatterns(mirrored(has)).filter((one) => one.id === (MIRROR[id] ?? id))).toEqual([
      {
        id: MIRROR[id] ?? id,
        from,
        confirmedAt,
        level: upside(level),
        voidPrice: upside(voidPrice),
        voidAt: null,
      },
    ]);
  });

  it("is not known a bar earlier", () => {
    expect(ids(sliceBars(has, 0, confirmedAt))).not.toContain(id);
  });

  it.each(Object.entries(misses))("is not seen with %s", (_, bars) => {
    expect(ids(bars)).not.toContain(id);
    expect(ids(mirrored(bars))).not.toContain(MIRROR[id] ?? id);
  });
});

describe("patterns", () => {
  it("have a definition and a source each, and a case here", () => {
    expect(new Set(PATTERNS.map(({ id }) => id)).size).toBe(PATTERNS.length);
    expect(CASES.flatMap(({ id }) => [id, MIRROR[id] ?? id]).sort()).toEqual(
      [...PATTERNS.map(({ id }) => id), "narrow_inside_bar"].sort(),
    );
    for (const { id, direction, definition, source } of PATTERNS) {
      expect(definition, id).toMatch(/^A.*\.$|^(Two|Three|Not).*\.$/);
      expect(source, id).toMatch(/\(\d{4}\)/);
      const mirror = MIRROR[id];
      if (mirror !== undefined)
        expect([direction, definitionOf(mirror).direction]).toEqual(["bullish", "bearish"]);
    }
  });

  it("are void from the first close beyond their price", () => {
    const hammer = [110, 110, 109, 109.75] as const;
    const seen = (...rows: readonly Row[]) =>
      findPatterns(declining(hammer, ...rows)).find(({ id }) => id === "hammer");
    expect(seen([109.75, 110, 108.5, 109])).toMatchObject({ voidPrice: 109, voidAt: null });
    expect(seen([109.75, 110, 108.5, 109], [109, 109, 108, 108.875])).toMatchObject({ voidAt: 42 });
  });

  it("break out once: a second close above within 20 bars is the same breakout", () => {
    const bars = declining([110, 115.5, 109.5, 115.375], [115.375, 117, 115, 116.75]);
    expect(ids(bars).filter((id) => id === "channel_breakout")).toHaveLength(1);
  });

  it("are read where they were complete within the last bars", () => {
    const quiet = Array.from({ length: 4 }, (): Row => [109.75, 110.25, 109.25, 109.75]);
    const bars = declining([110, 110, 109, 109.75], ...quiet);
    expect(readPatterns(bars).map(({ id }) => id)).toEqual(["hammer"]);
    expect(readPatterns(bars, 4)).toEqual([]);
    const long = syntheticBars(7, 300);
    for (const last of [1, 5, 33, 290])
      expect(readPatterns(long, last)).toEqual(
        findPatterns(long).filter(({ confirmedAt }) => confirmedAt >= 300 - last),
      );
  });

  const series = fc.record({
    seed: fc.integer({ min: 1, max: 1e9 }),
    count: fc.integer({ min: 60, max: 300 }),
  });

  it("never change with later bars, but by being denied", () => {
    fc.assert(
      fc.property(series, fc.double({ min: 0, max: 1, noNaN: true }), ({ seed, count }, share) => {
        const bars = syntheticBars(seed, count);
        const end = Math.floor(share * count);
        const before = findPatterns(bars)
          .filter(({ confirmedAt }) => confirmedAt < end)
          .map((one) => ({ ...one, voidAt: one.voidAt !== null && one.voidAt < end ? one.voidAt : null }));
        expect(findPatterns(sliceBars(bars, 0, end))).toEqual(before);
      }),
    );
  });

  it("swap sides upside down", () => {
    const other = (id: PatternId) =>
      MIRROR[id] ?? (Object.keys(MIRROR) as PatternId[]).find((key) => MIRROR[key] === id) ?? id;
    const key = ({ id, from, confirmedAt, voidAt }: ReturnType<typeof findPatterns>[number]) =>
      `${id} ${from} ${confirmedAt} ${voidAt}`;
    fc.assert(
      fc.property(series, ({ seed, count }) => {
        const bars = onGrid(syntheticBars(seed, count));
        const there = findPatterns(mirrored(bars, 4096)).map((one) => key({ ...one, id: other(one.id) }));
        expect(there.sort()).toEqual(findPatterns(bars).map(key).sort());
      }),
    );
  });

  it("know no scale of price or volume and no date", () => {
    fc.assert(
      fc.property(
        series,
        fc.integer({ min: -6, max: 12 }),
        fc.integer({ min: -1e4, max: 1e4 }),
        ({ seed, count }, power, days) => {
          const bars = syntheticBars(seed, count);
          const scale = 2 ** power;
          const scaled = findPatterns({
            ...bars,
            time: bars.time.map((time) => time + days * 86_400_000),
            open: bars.open.map((price) => price * scale),
            high: bars.high.map((price) => price * scale),
            low: bars.low.map((price) => price * scale),
            close: bars.close.map((price) => price * scale),
            volume: bars.volume.map((volume) => volume * 1000),
          });
          const times = (price: number | null) => (price === null ? null : price * scale);
          expect(scaled).toEqual(
            findPatterns(bars).map((one) => ({
              ...one,
              level: times(one.level),
              voidPrice: times(one.voidPrice),
            })),
          );
        },
      ),
    );
  });

  it("are none where there is nothing to see", () => {
    const some = syntheticBars(7, 300);
    expect(ids(some).length).toBeGreaterThan(20);
    expect(ids(sliceBars(some, 0, 0))).toEqual([]);
    expect(ids(sliceBars(some, 0, 1))).toEqual([]);
    expect(ids(barsAround(Array<number>(300).fill(100)))).toEqual([]);
    expect(ids({ ...some, volume: some.volume.map(() => 0) })).toEqual([]);
    for (const column of ["open", "high", "low", "close", "volume"] as const)
      expect(ids({ ...some, [column]: some[column].map(() => Number.NaN) }), column).toEqual([]);
    const holed = { ...some, close: some.close.map((close, i) => (i === 150 ? Number.NaN : close)) };
    const later = findPatterns(holed).filter(({ confirmedAt }) => confirmedAt >= 150);
    expect(later).toEqual([]);
  });
});

/** Prices in sixty-fourths, so that mirroring them is exact. */
function onGrid(bars: Bars): Bars {
  const round = (column: Float64Array) => column.map((price) => Math.round(price * 64) / 64);
  const { open, high, low, close } = bars;
  return { ...bars, open: round(open), high: round(high), low: round(low), close: round(close) };
}

describeWithData("patterns of real daily bars", ["ohlcv", "us_daily"], (folder) => {
  it("are the same at every cut of the files", () => {
    for (const [symbol, bars] of [...readDailyFolder(folder)].slice(0, 8)) {
      const all = findPatterns(bars);
      for (let end = 1; end < bars.close.length; end += 97)
        expect(findPatterns(sliceBars(bars, 0, end)).length, symbol).toBe(
          all.filter(({ confirmedAt }) => confirmedAt < end).length,
        );
    }
  });
});
