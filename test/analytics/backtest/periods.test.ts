import { expect, it } from "vitest";
import { periodsOf } from "../../../src/analytics/backtest/periods.ts";
import { simulate } from "../../../src/analytics/backtest/simulate.ts";
import { FLAT, LONG } from "../../../src/analytics/backtest/types.ts";
import { ledgerOver, type Row, streamOf, testAccount } from "./tape.ts";

const FIRST = Date.UTC(2020, 11, 30) / 86_400_000;
const PRICES = [100, 100, 125, 100, 150];
const rows = PRICES.map((price, i): Row => [FIRST + i, price, price, price, price]);
const stream = streamOf("A", rows, { 0: LONG, 3: FLAT });

it("measures each month, year and half from the equity at the close before it", () => {
  // 5 units at 100. Equity 1,000, 1,000 in 2020; 1,125, 1,000, 1,250 in 2021.
  const ledger = simulate([stream], testAccount({ sizing: { kind: "units", value: 5 } }));
  const { months, years, halves } = periodsOf(ledger, [stream], 252);
  expect(months).toEqual([
    { month: "2020-12", return_pct: 0 },
    { month: "2021-01", return_pct: 25 },
  ]);
  expect(years).toMatchObject([
    { part: "2020", return_pct: 0, buy_hold_return_pct: 0, max_drawdown: 0, sharpe_arithmetic: null },
    { part: "2021", return_pct: 25, buy_hold_return_pct: 50, trade_count: 1 },
  ]);
  expect(years[1]!.max_drawdown).toBeCloseTo(-100 / 9, 12);
  // Daily returns 12.5 %, -11.11 % and 25 %: mean .087963, deviation .183382.
  expect(years[1]!.sharpe_arithmetic).toBeCloseTo(7.6145177, 6);
  expect(halves.map(({ part, return_pct, trade_count }) => [part, return_pct, trade_count])).toEqual([
    ["first half", 0, 0],
    ["second half", 25, 1],
  ]);
});

it("ignores equity after it reached 0, and has no halves for a single bar", () => {
  const gone = ledgerOver([100, 0, 0, 0], Date.UTC(2020, 11, 30));
  expect(periodsOf(gone, [stream], 252).years.map(({ part, return_pct }) => [part, return_pct])).toEqual([
    ["2020", -100],
  ]);
  expect(periodsOf(ledgerOver([100]), [stream], 252).halves).toEqual([]);
  expect(periodsOf(ledgerOver([]), [stream], 252)).toEqual({ months: [], years: [], halves: [] });
});
