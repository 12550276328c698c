import { describe, expect, it } from "vitest";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { Progress } from "../../src/kernel/tool.ts";
import { getBacktest } from "../../tools/get-backtest.ts";
import { renderBacktest } from "../../tools/render-backtest.ts";
import { runBacktest } from "../../tools/run-backtest.ts";
import { countingMeters } from "../support/context.ts";
import { climbingBars, marketOf } from "../support/market.ts";
import { openPng } from "../support/png.ts";
import { syntheticBars } from "../support/synthetic-bars.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = marketOf({
  bars: {
    AAPL: syntheticBars(1, 700),
    MSFT: syntheticBars(2, 700),
    SPY: syntheticBars(3, 700),
    "BTC-USD": { ...syntheticBars(4, 700), zone: "UTC" },
    KO: climbingBars({ count: 5 }),
  },
});
/** The same market with unused quotas. */
const fresh = () => ({ ...ports, meters: countingMeters().meters });
const owner: Principal = { account: "one", plan: "founding", scopes: ["read"] };
const call = (input: Record<string, unknown>, principal = owner) =>
  invoke(runBacktest, { picture: false, ...input }, { ports: fresh(), principal, transport: "test" });
const again = (input: Record<string, unknown>) =>
  invoke(getBacktest, { detail: "full", ...input }, { ports, principal: owner, transport: "test" });
const cross = { strategy: "sma_cross", params: { fast: 10, slow: 20 } };

