import { describe, expect, it } from "vitest";
import type { Ports } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { detectEdge } from "../../tools/detect-edge.ts";
import { getEnhancedSignal } from "../../tools/get-enhanced-signal.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { pro } from "../support/context.ts";
import { climbingBars, marketOf, simulatedMarket, smallMarket, withOmittedRow } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = smallMarket();
const NOW = "2026-07-01T14:00:00Z";
const called = { principal: pro, transport: "test" };
const whole = simulatedMarket(NOW);
const ask = (input: unknown, otherPorts: Partial<Ports> = whole) =>
  invoke(getEnhancedSignal, input, { ports: { ...ports, ...otherPorts }, ...called });

describe("get_enhanced_signal", () => {
  it("weighs technicals, markets and news by .5, .3 and .2", async () => {
    const { technical, markets, news, score, direction, agreement, reasons } = await ask({ symbol: "NVDA" });
    expect([technical.weight, markets.weight, news.weight]).toEqual([0.5, 0.3, 0.2]);
    expect(score).toBeCloseTo(0.5 * technical.score! + 0.3 * markets.score! + 0.2 * news.score!, 1);
    expect(direction).toBe(score! >= 62.5 ? "LONG" : score! <= 37.5 ? "SHORT" : "WAIT");
    const parts = [technical, markets, news];
    for (const part of parts) {
      const way = part.score! >= 55 ? "up" : part.score! <= 45 ? "down" : "flat";
      expect(part).toMatchObject({ way, source: "sample", reason: null });
    }
    const same = parts.filter(({ way }) => way === agreement!.way).length;
    expect(agreement).toMatchObject({ same_way: same, of: 3, share: Math.round((same / 3) * 1e4) / 1e4 });
    expect(reasons).toHaveLength(4);
  });

  it("notes the rows left out of its bars", async () => {
    expect((await ask({ symbol: "NVDA" })).notes).toEqual([]);
    expect((await ask({ symbol: "NVDA" }, withOmittedRow(whole))).notes).toEqual([
      "1 row of bars was left out: 1 without a valid price (2026-01-12).",
    ]);
  });

  it("contains the signal of get_signal and the sides of detect_edge", async () => {
    const own = await ask({ symbol: "NVDA" });
    const { data } = await invoke(getSignal, { symbol: "NVDA" }, { ports: whole, ...called });
    const { direction, score, grade, tier, confidence, model_version } = data.signal;
    expect(own.technical.signal).toEqual({
      direction,
      grade,
      tier,
      model_version,
      score: Number(score!.toFixed(2)),
      confidence: Number(confidence.toFixed(4)),
    });
    // without the tilt groups: price groups weigh 25, 20, 15, 15 and 5 of 80
    const { trend, momentum, volume, relative_strength, volatility } = data.signal.component_scores;
    const core =
      (25 * trend! + 20 * momentum! + 15 * volume! + 15 * relative_strength! + 5 * volatility!) / 80;
    expect(own.technical.score).toBeCloseTo(core, 2);
    const edge = await invoke(detectEdge, { symbol: "NVDA" }, { ports: whole, ...called });
    expect(own.markets).toMatchObject({
      market_probability: edge.marketProbability,
      neutral_probability: edge.markets.neutral_probability,
    });
    expect(own.news.score).toBeCloseTo(50 + 50 * edge.news.lean!, 1);
    const points = edge.marketProbability! - edge.markets.neutral_probability!;
    expect(own.markets.score).toBeCloseTo(50 + 50 * Math.max(-1, Math.min(1, points / 15)), 2);
  });

  it("returns the same for a past moment, regardless of later data", async () => {
    const input = { symbol: "BTC-USD", as_of: "2025-06-30T12:00:00Z" };
    const late = await ask(input);
    expect(await ask(input, simulatedMarket("2025-07-02T00:00:00Z"))).toEqual(late);
    for (const { as_of } of [late.technical, late.markets, late.news])
      expect(as_of! <= late.as_of).toBe(true);
  });

  it("is as of its latest part by default", async () => {
    const { as_of, technical, markets, news } = await ask({ symbol: "NVDA" });
    expect(as_of).toBe(
      [technical, markets, news]
        .map((part) => part.as_of!)
        .toSorted()
        .at(-1),
    );
    const alone = await ask({ symbol: "AAPL" }, ports);
    expect(alone.as_of).toBe(alone.technical.as_of);
  });

  it("uses the available parts, and names the settings that connect the others", async () => {
    const alone = await ask({ symbol: "AAPL" }, ports);
    expect(alone).toMatchObject({
      score: alone.technical.score,
      agreement: null,
      null_reason: null,
      technical: { weight: 1 },
      markets: { score: null, weight: 0, reason: expect.stringContaining("MARKET_DATA=live") },
      news: { score: null, weight: 0, reason: expect.stringContaining("MARKET_DATA=live"), stories: null },
    });
    expect(alone.reasons.at(-1)).toBe("Only one part is available, so there is no agreement to compute");
  });

  it("has no score when the available parts weigh less than half", async () => {
    const few = marketOf({ bars: { AAPL: climbingBars({ count: 100 }) } });
    const answer = await ask({ symbol: "AAPL" }, few.ports);
    expect(answer).toMatchObject({ score: null, direction: "WAIT", agreement: null });
    expect(answer.null_reason).toMatch(/Technical missing: .*252 bars.*Markets missing.*News missing/);
  });

  it("answers in fewer than 1,000 tokens", async () => {
    expect(JSON.stringify(await ask({ symbol: "AAPL" })).length / 4).toBeLessThan(1_000);
  });
});

toolContract(getEnhancedSignal, { ports: whole });
