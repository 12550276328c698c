import { describe, expect, it } from "vitest";
import { runEdgeAgent } from "../../agents/run-edge-agent.ts";
import { brokersOf } from "../../src/app/providers/brokers.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import type { InputOf, OutputOf, Tool } from "../../src/kernel/tool.ts";
import { createCache } from "../../src/market/cache.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../src/market/symbols/listings.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { paperRepository } from "../../src/store/trading/paper-repository.ts";
import { connectBroker } from "../../tools/connect-broker.ts";
import { detectEdge } from "../../tools/detect-edge.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { listPositions } from "../../tools/list-positions.ts";
import { syncPositions } from "../../tools/sync-positions.ts";
import { brokerMarket } from "../support/brokers.ts";
import { countingMeters, pro } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";

/** Monday, 11:00 in New York: the simulated venues give Apple (HIGH) and Nvidia (MEDIUM) a far lower probability
 * than the news, and Amazon (MEDIUM) a higher one. */
const MONDAY = Date.UTC(2026, 2, 16, 15);

const { ports: basePorts, clock, store } = await brokerMarket();
clock.pass(MONDAY - clock.now().getTime());
const { members, ...simulated } = sampleMarket({ clock });
const symbols = createDirectory({ members, listings: embeddedListings() });
const market = {
  ...basePorts,
  ...simulated,
  market: basePorts.market,
  symbols,
  cache: createCache(clock),
  clock,
};
const ports = {
  ...market,
  meters: countingMeters({ burst: 1_000 }).meters,
  brokers: brokersOf({
    ...market,
    book: paperRepository({ db: store.db, market: market.market.id }),
    live: false,
  }),
};
const ask = <T extends Tool>(tool: T, input: InputOf<T>, account = "ada"): Promise<OutputOf<T>> =>
  invoke(tool, input, { ports, principal: { ...pro, account }, transport: "test" });
const credentials = { api_key: "any", api_secret: "any" };

describe("the edge agent", () => {
  it("buys once on an UNDERPRICED edge of actionability HIGH, with the figures of detect_edge", async () => {
    await ask(connectBroker, { broker: "paper", credentials });
    const edge = await ask(detectEdge, { symbol: "AAPL" });
    expect([edge.type, edge.actionability]).toEqual(["UNDERPRICED", "HIGH"]);
    const pass = { symbols: ["AAPL", "SPY"], quantity: "1", dry_run: false };
    const { decisions, market: mode } = await ask(runEdgeAgent, pass);
    expect(mode).toBe("sample");
    expect(decisions[0]).toMatchObject({
      symbol: "AAPL",
      action: "buy",
      refused: null,
      order: { intent: { side: "buy", quantity: "1" } },
      why: `UNDERPRICED with actionability HIGH: markets give ${edge.marketProbability} %, news ${edge.newsSentiment} %, ${edge.divergence} points apart; full size at HIGH.`,
      figures: {
        type: edge.type,
        actionability: edge.actionability,
        score: edge.score,
        null_reason: null,
        market_probability: edge.marketProbability,
        news_probability: edge.newsSentiment,
        divergence: edge.divergence,
        market_source: "sample",
        market_as_of: edge.markets.as_of,
        news_source: "sample",
        news_as_of: edge.news.as_of,
        stale: false,
        as_of: edge.as_of,
      },
    });
    expect(decisions[1]).toMatchObject({ symbol: "SPY", action: "hold", order: null, refused: null });
    const next = await ask(runEdgeAgent, pass);
    expect(next.decisions[0]).toMatchObject({ action: "hold", order: null });
    expect(next.decisions[0]!.why).toMatch(/; a buy, but a position is already held\.$/);
  });

  it("trades half the size at MEDIUM on paper, and says so", async () => {
    await ask(connectBroker, { broker: "paper", credentials }, "eve");
    // with working exits for all units
    const exits = { stop_loss: "20", take_profit: "5000" };
    await ask(executeTrade, { symbol: "AMZN", side: "buy", quantity: "5", ...exits }, "eve");
    const pass = { symbols: ["NVDA", "AMZN"], quantity: "1", dry_run: false };
    const { decisions } = await ask(runEdgeAgent, pass, "eve");
    const shown = decisions.map(({ symbol, action, order, refused, figures }) => ({
      symbol,
      action,
      quantity: order?.intent.quantity,
      refused,
      actionability: figures?.actionability,
    }));
    const medium = { refused: null, actionability: "MEDIUM" };
    expect(shown).toEqual([
      { symbol: "NVDA", action: "buy", quantity: "0.5", ...medium },
      { symbol: "AMZN", action: "sell", quantity: "2.5", ...medium },
    ]);
    await ask(syncPositions, {}, "eve");
    const { positions } = await ask(listPositions, {}, "eve");
    expect(positions.map(({ symbol, quantity }) => [symbol, quantity]).toSorted()).toEqual([
      ["AMZN", "2.5"],
      ["NVDA", "0.5"],
    ]);
    for (const { why } of decisions)
      expect(why).toMatch(
        /with actionability MEDIUM: .* points apart; half size at MEDIUM, on paper only\.$/,
      );
  });

  it("does not trade on cached data of an unavailable provider", async () => {
    await ask(connectBroker, { broker: "paper", credentials }, "bob");
    const { news } = ports;
    const headlines: typeof news.headlines = async (...requests) => {
      const feed = await news.headlines(...requests);
      return feed && { ...feed, stale: true };
    };
    const { decisions } = await invoke(
      runEdgeAgent,
      { symbols: ["AAPL"], quantity: "1", dry_run: false },
      {
        ports: { ...ports, cache: createCache(clock), news: { ...news, headlines } },
        principal: { ...pro, account: "bob" },
        transport: "test",
      },
    );
    expect(decisions[0]).toMatchObject({ action: "hold", order: null, figures: { stale: true } });
    expect(decisions[0]!.why).toMatch(
      /^UNDERPRICED with actionability HIGH: .+; no action, because news providers do not respond, and this is the last known response\.$/,
    );
  });
});

toolContract(runEdgeAgent, { ports });
