import { describe, expect, it } from "vitest";
import { ODDS_VERSION, oddsOf } from "../../src/analytics/odds/odds.ts";
import { sliceBars } from "../../src/domain/market/bars.ts";
import type { FlowDay } from "../../src/domain/options-flow/options.ts";
import type { OddsBar } from "../../src/domain/track-record/track-port.ts";
import { getOdds } from "../../tools/get-odds.ts";
import { climbingBars, marketOf, YESTERDAY } from "../support/market.ts";
import { openPng } from "../support/png.ts";
import { syntheticBars } from "../support/synthetic-bars.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

/** Random bars with the dates of weekdays up to the last close. */
const walk = (seed: number, count: number) => ({
  ...syntheticBars(seed, count),
  time: climbingBars({ count }).time,
});
const apple = walk(7, 700);
const market = {
  bars: {
    AAPL: apple,
    NVDA: walk(8, 400),
    TSLA: walk(8, 119),
    MSFT: { ...walk(9, 400), adjustment: "raw" as const },
    "BTC-USD": { ...walk(11, 600), zone: "UTC" as const },
  },
};
const { ports, requests } = marketOf(market);
const call = callerOf(getOdds, ports);
const close = apple.close.at(-1)!;

describe("get_odds", () => {
  it("returns the ranges of the method at 5, 20 and 60 bars and the horizon, with their base", async () => {
    const answer = await call({ symbol: "aapl", horizon: 10, detail: "concise" });
    const { odds } = oddsOf({ bars: apple, symbol: "AAPL", assetClass: "equity", horizons: [5, 10, 20, 60] });
    expect(answer.ranges.map(({ bars }) => bars)).toEqual([5, 10, 20, 60]);
    expect(answer.from).toBeCloseTo(close, 8);
    for (const [i, { quantiles, baseQuantiles, move }] of odds!.horizons.entries()) {
      const { p5, p10, p25, p50, p75, p90, p95, base, move_percent } = answer.ranges[i]!;
      for (const [n, price] of [p5, p10, p25, p50, p75, p90, p95].entries())
        expect(price).toBeCloseTo(quantiles[n]!, 2);
      expect(base!.p95).toBeCloseTo(baseQuantiles![6]!, 2);
      expect(move_percent).toBeCloseTo(100 * move, 2);
    }
    expect(answer.method).toEqual({
      version: ODDS_VERSION,
      paths: 4_000,
      seed: odds!.seed,
      bars_read: 700,
      drift_percent_a_year: 5,
    });
    expect(answer.data_as_of).toBe("2026-01-14T21:00:00.000Z");
    expect(requests.at(-1)).toMatchObject({ limit: 1_251 });
  });

  it("takes a time in words instead of a number of bars", async () => {
    const { horizon, ranges } = await call({ symbol: "AAPL", within: "2 weeks", detail: "concise" });
    expect(horizon).toBe(10);
    expect(ranges.map(({ bars }) => bars)).toEqual([5, 10, 20, 60]);
    const { horizon: most, notes } = await call({ symbol: "BTC-USD", within: "a year" });
    expect(most).toBe(60);
    expect(notes).toContain("within is longer than 60 bars; the odds are for 60 bars");
  });

  it("refuses a number of bars that contradicts the time in words", async () => {
    await expect(call({ symbol: "AAPL", within: "2 weeks", horizon: 50 })).rejects.toThrow(
      "horizon is 50 bars, but within is 10 bars",
    );
    for (const horizon of [10, 20])
      expect(await call({ symbol: "AAPL", within: "2 weeks", horizon })).toMatchObject({ horizon: 10 });
  });

  it("returns the odds of touching levels, by price or percent, within each number of bars", async () => {
    const { levels } = await call({ symbol: "AAPL", levels: ["+5%", "-3%"], detail: "concise" });
    expect(levels.map(({ change_percent }) => change_percent)).toEqual([5, -3]);
    for (const { touch } of levels) {
      expect(touch.map(({ bars }) => bars)).toEqual([5, 20, 60]);
      const odds = touch.map((one) => one.odds);
      expect(odds).toEqual(odds.toSorted((a, b) => a - b));
      for (const { odds, base } of touch)
        for (const share of [odds, base!]) expect(share * 100).toBeCloseTo(Math.round(share * 100), 9);
    }
    // of two levels on one side the nearer is touched more often
    const [near, far] = (await call({ symbol: "AAPL", levels: ["+2%", "+6%"] })).levels;
    for (const [i, { odds }] of near!.touch.entries())
      expect(odds).toBeGreaterThanOrEqual(far!.touch[i]!.odds);
  });

  it("returns the odds of stop first, target first and neither, which add up to 1", async () => {
    const { plan } = await call({ symbol: "AAPL", stop: "-4%", target: "+6%", horizon: 15 });
    expect(plan).toMatchObject({ side: "LONG", bars: 15, base: { windows: 685 } });
    expect(plan!.stop_first + plan!.target_first + plan!.neither).toBeCloseTo(1, 9);
    const short = (await call({ symbol: "AAPL", stop: "+4%", target: "-6%" })).plan;
    expect(short).toMatchObject({ side: "SHORT", bars: 20 });
  });

  it("returns the same odds again, and reads nothing after as_of", async () => {
    const date = new Date(apple.time[599]!).toISOString().slice(0, 10);
    const earlier = marketOf({ bars: { AAPL: sliceBars(apple, 0, 600) } }).ports;
    const past = await call({ symbol: "AAPL", as_of: date });
    expect(await call({ symbol: "AAPL", as_of: date })).toEqual(past);
    expect(past.ranges).toEqual((await callerOf(getOdds, earlier)({ symbol: "AAPL", as_of: date })).ranges);
    expect(past.method.bars_read).toBe(600);
  });

  it("records its bars once they decide now, and nothing of a past date", async () => {
    const recorded: OddsBar[] = [];
    const oddsLog = { record: (odds: OddsBar) => void recorded.push(odds) };
    await call({ symbol: "aapl", levels: ["+5%"], stop: "-4%", target: "+6%" }, { oddsLog });
    await call({ symbol: "BTC-USD" }, { oddsLog });
    await call({ symbol: "AAPL", as_of: "2025-12-31" }, { oddsLog });
    await expect(call({ symbol: "TSLA" }, { oddsLog })).rejects.toMatchObject({ code: "NOT_ENOUGH_DATA" });
    expect(recorded).toMatchObject([
      {
        symbol: "AAPL",
        asset_class: "equity",
        timeframe: "1d",
        decided_at: "2026-01-14T21:00:00.000Z",
        bars: { close: apple.close },
      },
      { symbol: "BTC-USD", asset_class: "crypto", decided_at: "2026-01-15T00:00:00.000Z" },
    ]);
    expect(Object.keys(recorded[0]!).sort()).toEqual([
      "asset_class",
      "bars",
      "decided_at",
      "symbol",
      "timeframe",
    ]);
  });

  it("has no drift and no options for crypto", async () => {
    const { method, volatility } = await call({ symbol: "BTC-USD" });
    expect(method.drift_percent_a_year).toBe(0);
    expect(volatility).toMatchObject({ options: null, options_reason: "Crypto options are not supported" });
  });

  it("compares the forecast move with that implied by stored options", async () => {
    const day = (index: number): FlowDay => ({
      day: new Date(apple.time[index]!).toISOString().slice(0, 10),
      at: apple.time[index]! + 72_000_000,
      callVolume: null,
      putVolume: null,
      callPremium: null,
      putPremium: null,
      atmIv: 0.3,
      putIv: null,
    });
    const days = [300, 400, 699].map(day);
    const flowDays = { ...ports.flowDays, days: async () => days };
    const { volatility } = await call({ symbol: "AAPL" }, { flowDays });
    expect(volatility.options).toMatchObject({
      bars: 20,
      // .3 x sqrt(20 / 252) x sqrt(2 / pi)
      implied_move_percent: 6.74,
      day: "2026-01-14",
      nearer: { days: 2 },
    });
    const { forecast, implied } = volatility.options!.nearer!;
    expect(forecast + implied).toBe(2);
    const old = { ...ports.flowDays, days: async () => days.slice(0, 2) };
    expect((await call({ symbol: "AAPL" }, { flowDays: old })).volatility).toMatchObject({
      options: null,
      options_reason: expect.stringContaining("The newest stored implied volatility is of "),
    });
  });

  it("returns the coverage of past ranges, and a note on intraday bars", async () => {
    const { past_coverage, past_coverage_basis, notes } = await call({ symbol: "AAPL" });
    expect(past_coverage.map(({ bars }) => bars)).toEqual([5, 20, 60]);
    expect(past_coverage_basis).toMatch(
      /^actual daily prices of \d+ US stocks and funds, measured 20\d\d-\d\d-\d\d$/,
    );
    expect(notes).toEqual([]);
    const hours = { ...walk(7, 700), timeframe: "1h" as const };
    const intraday = marketOf({ bars: { AAPL: hours } }).ports;
    const answer = await callerOf(getOdds, intraday)({ symbol: "AAPL", timeframe: "1h" });
    expect(answer.notes.at(-1)).toMatch(/^Few forecasts on intraday bars were measured/);
    expect(answer).toMatchObject({ past_coverage: [], past_coverage_basis: null });
  });

  it("notes for an earlier as_of that the coverage was measured later", async () => {
    const as_of = new Date(apple.time[600]!).toISOString().slice(0, 10);
    expect((await call({ symbol: "AAPL", as_of })).notes).toEqual([
      expect.stringMatching(
        /^The coverage of past ranges was measured on 20\d\d-\d\d-\d\d: some of its forecasts are later/,
      ),
    ]);
    expect((await call({ symbol: "AAPL" })).notes).toEqual([]);
  });

  it("prints no coverage on intraday bars", async () => {
    const hours = { ...walk(7, 700), timeframe: "1h" as const };
    const intraday = callerOf(getOdds, marketOf({ bars: { AAPL: hours } }).ports);
    const answer = await intraday({ symbol: "AAPL", timeframe: "1h" });
    const text = getOdds.terminal!(answer as never, ((_: string, line: string) => line) as never);
    expect(text).not.toMatch(/actual daily prices|accurate to about/);
    expect(text).toMatch(
      /The odds assume a median price that rises [\d.]+% a year and no view on direction\./,
    );
    expect(text).toContain("Few forecasts on intraday bars were measured");
  });

  it("rejects too few bars and a suspected split, with the reason", async () => {
    await expect(call({ symbol: "TSLA" })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: "No odds for TSLA: Odds need 120 bars, there are 119",
    });
    const halved = walk(9, 400);
    for (const column of [halved.open, halved.high, halved.low, halved.close])
      for (let bar = 300; bar < 400; bar++) column[bar]! /= 4;
    const split = marketOf({ bars: { MSFT: { ...halved, adjustment: "raw" } } }).ports;
    await expect(callerOf(getOdds, split)({ symbol: "MSFT" })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: expect.stringContaining("possibly an unadjusted split"),
    });
  });

  it("rejects invalid levels and plans, naming the field", async () => {
    await expect(call({ symbol: "AAPL", levels: ["x"] })).rejects.toMatchObject(invalidField("/levels/0"));
    await expect(call({ symbol: "AAPL", levels: ["-100%"] })).rejects.toMatchObject(
      invalidField("/levels/0"),
    );
    await expect(call({ symbol: "AAPL", stop: "-4%" })).rejects.toMatchObject(invalidField("/target"));
    await expect(call({ symbol: "AAPL", horizon: 61 })).rejects.toMatchObject(invalidField("/horizon"));
  });

  it("accepts numbers, and one level without a list", async () => {
    const { levels, plan } = await call({
      symbol: "AAPL",
      levels: close * 2,
      stop: close * 0.9,
      target: close * 1.2,
    });
    expect(levels).toHaveLength(1);
    expect(plan?.side).toBe("LONG");
  });
});

