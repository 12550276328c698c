import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { looksSplit } from "../../../src/market/prices/split-check.ts";
import { describeWithData } from "../../support/test-data.ts";

const DAY = 86_400_000;
/** Daily bars from opens and closes; the other values do not matter. */
const bars = (...days: readonly (readonly [number | null, number | null])[]) =>
  days.map(([open, close], index) => ({
    time: index * DAY,
    open,
    high: null,
    low: null,
    close,
    volume: null,
  }));

/** Daily bars of a file with dates, opens and closes in its first, second and fifth columns. */
const barsIn = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [date = "", open, , , close] = line.split(",");
      return {
        time: Date.parse(date),
        open: Number(open),
        high: null,
        low: null,
        close: Number(close),
        volume: null,
      };
    });

describeWithData("raw prices as they were", ["ohlcv", "us_daily_raw_factors"], (folder) => {
  it("show Apple's splits of 2014 and 2020, and no others", () => {
    const apple = barsIn(join(folder, "AAPL.csv"));
    const shown = apple
      .slice(1)
      .flatMap(({ time }, index) =>
        looksSplit(apple.slice(index, index + 2)) ? [new Date(time).toISOString().slice(0, 10)] : [],
      );
    expect(shown).toEqual(["2014-06-09", "2020-08-31"]);
  });

  it("show none for a fund that never split", () => {
    expect(looksSplit(barsIn(join(folder, "SPY.csv")))).toBe(false);
  });
});

describeWithData("adjusted prices as they were", ["ohlcv", "us_daily"], (folder) => {
  it("show none except the fall of Netflix on 2022-04-20, which opened at 70% of its previous close", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".csv"));
    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((file) => looksSplit(barsIn(join(folder, file))))).toEqual(["NFLX.csv"]);
    const netflix = barsIn(join(folder, "NFLX.csv"));
    const fall = Date.UTC(2022, 3, 20);
    expect(looksSplit(netflix.filter(({ time }) => time < fall))).toBe(false);
    expect(looksSplit(netflix.filter(({ time }) => time >= fall))).toBe(false);
  });
});

describe("prices around a split", () => {
  it.each([
    ["two for one", 200, 100.5, 99],
    ["three for two", 150, 101, 99],
    ["four for one", 404, 101.5, 103],
    ["ten for one", 1208, 120, 121.79],
    ["fifty for one", 3283, 65, 66],
    ["one for two", 5, 9.8, 9.1],
    ["one for fifty", 0.2299, 11.3, 10.4],
  ])("are found: %s", (_, before, open, close) => {
    expect(looksSplit(bars([before, before], [open, close]))).toBe(true);
  });

  it("are detected in any order of the days", () => {
    expect(looksSplit(bars([200, 202], [201, 204], [101.5, 103]).toReversed())).toBe(true);
  });

  it.each([
    ["a quiet day", 100, 101, 99],
    ["a gap of 22 percent", 100, 78, 76],
    ["a fall within the day", 100, 99, 50],
    ["a halving at the opening that is made good", 100, 50, 90],
    ["a rise within the day", 100, 101, 200],
  ])("are not found in %s", (_, before, open, close) => {
    expect(looksSplit(bars([before, before], [open, close]))).toBe(false);
  });

  it("are not detected across days with missing prices", () => {
    expect(looksSplit(bars([200, 200], [100, null], [null, 100]))).toBe(false);
    expect(looksSplit(bars([200, 200], [null, null], [100, 100]))).toBe(true);
    expect(looksSplit([])).toBe(false);
    expect(looksSplit(bars([200, 200]))).toBe(false);
  });

  it("are detected at any price scale, and in both directions of the split", () => {
    const price = fc.double({ min: 1, max: 1000, noNaN: true });
    fc.assert(
      fc.property(price, price, fc.integer({ min: 2, max: 60 }), (before, scale, shares) => {
        for (const factor of [shares, 1 / shares, 1.5, 1 / 1.5]) {
          const after = before / factor;
          expect(looksSplit(bars([before, before], [after, after]))).toBe(true);
          expect(looksSplit(bars([before * scale, before * scale], [after * scale, after * scale]))).toBe(
            true,
          );
        }
      }),
    );
  });

  it("are never detected if no overnight move exceeds a fifth", () => {
    const move = fc.double({ min: 0.81, max: 1.24, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(move, move), { maxLength: 40 }), (moves) => {
        let close = 100;
        const days = moves.map(([night, day]) => {
          const open = close * night;
          close = open * day;
          return [open, close] as const;
        });
        expect(looksSplit(bars([100, 100], ...days))).toBe(false);
      }),
    );
  });
});
