import { describe, expect, it } from "vitest";
import { noNews } from "../../src/app/providers/not-connected.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { explainSignal } from "../../tools/explain-signal.ts";
import { getDarkpoolPrints } from "../../tools/get-darkpool-prints.ts";
import { getHistory } from "../../tools/get-history.ts";
import { getIndicators } from "../../tools/get-indicators.ts";
import { getNews } from "../../tools/get-news.ts";
import { getOdds } from "../../tools/get-odds.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { getSymbolPage } from "../../tools/get-symbol-page.ts";
import { simulatedMarket, smallMarket } from "../support/market.ts";
import { callerOf, invalidAmongOthers, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports, requests } = smallMarket();
const call = callerOf(getSymbolPage, ports);
const simulated = simulatedMarket("2026-01-15T15:00:00.000Z") as unknown as Ports;
const sample = callerOf(getSymbolPage, simulated);
const FULL = { symbol: "AAPL", detail: "full" } as const;

describe("get_symbol_page", () => {
  it("returns the price with its change from the close that the quote states", async () => {
    expect(await call(FULL)).toMatchObject({
      symbol: "AAPL",
      name: "Apple",
      asset_class: "equity",
      sector: "Information Technology",
      venue: "XTST",
      currency: "USD",
      timeframe: "1d",
      as_of: null,
      price: {
        price: 138,
        price_source: "live_quote",
        price_as_of: "2026-01-15T14:50:00.000Z",
        market_state: "regular",
        last_close: 137.375,
        last_close_day: "2026-01-14",
        last_close_at: "2026-01-14T21:00:00.000Z",
        change_of: "price",
        previous_close: 139.5, // the quote states a change of -1.5
        previous_close_day: null,
        previous_close_source: "quote",
        change: -1.5,
        change_percent: -1.08, // -150 / 139.5
        reason: null,
      },
    });
  });

  it("compares the last close with the close before, if there is no price", async () => {
    const { price, signal } = await call({ symbol: "NVDA", detail: "full" });
    expect(price).toMatchObject({
      price: null,
      price_reason: "No price of NVDA",
      market_state: "regular",
      last_close: 118.6875,
      change_of: "last_close",
      previous_close: 118.625,
      previous_close_day: "2026-01-13",
      previous_close_source: "daily_bars",
      change: 0.0625,
      change_percent: 0.05, // 6.25 / 118.625
    });
    expect(signal!.price_reason).toBe("No price of NVDA");
  });

  it("returns bars and indicators at the same bars, newest first", async () => {
    const { bars, indicators } = await call({ ...FULL, bars: 2, indicators: "sma(3), roc(2)" });
    expect(bars).toEqual({
      rows: [
        { datetime: "2026-01-14", open: 137.25, high: 137.875, low: 136.875, close: 137.375, volume: 1000 },
        { datetime: "2026-01-13", open: 137.125, high: 137.75, low: 136.75, close: 137.25, volume: 1000 },
      ],
      count: 2,
      forming: null,
      next_as_of: "2026-01-13T00:00:00.000Z",
      data_as_of: "2026-01-14T21:00:00.000Z",
      source: "fixture",
      venue: "XTST",
      adjustment: "split",
      omitted: null,
    });
    expect(indicators).toEqual({
      columns: ["sma(3)", "roc(2)"],
      values: [
        [137.25, 0.182315],
        [137.125, 0.182482],
      ],
    });
  });

  it("reads 250 bars by default and the bars of the signal with the same request", async () => {
    requests.length = 0;
    const { bars } = await call(FULL);
    expect(bars!.count).toBe(250);
    const own = requests.filter(({ symbol, limit }) => symbol === "AAPL" && limit > 500);
    expect(own.map(({ limit }) => limit)).toEqual([1251, 1251]);
  });

  it.each([
    ["AAPL", "1d", undefined],
    ["BTC-USD", "4h", undefined],
    ["NVDA", "1d", "2025-10-01"],
  ])("has the parts that the tools of %s on %s bars as of %s return", async (symbol, timeframe, as_of) => {
    const input = { symbol, timeframe, detail: "full", ...(as_of !== undefined && { as_of }) };
    const page = await sample({ ...input, bars: 50 });
    const limited = { ...input, limit: 50 };
    const { data } = await callerOf(getSignal, simulated)(input);
    expect(page.signal).toEqual(data);
    const explained = await callerOf(explainSignal, simulated)(input);
    expect(explained).toMatchObject(page.explanation!);
    const { signal } = data;
    const odds = await callerOf(
      getOdds,
      simulated,
    )({
      ...input,
      levels: [signal.stop_loss, ...signal.targets].map(String),
      stop: String(signal.stop_loss),
      target: String(signal.targets[0]),
    });
    expect(page.odds!.ranges.map(({ bars }) => bars)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(page.odds!.ranges.filter(({ bars }) => [1, 5, 20].includes(bars))).toEqual(
      odds.ranges.filter(({ bars }) => [1, 5, 20].includes(bars)),
    );
    expect(page.odds!.plan).toEqual(odds.plan);
    expect(page.odds!.levels.map(({ price }) => price)).toEqual(odds.levels.map(({ price }) => price));
    const history = await callerOf(getHistory, simulated)(limited);
    expect(page.bars!.rows).toEqual(history.bars);
    expect(page.bars!.forming).toEqual(history.forming);
    const { columns, rows } = await callerOf(getIndicators, simulated)(limited);
    expect(page.indicators!.columns).toEqual(columns);
    for (const [i, values] of page.indicators!.values.entries())
      for (const [j, value] of values.entries()) expect(value).toBeCloseTo(rows[i]!.values[j]!, 4);
    const news = await callerOf(
      getNews,
      simulated,
    )({ symbol, hours: 168, limit: 10, ...(as_of !== undefined && { as_of }) });
    expect(page.news).toEqual(
      news.news.map(({ title, publisher, published_at, url }) => ({ title, publisher, published_at, url })),
    );
    if (as_of !== undefined) return;
    const { levels, conviction } = await callerOf(getDarkpoolPrints, simulated)({ symbol, detail: "full" });
    expect(page.off_exchange).toMatchObject({ levels: levels.slice(0, 20), conviction });
    const { data: quote } = await callerOf(getQuote, simulated)({ symbol });
    expect([page.price.change, page.price.change_percent]).toEqual([quote.change, quote.changePercent]);
  });

  it("returns the next events by date", async () => {
    const { events } = await sample(FULL);
    expect(events!.map(({ kind, date }) => [kind, date])).toEqual([
      ["earnings", "2026-02-04"],
      ["dividend", "2026-02-08"],
    ]);
  });

  it("shows nothing that was later than as_of", async () => {
    const page = await sample({ ...FULL, as_of: "2025-10-01", bars: 5 });
    expect(page.as_of).toBe("2025-10-02T00:00:00.000Z");
    expect(page.bars!.rows[0]!.datetime).toBe("2025-10-01");
    expect(page.price).toMatchObject({
      price_source: "historical_close",
      last_close_day: "2025-10-01",
      previous_close_day: "2025-09-30",
      previous_close: page.bars!.rows[1]!.close,
      change_of: "price",
    });
    expect(page.price.price).toBe(page.bars!.rows[0]!.close);
    expect(
      JSON.stringify(page)
        .match(/"published_at":"[^"]*"/g)!
        .sort()
        .at(-1),
    ).toMatch(/2025-(09|10-01)/);
    expect(page.off_exchange!.levels.every(({ first_seen }) => first_seen < "2025-10-02")).toBe(true);
    expect(page.events_reason).toBe("Which dividends and splits were announced by a past time is not stored");
  });

  it("returns bars and the reason for missing parts on bars without signals", async () => {
    const page = await sample({ ...FULL, timeframe: "1w", bars: 3 });
    expect(page.bars!.count).toBe(3);
    const reason = "There are no signals on 1w bars, only on 1d, 4h, 1h, 30m, 15m, 5m";
    expect(page).toMatchObject({
      signal: null,
      signal_reason: reason,
      explanation: null,
      explanation_reason: reason,
      odds: null,
      odds_reason: reason,
      price: { price: null, price_reason: reason, change_of: "last_close" },
    });
    expect(page.price.change_percent).not.toBeNull();
  });

  it("returns null with a reason for each part that is unavailable or fails", async () => {
    const fail = () => Promise.reject(new ToolError("UPSTREAM_UNAVAILABLE", "No response"));
    const page = await sample(FULL, {
      news: { ...simulated.news, headlines: fail },
      marketEvents: { list: () => Promise.reject(new Error("a defect")) },
      prints: { ...simulated.prints, tape: fail },
      offExchange: { ...simulated.offExchange, days: fail },
    });
    expect(page).toMatchObject({
      news: null,
      news_reason: "No response",
      events: null,
      events_reason: "It failed; the log of the server has the cause",
      off_exchange: { levels: [], coverage: { source: null, reason: "No response" } },
    });
    expect(page.signal).not.toBeNull();
    const noBars = await call(FULL, { bars: { history: fail } });
    expect(noBars).toMatchObject({
      bars: null,
      bars_reason: "No response",
      indicators: null,
      signal: null,
      signal_reason: "No response",
      price: { price: null, change: null, reason: "No price and no daily bar" },
      news: null,
      news_reason: noNews.missing,
    });
  });

  it("has with detail concise the verdict, its odds, reasons, events and news, and says what is left out", async () => {
    const page = await sample({ symbol: "AAPL", detail: "concise" });
    const full = await sample(FULL);
    const { wyckoff, elliott, provenance, drivers, inputs, target_r, ...signal } = full.signal!;
    expect(page.signal).toEqual(signal);
    expect(page).toMatchObject({
      price: full.price,
      events: full.events,
      news: full.news!.slice(0, 3),
      bars: null,
      bars_reason: "Only if the request states a number of bars, or with detail full",
      explanation: null,
      explanation_reason: "Only with detail full, and in explain_signal",
      odds: null,
      odds_reason: "Only with detail full, and in get_odds",
      off_exchange: null,
      off_exchange_reason: "Only with detail full, and in get_darkpool_prints",
    });
    expect(page.indicators).toEqual({
      columns: full.indicators!.columns,
      values: [full.indicators!.values[0]],
    });
    expect(JSON.stringify(page).length).toBeLessThan(6_000);
  });

  it("has with detail concise at most 20 bars, on request", async () => {
    const concise = { symbol: "AAPL", detail: "concise" };
    const full = await sample(FULL);
    expect((await sample({ ...concise, bars: 2 })).bars!.rows).toEqual(full.bars!.rows.slice(0, 2));
    const page = await sample({ ...concise, bars: 100 });
    expect([page.bars!.count, page.bars_reason]).toEqual([20, null]);
    expect(page.indicators!.values).toHaveLength(1);
    expect(JSON.stringify(page).length).toBeLessThan(8_000);
  });

  it("rejects invalid input and unknown symbols", async () => {
    await expect(call({})).rejects.toMatchObject(invalidAmongOthers("/symbol"));
    await expect(call({ symbol: "APPL" })).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
    await expect(call({ ...FULL, bars: 1_001 })).rejects.toMatchObject(invalidField("/bars"));
    await expect(call({ ...FULL, indicators: "rsj" })).rejects.toMatchObject(invalidField("/indicators"));
    await expect(call({ ...FULL, as_of: "2030-01-01" })).rejects.toMatchObject(invalidField("/as_of"));
  });
});

toolContract(getSymbolPage, { ports });
