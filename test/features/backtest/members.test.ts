import { describe, expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { type BacktestInput, runAndStoreBacktest } from "../../../src/features/backtest/stored-backtest.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { readMemberships } from "../../../src/providers/files/memberships.ts";
import { sampleMarket } from "../../../src/providers/sample/market.ts";
import { pro, stoppedClock, usualRules } from "../../support/context.ts";
import { marketOf, withPrices } from "../../support/market.ts";

const DAY = 86_400_000;
const HELD: BacktestInput = {
  members: "list",
  strategy: "buy_hold",
  timeframe: "1d",
  cash: 1_000,
  commission: 0,
  slippage: 0,
  sizing: "all_in",
  fractional: true,
  finalize: false,
  folds: 0,
  null_run: 0,
};

/** Daily bars from Monday 2020-01-06 on that open at the close before; the first opens at its close. */
function barsOf(closes: readonly number[]): Bars {
  const column = (of: (i: number) => number) => Float64Array.from(closes, (_, i) => of(i));
  const before = (i: number) => closes[Math.max(0, i - 1)]!;
  return {
    time: column((i) => Date.UTC(2020, 0, 6 + i + 2 * Math.floor(i / 5))),
    open: column(before),
    high: column((i) => Math.max(before(i), closes[i]!)),
    low: column((i) => Math.min(before(i), closes[i]!)),
    close: column((i) => closes[i]!),
    volume: column(() => 1_000),
    timeframe: "1d",
    adjustment: "unknown",
    zone: "America/New_York",
  };
}

function runner(bars: Readonly<Record<string, Bars>>, lines: string) {
  const { ports } = marketOf({ bars });
  const memberships = readMemberships(`list,symbol,from,to\n${lines}`, embeddedListings());
  const market = { ...ports.market, memberships };
  const caller = { principal: pro, signal: new AbortController().signal, progress: () => {} };
  return async (input: Partial<BacktestInput> = {}) =>
    (
      await runAndStoreBacktest(
        { ...HELD, ...input },
        { ...ports, ...caller, market, tradeRules: usualRules },
      )
    ).result;
}

describe("a backtest of a list", () => {
  it("holds each symbol only while it is a member, and a delisted one to its last close", async () => {
    const run = runner(
      {
        // 2020-01-06, 07, 08, 09, 10, 13, 14, 15
        AAPL: barsOf([10, 10, 10, 10, 20, 20, 20, 20]),
        MSFT: barsOf([50, 50, 50, 50, 50, 50, 100, 100, 100, 100, 100, 100, 100]),
        TWTR: barsOf([8, 8, 8, 4, 2]),
      },
      "list,AAPL,2020-01-06,2020-01-10\nlist,TWTR,2020-01-01,\nlist,MSFT,2020-01-14,\n",
    );
    const { trades, open_trades, metrics, symbols, notes, warnings } = await run();
    expect(symbols).toEqual(["AAPL", "TWTR", "MSFT"]);
    const cents = (number: number) => Math.round(number * 1e6) / 1e6;
    const rowOf = ({ symbol, units, entry_time, entry_price, profit }: (typeof open_trades)[number]) =>
      [symbol, cents(units), entry_time, entry_price, cents(profit)] as const;
    const rows = [
      ...trades.map((one) => [...rowOf(one), one.exit_time, one.exit_price, one.exit_reason]),
      ...open_trades.map(rowOf),
    ];
    // two members share 1,000 USD from 2020-01-07 on: 50 at 10 and 62.5 at 8
    expect(rows).toEqual([
      ["TWTR", 62.5, "2020-01-07", 8, -375, "2020-01-10", 2, "end"],
      ["AAPL", 50, "2020-01-07", 10, 500, "2020-01-13", 20, "decision"],
      // 1,125 USD for the only member, bought at the open of its first day
      ["MSFT", 22.5, "2020-01-14", 50, 1_125],
    ]);
    expect(metrics.final_equity).toBeCloseTo(2_250, 9);
    // equal shares of the members of each day: -1/4 on the 9th (TWTR -50 %), +1/4 on the 10th (+100 %, -50 %), then MSFT
    expect(metrics.buy_hold_return_pct).toBeCloseTo(100 * (0.75 * 1.25 * 2 - 1), 9);
    expect(notes).toContain(
      "Each symbol is held only while it is a member of the list: 3 symbols, of which 1 left it and 1 have bars that end before the run, where they are sold at their last close.",
    );
    expect(notes.join()).not.toContain("Delisted symbols are missing");
    expect(warnings.join()).not.toContain("left out");
  });

  it("buys a symbol again that comes back", async () => {
    const run = runner(
      { AAPL: barsOf([10, 10, 10, 10, 10, 10, 10, 10]) },
      "list,AAPL,2020-01-06,2020-01-07\nlist,AAPL,2020-01-13,2020-01-13\n",
    );
    const { trades, open_trades } = await run();
    expect(trades.map(({ entry_time, exit_time }) => [entry_time, exit_time])).toEqual([
      ["2020-01-07", "2020-01-08"],
      ["2020-01-13", "2020-01-14"],
    ]);
    expect(open_trades).toEqual([]);
  });

  it("reads the list's name in any case and names what is missing", async () => {
    const run = runner(
      { AAPL: barsOf([10, 11, 12, 13]) },
      "My list,AAPL,2020-01-06,\nMy list,TWTR,2013-11-07,2022-10-27\nMy list,MSFT,2025-01-02,\nold,AAPL,2001-01-02,2002-01-02\n",
    );
    const { warnings, symbols } = await run({ members: " MY LIST ", to: "2020-12-31" });
    expect(symbols).toEqual(["AAPL"]);
    expect(warnings).toContain(
      "1 member of the list has no bars and is left out (TWTR): the result is too good if it did badly.",
    );
    await expect(run({ members: "SP500" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: "members: is not a list of memberships.csv; known: My list, old",
    });
    await expect(run({ members: "old" })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: "No member of old has bars in the requested period",
    });
    await expect(run({ members: "old", symbol: "AAPL" })).rejects.toMatchObject({
      message: "symbol: set either symbol or symbols, or members alone",
    });
    await expect(run({ members: "My list", strategy: "signal" })).rejects.toMatchObject({
      data: { errors: [{ pointer: "/members" }] },
    });
    await expect(runner({ AAPL: barsOf([10, 11]) }, "")()).rejects.toMatchObject({
      message: expect.stringContaining("members: there is no file of memberships"),
    });
  });

  it("is another backtest with other memberships, and the same with the same", async () => {
    const bars = { AAPL: barsOf([10, 11, 12, 13]) };
    const id = async (lines: string, input: Partial<BacktestInput> = {}) =>
      (await runner(bars, lines)(input)).id;
    const ids = await Promise.all([
      id("list,AAPL,2020-01-06,\n"),
      id("list,AAPL,2020-01-06,\n"),
      id("list,AAPL,2020-01-06,2020-01-08\n"),
      id("", { members: undefined, symbol: "AAPL" }),
    ]);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
  });
});

describe("planted delistings in the sample market", () => {
  const clock = stoppedClock();
  const { bars } = sampleMarket({ clock });
  const SURVIVORS = ["AAPL", "MSFT", "NVDA", "AMZN", "GOOGL", "META", "TSLA", "JPM"];
  /** Symbols under which falls are planted, with the year in which each ends. */
  const PLANTED = [
    ["TWTR", 2022],
    ["SIVB", 2023],
  ] as const;

  const read = async (symbol: string) =>
    (
      await bars.history({ symbol, name: symbol, asset_class: "equity" } as never, {
        timeframe: "1d",
        limit: 2_000,
      })
    ).bars;

  /** Simulated bars that fall by 90 % over their last 250 days and then end. */
  function fallen(alive: Bars, year: number): Bars {
    const count = alive.time.filter((at) => at < Date.UTC(year, 6, 1)).length;
    const cut = Object.fromEntries(
      Object.entries(alive).map(([name, column]) => [
        name,
        column instanceof Float64Array ? column.slice(0, count) : column,
      ]),
    ) as unknown as Bars;
    const fall = 0.1 ** (1 / 250);
    return withPrices(cut, (price, i) => price * fall ** Math.max(0, i + 251 - count));
  }

  it("make the same strategy return less than the survivors alone, and the difference is shown", async () => {
    const alive = Object.fromEntries(
      await Promise.all(SURVIVORS.map(async (symbol) => [symbol, await read(symbol)] as const)),
    );
    const first = Math.max(...Object.values(alive).map(({ time }) => time[0]!));
    const dead = Object.fromEntries(
      PLANTED.map(([symbol, year], i) => [symbol, fallen(alive[SURVIVORS[i]!]!, year)]),
    );
    const day = new Date(first + DAY).toISOString().slice(0, 10);
    const all = Object.keys({ ...alive, ...dead });
    const run = runner(
      { ...alive, ...dead },
      all.map((symbol) => `all,${symbol},${day},\n`).join("") +
        SURVIVORS.map((symbol) => `survivors,${symbol},${day},\n`).join(""),
    );
    const of = async (members: string) => {
      const { metrics, notes } = await run({ members, cash: 100_000 });
      return { held: metrics.cagr_pct!, benchmark: metrics.buy_hold_return_pct!, notes };
    };
    const [complete, survivors] = [await of("all"), await of("survivors")];
    const yearly = survivors.held - complete.held;
    console.info(
      `Sample market, buy and hold: ${survivors.held.toFixed(2)} % a year with survivors only, ${complete.held.toFixed(2)} % with ${PLANTED.length} delisted members: ${yearly.toFixed(2)} points a year too good`,
    );
    expect(yearly).toBeGreaterThan(0.5);
    expect(survivors.benchmark).toBeGreaterThan(complete.benchmark);
    expect(complete.notes.join()).toContain("10 symbols, of which 0 left it and 2 have bars that end before");
  });
});
