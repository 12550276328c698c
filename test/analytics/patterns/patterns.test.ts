import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definitionOf, PATTERNS, type PatternId } from "../../../src/analytics/patterns/definitions.ts";
import { findPatterns, readPatterns } from "../../../src/analytics/patterns/patterns.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { readDailyFolder } from "../../support/daily-bars.ts";
import { declining, ids, MIRROR, mirrored, type Row } from "../../support/pattern-cases.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

describe("patterns", () => {
  it("have a definition and a reference each, and a mirror unless neutral", () => {
    expect(new Set(PATTERNS.map(({ id }) => id)).size).toBe(PATTERNS.length);
    expect([...Object.entries(MIRROR).flat(), "narrow_inside_bar"].sort()).toEqual(
      PATTERNS.map(({ id }) => id).sort(),
    );
    for (const { id, direction, definition, source } of PATTERNS) {
      expect(definition, id).toMatch(/^A.*\.$|^(Two|Three|Not).*\.$/);
      expect(source, id).toMatch(/\(\d{4}\)/);
      const mirror = MIRROR[id];
      if (mirror !== undefined)
        expect([direction, definitionOf(mirror).direction]).toEqual(["bullish", "bearish"]);
    }
  });

  it("are void from the first close beyond their void price", () => {
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

  it("do not span a gap in the series", () => {
    const whole = syntheticBars(1, 160);
    const time = whole.time.map((at, bar) => (bar < 100 ? at : at + 200 * 86_400_000));
    const found = findPatterns({ ...whole, time });
    expect(found.filter(({ from, confirmedAt }) => from < 100 && confirmedAt >= 100)).toEqual([]);
    const after = findPatterns(sliceBars({ ...whole, time }, 100));
    expect(found.filter(({ from }) => from >= 100)).toEqual(
      after.map((one) => ({
        ...one,
        from: one.from + 100,
        confirmedAt: one.confirmedAt + 100,
        voidAt: one.voidAt === null ? null : one.voidAt + 100,
      })),
    );
    expect(findPatterns(whole).some(({ from, confirmedAt }) => from < 100 && confirmedAt >= 100)).toBe(true);
  });

  it("are returned if completed within the last bars", () => {
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

  it("do not change with later bars, except by becoming void", () => {
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

  it("swap direction when mirrored", () => {
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

  it("do not depend on price scale, volume scale or date", () => {
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

  it("are empty for too few bars, flat prices or missing volume", () => {
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

/** Prices in multiples of 1/64, so that mirroring is exact. */
function onGrid(bars: Bars): Bars {
  const round = (column: Float64Array) => column.map((price) => Math.round(price * 64) / 64);
  const { open, high, low, close } = bars;
  return { ...bars, open: round(open), high: round(high), low: round(low), close: round(close) };
}

describeWithData("patterns of real daily bars", ["ohlcv", "us_daily"], (folder) => {
  it("are the same for every prefix of the files", () => {
    for (const [symbol, bars] of [...readDailyFolder(folder)].slice(0, 8)) {
      const all = findPatterns(bars);
      for (let end = 1; end < bars.close.length; end += 97)
        expect(findPatterns(sliceBars(bars, 0, end)).length, symbol).toBe(
          all.filter(({ confirmedAt }) => confirmedAt < end).length,
        );
    }
  });
});