describe("run_backtest", () => {
  it("returns the same run and id for the same request, and another id for another", async () => {
    const one = await call({ symbol: "aapl", ...cross });
    const again = await call({ symbol: "AAPL", ...cross });
    const other = await call({ symbol: "AAPL", ...cross, commission: 0.002 });
    expect(again).toEqual(one);
    expect(one.id).toMatch(/^bt_[0-9a-f]{20}$/);
    expect(other.id).not.toBe(one.id);
    expect(other.metrics.commissions).toBeGreaterThan(one.metrics.commissions);
  });

  it("returns a stored run only to the account that ran it", async () => {
    const three = { ...owner, account: "three" };
    const { alternatives: _, ...result } = await call({ symbol: "AAPL", ...cross, detail: "full" }, three);
    const stored = (account: string, backtest_id: string) =>
      callerOf(getBacktest, ports, { ...owner, account })({ backtest_id, detail: "full" });
    for (const id of [result.id, "latest"]) {
      expect(await stored("three", id)).toEqual(result);
      await expect(stored("two", id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("renders a page without scripts or external links", async () => {
    const { id } = await call({ symbol: "AAPL", ...cross });
    const { media } = await callerOf(renderBacktest, ports, owner)({ backtest_id: id });
    const page = Buffer.from(media.base64!, "base64").toString("utf8");
    expect(page).toContain("SAMPLE (simulated)");
    expect(page).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
  });

  it("draws the equity by default", async () => {
    const { media } = await call({ symbol: "AAPL", ...cross, picture: true });
    expect(openPng(Buffer.from(media!.base64!, "base64"))).toMatchObject({ width: 1200, height: 675 });
    expect((await call({ symbol: "AAPL", ...cross })).media).toBeUndefined();
  });

  it("trades several symbols with shared cash", async () => {
    const { symbol, symbols, trades, metrics } = await call({ symbols: ["AAPL", "MSFT", "aapl"], ...cross });
    expect([symbol, symbols]).toEqual([null, ["AAPL", "MSFT"]]);
    expect(new Set(trades.map((trade) => trade.symbol))).toEqual(new Set(["AAPL", "MSFT"]));
    expect(metrics.trade_count).toBe(trades.length);
  });

  it("shortens long lists in a concise answer, counts the omitted rows, and keeps the figures", async () => {
    const busy = { symbol: "AAPL", strategy: "sma_cross", params: { fast: 2, slow: 3 } };
    const full = await call({ ...busy, detail: "full" });
    const short = await call({ ...busy, detail: "concise" });
    expect(short.metrics).toEqual(full.metrics);
    expect(short.trades).toEqual(full.trades.slice(-2));
    expect(short.trades_left_out).toBe(full.metrics.trade_count - 2);
    expect(full.trades_left_out).toBe(full.metrics.trade_count - full.trades.length);
    expect(short.equity.length).toBeLessThanOrEqual(4);
    expect([short.months, short.months_left_out]).toEqual([[], full.months.length + full.months_left_out]);
    expect(short.years).toEqual(full.years.slice(-2));
    expect(short.years_left_out).toBe(full.years.length - short.years.length);
    expect(full.costs.map(({ part }) => part)).toEqual(["0x costs", "1x costs", "2x costs", "3x costs"]);
    expect(short.costs).toEqual(
      full.costs
        .filter(({ part }) => /^[03]x/.test(part))
        .map(({ part, return_pct, sharpe_arithmetic, trade_count }) => ({
          part,
          return_pct,
          sharpe_arithmetic,
          trade_count,
        })),
    );
    expect(short.equity[0]).toEqual(full.equity[0]);
    expect(short.equity.at(-1)).toEqual(full.equity.at(-1));
    const worth = (points: typeof full.equity) => points.map(({ equity }) => equity);
    expect(Math.max(...worth(short.equity))).toBe(Math.max(...worth(full.equity)));
    expect(Math.min(...worth(short.equity))).toBe(Math.min(...worth(full.equity)));
  });

  it("pages the trades of a run, newest first, each once", async () => {
    const busiest = { symbol: "AAPL", strategy: "sma_cross", params: { fast: 1, slow: 2 } };
    const { id, metrics } = await call(busiest);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => again({ backtest_id: id, page })));
    const all = [...pages].reverse().flatMap(({ trades }) => trades);
    expect(metrics.trade_count).toBeGreaterThan(200);
    expect(all).toHaveLength(metrics.trade_count);
    expect(all).toEqual([...all].sort((a, b) => (a.exit_time < b.exit_time ? -1 : 1)));
    expect(new Set(all.map(({ entry_time }) => entry_time)).size).toBe(all.length);
  });

  it("warns that the best of a sweep was selected, counts its trials, and walks forward", async () => {
    const { sweep, params, deflated_sharpe, warnings } = await call({
      symbol: "MSFT",
      strategy: "sma_cross",
      sweep: { fast: "5..15:5", slow: "10,20,40" },
      folds: 3,
    });
    // 15/10 and 10/10 are invalid: fast is not below slow
    expect(sweep).toMatchObject({ trials: 7, left_out: 2 });
    expect(params).toMatchObject(sweep!.best[0]!.params);
    expect(deflated_sharpe.trials).toBe(7);
    expect(sweep!.walk_forward!.folds).toHaveLength(3);
    expect(warnings.join()).toContain("best of 7 tried on the same bars");
  });

  it("tries a repeated combination once, and validates values in combination", async () => {
    const { sweep, params } = await call({
      symbol: "AAPL",
      strategy: "sma_cross",
      params: { slow: 40 }, // below the default of the fast average
      sweep: { fast: "5,5,5,10" },
    });
    expect(sweep!.trials).toBe(2);
    expect(params.slow).toBe(40);
  });

  it("has one id for equivalent requests", async () => {
    const written = [
      { sweep: { fast: "5,10", slow: "30,40" } },
      { sweep: { slow: "30, 40", fast: "5, 10" }, params: { side: "both" } },
    ];
    const ids = await Promise.all(
      written.map(async (one) => (await call({ symbol: "AAPL", strategy: "sma_cross", ...one })).id),
    );
    expect(new Set(ids).size).toBe(1);
  });

  it("buys fractions of coins and whole units of stocks with shared cash", async () => {
    const { account, open_trades } = await call({ symbols: ["AAPL", "BTC-USD"], strategy: "buy_hold" });
    expect(account.fractional).toBe(null);
    const units = Object.fromEntries(open_trades.map((trade) => [trade.symbol, trade.units]));
    expect(Number.isInteger(units.AAPL)).toBe(true);
    expect(Number.isInteger(units["BTC-USD"])).toBe(false);
  });

  it("rejects a period of one bar", async () => {
    const { from } = await call({ symbol: "AAPL", ...cross });
    await expect(call({ symbol: "AAPL", strategy: "buy_hold", from, to: from })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      data: { available: 1, required: 2 },
    });
  });

  it("reports progress in one rising count over all phases", async () => {
    const steps: Progress[] = [];
    const sweep = { fast: "1..30", slow: "31..50" };
    await invoke(
      runBacktest,
      { symbol: "AAPL", strategy: "sma_cross", picture: false, sweep, folds: 2 },
      { ports, principal: owner, transport: "test", progress: (step) => steps.push(step) },
    );
    const counts = steps.map(({ done }) => done);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(steps.every(({ done, total }) => done >= 0 && done <= total!)).toBe(true);
    expect(counts.at(-1)).toBeGreaterThan(600);
  });

  it("replays the signal at every close for strategies that read it", async () => {
    const { trades, look_ahead, notes } = await call({
      symbol: "AAPL",
      strategy: "signal",
      params: { enter: "B", exit: "C" },
    });
    expect(trades.length).toBeGreaterThan(0);
    expect(look_ahead.found).toBe(false);
    expect(notes.join()).toContain("replayed as of each close");
  });

  it("trades nothing before from, and reads nothing after to", async () => {
    const { id } = await call({ symbol: "AAPL", ...cross });
    const whole = await again({ backtest_id: id, points: 2_500 });
    expect(whole).toMatchObject({ equity_left_out: 0, equity: { length: 700 } });
    const [first, last] = [whole.equity[300]!.time, whole.equity[500]!.time];
    const part = await call({ symbol: "AAPL", ...cross, from: first, to: last });
    expect([part.from, part.to, part.bars]).toEqual([first, last, 201]);
    expect(part.trades.every(({ entry_time }) => entry_time >= first)).toBe(true);
    expect(part.data_as_of.slice(0, 10)).toBe(last);
  });

  it.each([
    [{}, "symbol: set either symbol or symbols"],
    [{ symbol: "AAPL", symbols: ["MSFT"] }, "symbol: set either symbol or symbols"],
    [{ symbol: "AAPL", params: { fast: 30, slow: 20 } }, "params.fast: fast must be less than slow (20)"],
    [{ symbol: "AAPL", params: { period: 5 } }, '"period" is not a parameter of the strategy'],
    [{ symbol: "AAPL", params: { fast: 0.5 } }, "params.fast: fast must be a whole number from 1 to 500"],
    [{ symbol: "AAPL", rules: { entry: { all: ["close > 1"] } } }, 'use strategy "rules"'],
    [{ symbol: "AAPL", strategy: "rules", params: {} }, "rules: required by"],
    [
      { symbol: "AAPL", strategy: "rules", params: {}, rules: { entry: { all: ["rsj(14) < 30"] } } },
      "rules.entry.all.0",
    ],
    [
      { symbol: "AAPL", strategy: "rules", params: {}, rules: { entry: { none: ["n_sent < 0"] } } },
      "n_sent has no history to test on",
    ],
    [{ symbol: "AAPL", strategy: "prediction_news" }, "no history of them is recorded"],
    [{ symbol: "AAPL", sweep: { fast: "50..60", slow: "10..20" } }, "none of its 121 combinations"],
    [{ symbol: "AAPL", sweep: { slow: "701..800" }, params: {} }, "slow must be a whole number"],
    [{ symbol: "AAPL", sweep: { fast: "5" }, null_run: 5 }, "null_run: cannot be combined with sweep"],
    [{ symbol: "AAPL", folds: 3 }, "folds: require sweep"],
    [{ symbol: "AAPL", sweep: { fast: "1..5" }, folds: 1 }, "folds: must be 0 (no folds)"],
    [{ symbol: "AAPL", sweep: { fast: "five" } }, "sweep.fast: fast must be a whole number"],
    [{ symbol: "AAPL", sweep: { fast: "9..1" } }, "neither a list"],
    [{ symbol: "AAPL", sweep: { speed: "1..5" } }, '"speed" is not a parameter'],
    [
      { symbol: "AAPL", sweep: { fast: "1..100", slow: "101..200" } },
      "The sweep has 10000 combinations; the maximum is 2000",
    ],
    [{ symbol: "AAPL", strategy: "signal", params: {}, timeframe: "4h" }, "set it to 1d"],
    [
      { symbol: "AAPL", strategy: "signal", params: {}, null_run: 5 },
      "null_run: requires a strategy that reads only bars",
    ],
    [{ symbol: "AAPL", from: "2025-01-01", to: "2024-01-01" }, "from: must be before to"],
    [{ symbol: "AAPL", to: "2999-01-01" }, "to 2999-01-01 is in the future"],
    [{ symbol: "AAPL", sizing: "units" }, "size: is required: the number of units"],
    [{ symbol: "AAPL", sizing: "percent", size: 200 }, "at most 100: nothing is borrowed"],
    [{ symbol: "AAPL", size: 3 }, "size: must be omitted for all_in"],
    [{ symbol: "AAPL", cash: 0 }, "cash"],
    [{ symbol: "AAPL", commission: 5 }, "commission"],
  ])("rejects %j with the field in the message", async (input, words) => {
    await expect(call({ ...cross, ...input })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(words),
    });
  });

  it("returns how many bars there are and how many are needed", async () => {
    await expect(call({ symbol: "KO", ...cross })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      data: { symbol: "KO", available: 5, required: 22 },
    });
    await expect(call({ symbol: "AAPL", ...cross, to: "1990-01-01" })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: expect.stringContaining("available: bars from"),
    });
  });

  it("returns a run without trades, with reasons for undefined metrics", async () => {
    const { metrics, undefined_metrics, warnings } = await call({
      symbol: "AAPL",
      strategy: "rules",
      rules: { entry: { all: ["close < 0"] } },
    });
    expect(metrics).toMatchObject({
      trade_count: 0,
      final_equity: 10_000,
      win_rate: null,
      sharpe_ratio: null,
    });
    expect(undefined_metrics.find(({ metric }) => metric === "win_rate")?.reason).toMatch(/\w/);
    expect(warnings[0]).toContain("No trade was closed");
  });
});

toolContract(runBacktest, { ports });
