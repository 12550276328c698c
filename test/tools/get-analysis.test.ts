import { describe, expect, it } from "vitest";
import { noNews } from "../../src/app/providers/not-connected.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getAnalysis } from "../../tools/get-analysis.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { pro } from "../support/context.ts";
import { climbingBars, quote, smallMarket } from "../support/market.ts";
import { invalidAmongOthers } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = smallMarket();
const call = { ports, principal: pro, transport: "test" };
const analyse = (input: Record<string, unknown>) => invoke(getAnalysis, input, call);

describe("get_analysis", () => {
  it("describes the bars of a rising stock, each figure computed by hand", async () => {
    const { analysis, ...rest } = await analyse({ symbol: "AAPL" });
    expect(analysis).toEqual({
      summary:
        "AAPL: LONG, grade A+, score 86.4 of 100, on 300 1d bars to 2026-01-14T21:00:00.000Z. The close 137.38 is 7.4% above its 30-week average 127.94; Weinstein stage 2, advancing; RSI 100.0; MACD none. No valid pattern was completed in the last 5 bars. LONG plan: stop 135.87, first target 141.63.",
      patterns: [],
      sentiment: `technical: bullish (score 86.4 of 100); news is not included (${noNews.missing})`,
      catalysts: [],
      catalysts_reason: noNews.missing,
      risks: [
        "The LONG plan is invalid at the stop 135.87: 1.1% or 1.5 average true ranges below the close 137.38.",
        "The price 138.00 is outside the entry zone 137.13 to 137.63: an entry there has a different reward to risk than the plan.",
        "RSI is 100.0: overbought, 70 or more.",
        "The close 137.38 is at 98.5% of the year's range 105.50 to 137.88: few swing highs above can serve as targets.",
        "Turnover is thin: 136,188 USD a day over the last 20 days.",
      ],
      technicals: {
        rsi: 100,
        macd_cross: "none",
        macd_cross_at: null,
        stage: 2,
        above_30wma: true,
        // Fridays 5 bars or .625 apart, the newest of them 3 bars before Wednesday 14 January: 137 - 14.5 x .625
        average_30w: 127.94, // 127.9375
        distance_30w_percent: 7.38, // 100 x (137.375 / 127.9375 - 1)
        atr: 1,
        atr_percent: 0.73, // 100 / 137.375
        // the lowest of 252: a value counts half for itself
        volatility_percentile: 0.2, // 100 x 0.5 / 252
        year_low: 105.5,
        year_high: 137.875,
        year_position: 98.46, // 100 x (137.375 - 105.5) / (137.875 - 105.5)
        volume_ratio: 1,
        indicators: expect.objectContaining({ volume_sma: 1000, vwap: 137.375, aroon_up: 100, macd_hist: 0 }),
        reasons: { macd_cross_at: "MACD has not crossed within the bars read" },
      },
      pattern_details: [],
      wyckoff: expect.objectContaining({ phase: "Undetermined" }),
      elliott: expect.objectContaining({ available: false }),
    });
    expect(rest).toMatchObject({
      ok: true,
      symbol: "AAPL",
      timeframe: "1d",
      price: 138,
      price_source: "live_quote",
      price_reason: null,
      asset_class: "equity",
      venue: "XTST",
      source: "fixture",
      market: "sample",
      bars: { count: 300, as_of: "2026-01-14T21:00:00.000Z", adjustment: "split" },
      data_as_of: "2026-01-15T14:50:00.000Z",
      provenance: { bars: { provider: "fixture" }, price: { delay_minutes: 0 } },
      levels: { side: "LONG", basis: "signal", stop_loss: 135.87 },
      notes: [],
    });
  });

  it.each(["AAPL", "MSFT", "LINK-USD"])("uses the signal that get_signal returns for %s", async (symbol) => {
    const { direction, score, grade, levels, inputs_hash, provenance } = await analyse({ symbol });
    const { data } = await invoke(getSignal, { symbol }, call);
    expect({ direction, score, grade, inputs_hash }).toEqual({
      direction: data.signal.direction,
      score: data.signal.score,
      grade: data.signal.grade,
      inputs_hash: data.inputs_hash,
    });
    expect(levels).toMatchObject({
      stop_loss: data.signal.stop_loss,
      targets: data.signal.targets,
      reward_to_risk: data.signal.reward_to_risk,
    });
    expect(provenance).toEqual(data.provenance);
  });

  it("returns a pattern with its definition, source and the risk when it contradicts the side", async () => {
    const bars = climbingBars({ step: -0.25, first: 200 });
    bars.open[299] = 125.5;
    bars.high[299] = 125.5;
    bars.low[299] = 124.5; // closes at 125.25
    const market = smallMarket({
      bars: { AAPL: bars, SPY: climbingBars() },
      quotes: { AAPL: quote({ price: 128 }) },
    });
    const { analysis } = await invoke(getAnalysis, { symbol: "AAPL" }, { ...call, ports: market.ports });
    expect(analysis.patterns).toEqual(["Hammer"]);
    expect(analysis.summary).toContain("Patterns of the last 5 bars: Hammer.");
    expect(analysis.sentiment).toMatch(/^technical: bearish/);
    expect(analysis.pattern_details).toEqual([
      {
        id: "hammer",
        name: "Hammer",
        direction: "bullish",
        definition: expect.stringContaining("After a decline"),
        source: expect.stringContaining("Nison (1991)"),
        from: "2026-01-14",
        confirmed_at: "2026-01-14",
        level: null,
        void_price: 124.5,
        status: "valid",
        void_at: null,
      },
    ]);
    expect(analysis.risks).toContain(
      "Hammer of 2026-01-14 contradicts the SHORT side until a close beyond 124.50.",
    );
    expect(analysis.risks).toContain("The price 128.00 is already beyond the stop 127.00.");
  });

  it("returns null for unknown figures, with the reason", async () => {
    const { analysis, price, price_reason } = await analyse({ symbol: "ETH-USD", timeframe: "4h" });
    const week = "A 30-week average needs 30 completed weeks, there are 7";
    expect(analysis.technicals).toMatchObject({
      stage: null,
      above_30wma: null,
      average_30w: null,
      year_high: null,
      reasons: {
        stage: "A stage needs 34 completed weeks, there are 7",
        above_30wma: week,
        average_30w: week,
        year_high: "A year's range is computed on daily bars only",
      },
    });
    expect([price, price_reason]).toEqual([null, expect.stringMatching(/\w/)]);
  });

  it("returns a past analysis with the close of that day, without a note on age", async () => {
    const answer = await analyse({ symbol: "AAPL", as_of: "2025-12-31" });
    expect(answer).toMatchObject({
      price: 137.375 - 10 * 0.125,
      price_source: "historical_close",
      data_as_of: "2025-12-31T21:00:00.000Z",
      notes: [],
    });
  });

  it("rejects invalid input, unknown symbols and too few bars", async () => {
    await expect(analyse({})).rejects.toMatchObject(invalidAmongOthers("/symbol"));
    await expect(analyse({ symbol: "APPL" })).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
    const { ports: young } = smallMarket({ bars: { AAPL: climbingBars({ count: 14 }) } });
    await expect(invoke(getAnalysis, { symbol: "AAPL" }, { ...call, ports: young })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      data: { available: 14, required: 15 },
    });
  });
});

toolContract(getAnalysis, { ports });
