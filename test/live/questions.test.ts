import { expect, it } from "vitest";
import { runAgentOperation } from "../../agents/run-agent-operation.ts";
import { detectEdge } from "../../tools/detect-edge.ts";
import { getEnhancedSignal } from "../../tools/get-enhanced-signal.ts";
import { interpretQuery } from "../../tools/interpret-query.ts";
import { call, liveSuite } from "../support/live.ts";

const suite = liveSuite("2026-11-19T16:03:20Z");

it.each<[query: string, skill: string, sentence: RegExp]>([
  [
    "What is the signal on Apple?",
    "get_signal",
    /^AAPL is \w+: .*\n(.*\n)* {2}price .* of 2026-11-19T1[56]:\d\d:.*\n(.*\n)* {2}500 1d bars to 2026-11-18T21:00:00\.000Z, (yahoo|cboe|nasdaq) \(/,
  ],
  [
    "what's the price of bitcoin?",
    "get_quote",
    /^get_quote BTC-USD:\nBTC-USD [\d.]+ USD .*\n(.*\n)?live_quote from (coinbase|binance|kraken|okx) .*, traded 2026-11-19T16:03:/,
  ],
  [
    "news on Apple",
    "get_news",
    /^get_news AAPL:\nAAPL: 1 story, .*\n[\s\S]*news of (yahoo|yahoofeed|nasdaqfeed), 72 hours to 2026-11-19T16:03:20\.000Z\n/,
  ],
  [
    "how did Apple's earnings go",
    "get_earnings",
    /^get_earnings AAPL:\nAAPL has the earnings signal \w+ .*\n(.*\n)*( {2}next +\d{4}-.*\n(.*\n)* {2}source +yahoo| {2}missing +next: No date .*\n(.*\n)* {2}source +nasdaq), 2026-11-19T16:03:20\.000Z\n/,
  ],
  ["odds of a Fed rate cut", "get_prediction_markets", /23\.5 percent.* \(polymarket, kalshi, manifold, /],
  [
    "options flow of AAPL",
    "get_options_flow",
    /^get_options_flow AAPL:\nAAPL at \$[\d.]+: options volume calls .*\n.* as of 2026-11-19T15:48:20\.000Z, from cboe\n/,
  ],
  [
    "is Congress buying AMD",
    "get_congress_signal",
    /^get_congress_signal AMD:\nNEUTRAL {2}lean .*\nThis covers only the House\. .*\n(.*\n)*AMD +1 bought, 0 sold, .*\n(.*\n)*filed 2026-10-06 to 2026-11-19\. /,
  ],
  [
    "dark pool prints in AAPL",
    "get_darkpool_prints",
    /^get_darkpool_prints AAPL:\nAAPL\nNo provider is connected\. /,
  ],
  [
    "edge on AAPL",
    "detect_edge",
    /^detect_edge AAPL:\nAAPL: UNDERPRICED: .*\n(.*\n)*as of 2026-11-19T16:03:20\.000Z; markets polymarket, kalshi, manifold, /,
  ],
  [
    "why is Apple a wait?",
    "explain_signal",
    /^explain_signal AAPL:\nAAPL is \w+: .*\n(.*\n)* {2}[+-] .*200-bar average .*\n(.*\n)* {2}500 1d bars to 2026-11-18T21:00:00\.000Z, (yahoo|cboe|nasdaq) \(/,
  ],
])("%s is answered by %s with its provider and time", async (query, skill, sentence) => {
  const { answer, results, market } = await call(suite.installation, interpretQuery, {
    query,
    detail: "full",
  });
  expect(results.filter(({ error }) => error === null).map((one) => one.skill)).toContain(skill);
  expect(answer).toMatch(sentence);
  if (skill === "get_congress_signal")
    // Its text names chambers, not providers.
    expect(JSON.stringify(results.find((one) => one.skill === skill)?.figures)).toContain("houseclerk");
  expect(answer).not.toContain("SAMPLE");
  expect(market).toBe("live");
});

it("compares prediction markets with headlines, each with its provider and time", async () => {
  const { news, ...edge } = await call(suite.installation, detectEdge, { symbol: "AAPL" });
  expect(edge).toMatchObject({
    type: "UNDERPRICED",
    marketProbability: 50.5,
    market: "live",
    as_of: "2026-11-19T16:03:20.000Z",
    markets: { venues: ["kalshi", "polymarket"], volume_usd: 406_480, half_spread: 1.5, stale: false },
    track: { resolved: 0, reason: expect.stringMatching(/^No snapshot of AAPL existed then/) },
  });
  expect(news).toMatchObject({ stories: 7, scored: 7, as_of: "2026-11-18T05:59:55.000Z" });
  expect(["yahoo of 4", "yahoofeed of 2", "nasdaqfeed of 4"]).toContain(
    `${news?.source} of ${news?.publishers}`,
  );
});

it("combines technicals, markets and news, each with its provider and time", async () => {
  const { technical, markets, news, score } = await call(suite.installation, getEnhancedSignal, {
    symbol: "BTC-USD",
  });
  expect([technical, markets, news]).toMatchObject([
    {
      weight: 0.5,
      source: expect.stringMatching(/^(coinbase|binance|kraken|okx)$/),
      as_of: "2026-11-19T00:00:00.000Z",
    },
    { weight: 0.3, source: "polymarket, kalshi, manifold", as_of: "2026-11-19T16:03:20.000Z" },
    {
      weight: 0.2,
      source: expect.stringMatching(/^(yahoo|yahoofeed|nasdaqfeed)$/),
      as_of: "2026-11-19T08:27:00.000Z",
    },
  ]);
  expect(score).toBeCloseTo(0.5 * technical.score! + 0.3 * markets.score! + 0.2 * news.score!, 1);
});

it.each([
  { operation: "signal", symbol: "AAPL" },
  { operation: "batch", symbols: ["AAPL", "BTC-USD"] },
  { operation: "top", symbols: ["AAPL", "MSFT"] },
  { operation: "news", symbol: "AAPL" },
  { operation: "markets" },
  { operation: "edge", symbol: "AAPL" },
] as const)("runs the operation $operation", async (input) => {
  const { results, market, provenance } = await call(suite.installation, runAgentOperation, input as never);
  expect(market).toBe("live");
  expect(results.length).toBeGreaterThan(0);
  expect(provenance.sources).not.toContain("sample");
  for (const { source, as_of } of results) {
    expect(source).toMatch(
      /^(yahoo|cboe|nasdaq|coinbase|binance|kraken|okx|polymarket|kalshi|manifold|globenewswire|prnewswire)/,
    );
    expect(Date.parse(as_of)).toBeLessThanOrEqual(suite.stage.clock.at());
  }
});