describe("get_odds with a picture", () => {
  const request = { symbol: "AAPL", horizon: 7, levels: ["5%"], stop: "-4%", target: "+6%" } as const;

  it.each(["concise", "full"] as const)("changes nothing else in a %s answer", async (detail) => {
    const { media, ...answer } = await call({ ...request, detail, picture: true });
    expect(answer).toEqual(await call({ ...request, detail }));
    expect(answer.ranges.map(({ bars }) => bars)).toEqual(
      detail === "concise" ? [5, 7, 20, 60] : [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 60],
    );
    expect(media!.mime).toBe("image/png");
    expect(openPng(Buffer.from(media!.base64!, "base64"))).toMatchObject({ width: 1200, height: 675 });
  });

  it("draws the full ranges whatever the detail, and describes the odds of the answer", async () => {
    const [concise, full] = await Promise.all(
      (["concise", "full"] as const).map((detail) => call({ ...request, detail, picture: true })),
    );
    expect(concise!.media).toEqual(full!.media);
    const lines = getOdds.terminal!(full!, (_, text) => text)
      .split("\n")
      .map((line) => line.trim());
    const sentences = [lines[0]!.replace(/^AAPL closed at [\d.]+\. /, ""), ...lines.slice(1, 4)];
    expect(full!.media!.alt).toContain(` ${sentences.join(" ")}`);
    expect(sentences[3]).toMatch(/^[\d.]+ \(-5\.0%\) is touched within 7 bars/);
  });

  it("has none by default", async () => {
    expect(await call(request)).not.toHaveProperty("media");
    expect(await call({ ...request, picture: false })).not.toHaveProperty("media");
  });

  it("marks simulated prices, but not real ones", async () => {
    const picture = async (mode: "sample" | "live") =>
      (await call({ ...request, picture: true }, { market: { mode, id: "test" } })).media!;
    const [made, real] = [await picture("sample"), await picture("live")];
    expect(made.base64).not.toBe(real.base64);
    expect([made.alt.includes("simulated"), real.alt.includes("simulated")]).toEqual([true, false]);
  });
});

