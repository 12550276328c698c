import { describe, expect, it } from "vitest";
import { rangePosition } from "../../src/analytics/indicators/range-position.ts";
import { rsi } from "../../src/analytics/indicators/rsi.ts";
import {
  INDICATOR_NAMES,
  indicatorColumns,
  parseIndicators,
} from "../../src/features/signal/indicator-series.ts";
import { getIndicators } from "../../tools/get-indicators.ts";
import { climbingBars, marketOf, YESTERDAY } from "../support/market.ts";
import { syntheticBars } from "../support/synthetic-bars.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const market = {
  bars: { AAPL: climbingBars(), SPY: climbingBars({ count: 400 }), KO: climbingBars({ count: 30 }) },
};
const { ports, requests } = marketOf(market);
const call = callerOf(getIndicators, ports);

describe("get_indicators", () => {
  it("returns the values of each indicator, newest first", async () => {
    // closes climb by 0.125 a bar: an average of n bars is (n - 1) / 2 steps below the close
    const answer = await call({ symbol: "AAPL", indicators: "sma(3), ROC(2), sma(3)", limit: 2 });
    expect(answer).toMatchObject({
      symbol: "AAPL",
      timeframe: "1d",
      columns: ["sma(3)", "roc(2)"],
      rows: [
        { datetime: "2026-01-14", close: 137.375, values: [137.25, 0.182315] },
        { datetime: "2026-01-13", close: 137.25, values: [137.125, 0.182482] },
      ],
      count: 2,
      source: "fixture",
      data_as_of: "2026-01-14T21:00:00.000Z",
    });
  });

  it("returns the values of weekly bars, each a session of its own", async () => {
    const weeks = climbingBars({ timeframe: "1w", count: 40, end: Date.UTC(2026, 0, 5) });
    const weekly = callerOf(getIndicators, marketOf({ bars: { AAPL: weeks } }).ports);
    // closes climb by 0.125 a bar; high and low are half a dollar from the close
    expect(
      await weekly({ symbol: "AAPL", indicators: "sma(3), vwap", timeframe: "1W", limit: 2 }),
    ).toMatchObject({
      timeframe: "1w",
      rows: [
        { datetime: "2026-01-05", close: 104.875, values: [104.75, 104.875] },
        { datetime: "2025-12-29", close: 104.75, values: [104.625, 104.75] },
      ],
      data_as_of: "2026-01-09T21:00:00.000Z",
    });
  });

  it("returns the position in the forecast range, null until it is known", async () => {
    const bars = climbingBars({ count: 400 });
    const read = await call({ symbol: "SPY", indicators: "range_position(20)", limit: 100 });
    const positions = rangePosition(bars, 20).slice(300).toReversed();
    expect(read.columns).toEqual(["range_position(20)"]);
    expect(read.rows.map(({ values }) => values[0]!)).toEqual(
      [...positions].map((position) => expect.closeTo(position, 2)),
    );
    const short = await call({ symbol: "KO", indicators: "range_position(20)", limit: 1 });
    expect(short.rows.map(({ values }) => values)).toEqual([[null]]);
  });

  it("returns all columns of an indicator with several", async () => {
    const { columns } = await call({ symbol: "AAPL", indicators: "bb_upper(20, 2.5), macd", limit: 1 });
    expect(columns).toEqual([
      "bb_upper(20,2.5)",
      "bb_middle(20,2.5)",
      "bb_lower(20,2.5)",
      "macd(12,26,9)",
      "macd_signal(12,26,9)",
      "macd_hist(12,26,9)",
    ]);
  });

  it("returns RSI and MACD by default", async () => {
    const { columns, rows } = await call({ symbol: "AAPL", limit: 1 });
    expect(columns[0]).toBe("rsi(14)");
    expect(rows[0]!.values[0]).toBe(Number(rsi(market.bars.AAPL.close).at(-1)!.toPrecision(6)));
  });

  it("reads enough bars before the first shown one", async () => {
    const { bars_read } = await call({ symbol: "SPY", indicators: "sma(50)", limit: 10 });
    expect(requests.at(-1)).toMatchObject({ symbol: "SPY", limit: 10 + 250 + 49 });
    expect(bars_read).toBe(309);
  });

  it("returns null where too few bars are known", async () => {
    const { rows, bars_read } = await call({ symbol: "KO", indicators: "sma(29)", limit: 3 });
    expect(bars_read).toBe(30);
    expect(rows.map(({ values: [value] }) => value === null)).toEqual([false, false, true]);
  });

  it("returns the same values for a past moment as were known then", async () => {
    const request = { symbol: "SPY", indicators: "rsi(14), adx, supertrend", limit: 400 };
    const now = await call(request);
    const then = await call({ ...request, limit: 5, as_of: "2025-12-31" });
    const rows = now.rows.filter(({ datetime }) => datetime <= "2025-12-31").slice(0, 5);
    expect(then.rows.map(({ datetime }) => datetime)).toEqual(rows.map(({ datetime }) => datetime));
    for (const [i, { values }] of then.rows.entries())
      for (const [column, value] of values.entries()) expect(value!).toBeCloseTo(rows[i]!.values[column]!, 4);
  });

  it("knows every indicator of the rules", () => {
    for (const name of INDICATOR_NAMES) {
      const requested = parseIndicators(name);
      const columns = indicatorColumns(requested, market.bars.AAPL).map((column) => column.name);
      expect(columns.join()).toContain(name);
    }
  });

  it.each([
    ["rsi(14), nonsense", /At character 10: "nonsense" is not an indicator: one of sma, ema/],
    ["rs1", /At character 1: "rs1" is not an indicator, did you mean rsi\?/],
    ["rsi(0)", /At character 1: argument 1 of rsi must be/],
    ["rsi(14", /At character 4: "\(" after rsi is not closed/],
    ["rsi 14", /At character 5: unexpected "14"/],
    ["macd(26,12)", /the first argument of macd must be less than the second/],
    ["rsi,,sma", /a term is missing/],
    [Array.from({ length: 9 }, (_, i) => `sma(${i + 1})`).join(), /at most 8 indicators are allowed, not 9/],
  ])("rejects %s", async (indicators, message) => {
    await expect(call({ symbol: "AAPL", indicators })).rejects.toMatchObject({
      ...invalidField("/indicators"),
      message: expect.stringMatching(message),
    });
  });

  it("returns 20 rows by default in a concise answer", async () => {
    expect((await call({ symbol: "SPY", detail: "concise" })).count).toBe(20);
  });
});

