import { describe, expect, it } from "vitest";
import { runPredictionNewsAgent } from "../../agents/run-prediction-news-agent.ts";
import { noNews } from "../../src/app/providers/not-connected.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { connectBroker } from "../../tools/connect-broker.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { getEnhancedSignal } from "../../tools/get-enhanced-signal.ts";
import { brokerMarket } from "../support/brokers.ts";
import { countingMeters, pro } from "../support/context.ts";
import { climbingBars, quote } from "../support/market.ts";
import { movingClock } from "../support/store.ts";
import { toolContract } from "../support/tool-contract.ts";

/** At this time the simulated venues give a level of bitcoin 80.5 %, and three publishers were first with good news. */
const AT = new Date("2026-02-04T15:00:00.000Z");
const end = Date.UTC(2026, 1, 3);
/** The price of bitcoin on the venues, near their levels. */
const PRICE = 78_924.74;

/** Bars with a daily drift, alternating by 2 %, that end at this price. */
function tilted(drift: number) {
  const bars = climbingBars({ zone: "UTC", end });
  const count = bars.time.length;
  const raw = Array.from(bars.time, (_, i) => Math.exp(drift * i + (i % 2 === 1 ? 0.01 : -0.01)));
  const close = Float64Array.from(raw, (value) => (value * PRICE) / raw[count - 1]!);
  const open = close.map((_, i) => close[Math.max(0, i - 1)]!);
  return {
    ...bars,
    open,
    close,
    high: close.map((price, i) => 1.002 * Math.max(price, open[i]!)),
    low: close.map((price, i) => 0.998 * Math.min(price, open[i]!)),
    volume: bars.volume.map((units, i) => units * (i % 2 === 1 ? 3_000 : 1_000)),
  };
}

const of = quote({ price: PRICE, timestamp: AT.toISOString(), market_state: "always_open" });
const { ports: basePorts, clock } = await brokerMarket({
  bars: { "BTC-USD": tilted(0.004), "ETH-USD": tilted(-0.004), NVDA: climbingBars({ end }) },
  quotes: { "BTC-USD": of, "ETH-USD": of },
});
clock.pass(AT.getTime() - clock.now().getTime());
const { contracts, news } = sampleMarket({ clock: movingClock(AT) });
const ports = { ...basePorts, contracts, news, meters: countingMeters({ burst: 1_000 }).meters };
const ask = <T extends Tool>(
  tool: T,
  input: InputOf<T>,
  account = "ada",
  over: Partial<Ports> = {},
): Promise<OutputOf<T>> =>
  invoke(tool, input, { ports: { ...ports, ...over }, principal: { ...pro, account }, transport: "test" });
const credentials = { api_key: "any", api_secret: "any" };
const connect = (account: string) => ask(connectBroker, { broker: "paper", credentials }, account);

describe("the prediction and news agent", () => {
  it("buys when chart, markets and news agree, with figures of get_enhanced_signal", async () => {
    await connect("ada");
    const pass = { symbols: ["BTC-USD"], quantity: "0.01", dry_run: false };
    const { decisions } = await ask(runPredictionNewsAgent, pass);
    const { technical, markets, news: stories } = await ask(getEnhancedSignal, { symbol: "BTC-USD" });
    expect([technical.score, markets.market_probability, stories.positive_publishers]).toEqual([
      88.93, 80.5, 3,
    ]);
    expect(decisions[0]).toMatchObject({
      symbol: "BTC-USD",
      action: "buy",
      refused: null,
      order: { intent: { side: "buy", quantity: "0.01" } },
      why: "Bought, since the technical score is 88.93, minimum 85; markets give 80.5 %, minimum 70 %; publishers first with a bullish story: 3, minimum 3.",
      figures: {
        technical: { score: 88.93, reason: null, source: "fixture", as_of: technical.as_of },
        markets: {
          market_probability: 80.5,
          level: markets.level,
          by: markets.by,
          reason: null,
          source: "sample",
          as_of: markets.as_of,
        },
        news: { positive_publishers: 3, reason: null, source: "sample", as_of: stories.as_of },
        conditions: [
          { condition: "technical", passed: true, value: 88.93, needed: 85 },
          { condition: "markets", passed: true, value: 80.5, needed: 70 },
          { condition: "publishers", passed: true, value: 3, needed: 3 },
        ],
      },
    });
    const next = await ask(runPredictionNewsAgent, pass);
    expect(next.decisions[0]).toMatchObject({ action: "hold", held: "0.01", order: null });
  });

  it("buys nothing without news, and names the unmet condition", async () => {
    await connect("bob");
    const { decisions } = await ask(
      runPredictionNewsAgent,
      { symbols: ["BTC-USD"], dry_run: false, quantity: "0.01" },
      ...(["bob", { news: noNews }] as const),
    );
    expect(decisions[0]).toMatchObject({ action: "hold", order: null });
    expect(decisions[0]!.why).toMatch(/^Not bought, since no publisher count is known \(.+\), minimum 3\.$/);
  });

  it("treats cached data of an unavailable provider as unknown", async () => {
    await connect("dan");
    const stale: Partial<Ports> = {
      contracts: {
        ...contracts,
        search: async (request) => {
          const found = await contracts.search(request);
          return found && { ...found, stale: true };
        },
      },
    };
    const pass = { symbols: ["BTC-USD"], dry_run: false, quantity: "0.01" };
    const { decisions } = await ask(runPredictionNewsAgent, pass, "dan", stale);
    const [one] = decisions;
    expect(one).toMatchObject({
      action: "hold",
      order: null,
      figures: { markets: { market_probability: 80.5, stale: true }, news: { stale: false } },
    });
    expect(one!.why).toBe(
      `Not bought, since no market probability is known (last known 80.5, of ${one!.figures!.markets.as_of}), minimum 70 %.`,
    );
    expect(one!.figures!.conditions[1]).toEqual({
      condition: "markets",
      passed: false,
      value: null,
      needed: 70,
    });
  });

  it("sells its position when the chart has turned", async () => {
    await connect("cleo");
    await ask(executeTrade, { symbol: "ETH-USD", side: "buy", quantity: "0.02" }, "cleo");
    const { decisions } = await ask(runPredictionNewsAgent, { symbols: ["ETH-USD"], dry_run: false }, "cleo");
    expect(decisions[0]).toMatchObject({
      action: "sell",
      held: "0.02",
      refused: null,
      order: { intent: { side: "sell", quantity: "0.02" } },
    });
    expect(decisions[0]!.why).toMatch(/^Sold, since the technical score \d+(\.\d+)? is under 50/);
  });
});

toolContract(runPredictionNewsAgent, { ports });
