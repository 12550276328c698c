import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Backtest,
  drawdownLine,
  equityLines,
  timeTicks,
  tradeLines,
} from "../../src/dashboard/views/backtest/backtest-data.ts";

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const dayAfter = (days: number): string => new Date(START + days * DAY).toISOString().slice(0, 10);
const curve = (...values: readonly number[]) =>
  values.map((equity, index) => ({ time: dayAfter(index), equity, buy_hold: index === 0 ? null : 100 }));
const trade = (changes: object) => ({
  symbol: "AAPL",
  side: "LONG",
  entry_time: dayAfter(1),
  entry_price: 101,
  exit_time: dayAfter(3),
  exit_price: 103,
  ...changes,
});
const tradesOf = (closed: readonly object[], open: readonly object[] = []) =>
  ({ trades: closed, open_trades: open }) as unknown as Backtest;
/** Bars of consecutive days from a first one, newest first. */
const barsFrom = (first: number, ...closes: readonly number[]) =>
  closes.map((close, index) => ({ datetime: dayAfter(first + index), close })).reverse() as never;

describe("the equity of a backtest", () => {
  it("is a line beside that of holding its symbols, where that is known", () => {
    const run = { equity: curve(100, 120, 90), benchmark: null } as unknown as Backtest;
    expect(equityLines(run)).toEqual([
      {
        name: "Strategy",
        tone: "accent",
        points: [
          { x: START, y: 100 },
          { x: START + DAY, y: 120 },
          { x: START + 2 * DAY, y: 90 },
        ],
      },
      {
        name: "Buy and hold",
        tone: "flat",
        dashed: true,
        points: [
          { x: START + DAY, y: 100 },
          { x: START + 2 * DAY, y: 100 },
        ],
      },
    ]);
  });

  it("is alone if fewer than two points of holding are known", () => {
    const run = { equity: curve(100, 120), benchmark: "SPY" } as unknown as Backtest;
    expect(equityLines(run).map(({ name }) => name)).toEqual(["Strategy"]);
  });
});

describe("the drawdown of a backtest", () => {
  const fallOf = (...values: readonly number[]) =>
    drawdownLine({ equity: curve(...values) as never }).points.map(({ y }) => y);

  it("is the fall from the highest equity before, in percent", () => {
    expect(fallOf(100, 120, 90, 130, 65)).toEqual([0, 0, -25, 0, -50]);
  });

  it("is 0 where the equity was never positive", () => {
    expect(fallOf(0, -10)).toEqual([0, 0]);
  });

  it("is never above 0, and 0 at each new high", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 50 }),
        (values) => {
          const falls = fallOf(...values);
          expect(falls.every((fall) => fall <= 0 && fall > -100)).toBe(true);
          const highs = values.flatMap((value, index) =>
            value >= Math.max(...values.slice(0, index + 1)) ? [index] : [],
          );
          expect(highs.every((index) => falls[index] === 0)).toBe(true);
        },
      ),
    );
  });
});

describe("the trades of a backtest", () => {
  it("are marks on the closes, an open one without its exit", () => {
    const open = trade({ side: "SHORT", entry_time: dayAfter(4), entry_price: 104 });
    const { lines, marks } = tradeLines(tradesOf([trade({})], [open]), "AAPL", barsFrom(0, 100, 101, 102));
    expect(lines.map(({ name, points }) => [name, ...points.map(({ y }) => y)])).toEqual([
      ["Close", 100, 101, 102],
    ]);
    expect(marks).toEqual([
      { x: START + DAY, y: 101, sign: "▲", tone: "up" },
      { x: START + 4 * DAY, y: 104, sign: "▼", tone: "down" },
      { x: START + 3 * DAY, y: 103, sign: "◆", tone: "text" },
    ]);
  });

  it("are those of the symbol since the first close", () => {
    const run = tradesOf([trade({}), trade({ symbol: "MSFT", entry_time: dayAfter(6) })]);
    expect(tradeLines(run, "AAPL", barsFrom(2, 100, 101)).marks).toEqual([]);
  });

  it("without closes are joined by a line from entry to exit", () => {
    expect(tradeLines(tradesOf([trade({})]), "AAPL", []).lines).toEqual([
      {
        name: "Trades",
        tone: "flat",
        dashed: true,
        points: [
          { x: START + DAY, y: 101 },
          { x: START + 3 * DAY, y: 103 },
        ],
      },
    ]);
    expect(tradeLines(tradesOf([]), "AAPL", []).lines).toEqual([]);
  });
});

describe("the ticks of a time", () => {
  it("are days, of more than 400 days months", () => {
    const texts = (from: string, to: string) =>
      timeTicks(Date.parse(from), Date.parse(to)).map(({ text }) => text);
    expect(texts("2026-01-01", "2026-01-31")).toEqual([
      "2026-01-01",
      "2026-01-10",
      "2026-01-20",
      "2026-01-31",
    ]);
    expect(texts("2024-01-01", "2026-01-01")).toEqual(["2024-01", "2024-08", "2025-04", "2026-01"]);
  });
});