describe("get_indicators from and to", () => {
  const long = syntheticBars(7, 6_000);
  const shift = YESTERDAY - long.time.at(-1)!;
  const bars = { ...long, time: long.time.map((time) => time + shift) };
  const call = callerOf(getIndicators, marketOf({ bars: { AAPL: bars } }).ports);
  const dateOf = (back: number) => new Date(bars.time.at(-1 - back)!).toISOString().slice(0, 10);

  it("returns the rows of a range, newest first, and says why there are none", async () => {
    const { rows, next_cursor } = await call({ symbol: "AAPL", from: dateOf(9), to: dateOf(4) });
    expect(rows.map(({ datetime }) => datetime)).toEqual([4, 5, 6, 7, 8, 9].map(dateOf));
    expect(next_cursor).toBeNull();
    const day = new Date(bars.time.at(-1)! + 3_600_000).toISOString();
    const none = await call({ symbol: "AAPL", from: day, to: day });
    expect(none).toMatchObject({
      rows: [],
      notes: [expect.stringMatching(/^No 1d bar of AAPL starts in this range/)],
    });
  });

  it.each([
    "rsi(14), macd, atr(14), adx, trix(14)",
    "ema(200), rma(100), keltner_upper(50)",
    "sma(200), bb_upper(100), stoch_k, tenkan, slope(60)",
    "supertrend(10), cci(50), mfi, aroon_up, vwap",
  ])("has the same first values at from as a longer series: %s", async (indicators) => {
    const range = { symbol: "AAPL", indicators, to: dateOf(5) };
    const short = await call({ ...range, from: dateOf(30) });
    const longer = await call({ ...range, from: dateOf(450) });
    expect(short.rows).toHaveLength(26);
    expect(short.rows.at(-1)).toEqual(longer.rows.find(({ datetime }) => datetime === dateOf(30)));
    const later = await call({ symbol: "AAPL", indicators, from: dateOf(30), limit: 500 });
    expect(later.rows.at(-1)).toEqual(short.rows.at(-1));
  });

  it("has every row once over all pages", async () => {
    const range = { symbol: "AAPL", from: dateOf(60), to: dateOf(3) };
    const whole = (await call(range)).rows;
    const seen = [];
    let cursor: string | null | undefined;
    do {
      const page: Awaited<ReturnType<typeof call>> = await call({
        ...range,
        limit: 20,
        ...(cursor && { cursor }),
      });
      seen.push(...page.rows);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(whole);
    expect(whole).toHaveLength(58);
  });
});

toolContract(getIndicators, { ports });