describe("get_odds on a terminal", () => {
  it("begins with the range, then the plan and each level with its base rate in one line", async () => {
    const answer = await call({
      symbol: "AAPL",
      levels: ["+5%"],
      stop: "-4%",
      target: "+6%",
      detail: "concise",
    });
    const lines = getOdds.terminal!(answer, (_, text) => text).split("\n");
    expect(lines[0]).toMatch(
      /^AAPL closed at [\d.]+\. In 90 of 100 cases its close after 20 bars \(1d\) lies between [\d.]+ and [\d.]+ \(base range in the past: [\d.]+ to [\d.]+\)\.$/,
    );
    expect(lines[1]).toMatch(
      /^ {2}LONG from [\d.]+, stop [\d.]+, target [\d.]+: expected [+-]\d\.\d\d R in 20 bars: stop first in \d+ of 100 cases \(-\d\.\d\d R\), target in \d+ \(\+\d\.\d\d R\), neither in \d+ \([+-]\d\.\d\d R\) \(any close of this symbol: [+-]\d\.\d\d R; stop \d+, target \d+, neither \d+; about \d+ independent windows\)\.$/,
    );
    expect(lines[2]).toMatch(
      /^ {2}[\d.]+ \(\+5\.0%\) is touched within 20 bars in \d+ of 100 cases \(base rate in the past: \d+\)\.$/,
    );
    expect(lines.at(-1)).toBe("  From 700 closed bars of fixture (XTST) to 2026-01-14T21:00:00.000Z.");
    expect(YESTERDAY).toBe(apple.time.at(-1));
  });
});

toolContract(getOdds, { ports });
