import { z } from "zod";
import {
  analysis,
  day,
  demo,
  direction,
  earnings,
  edge,
  health,
  historyOf,
  legacyCard,
  num,
  ok,
  quote,
  routed,
  scale,
  scan,
  screener,
  shape,
  signal,
  task,
  text,
} from "./fields.ts";
import { type DocumentedRoute, get, post } from "./routes.ts";

/** Line 145. */
const TASK = { task: "signal_analysis", symbols: ["AAPL"], context: { timeframe: "daily" } };
const LIST = ["AAPL", "NVDA", "BTC/USD"];
/** Line 87 and 94: what a quote echoes. */
const quoteOf = (symbol: string, asset_class: string) =>
  quote.and(shape({ symbol: z.literal(symbol), asset_class: z.literal(asset_class) }));

/** Routes of quotes, signals and analyses, lines 168-187. */
export const ANALYTICS_ROUTES: readonly DocumentedRoute[] = [
  {
    line: 168,
    route: "GET /api/v1/health",
    plan: "open",
    tool: "get_health",
    requests: [get("/api/v1/health", {}, health)],
  },
  {
    line: 169,
    route: "GET /api/v1/quote/:symbol",
    plan: "member",
    tool: "get_quote",
    requests: [
      get("/api/v1/quote/AAPL", { symbol: "AAPL" }, quoteOf("AAPL", "equity")),
      get("/api/v1/quote/SPY", { symbol: "SPY" }, quoteOf("SPY", "etf")),
      get("/api/v1/quote/BTC/USD", { symbol: "BTC/USD" }, quoteOf("BTC-USD", "crypto")),
      get("/api/v1/quote/BTC-USD", { symbol: "BTC-USD" }, quoteOf("BTC-USD", "crypto")),
      // line 96: CVX is a stock and a token
      get("/api/v1/quote/CVX", { symbol: "CVX" }, quoteOf("CVX", "equity")),
      get("/api/v1/quote/LINK/USD", { symbol: "LINK/USD" }, quoteOf("LINK-USD", "crypto")),
    ],
  },
  {
    line: 170,
    route: "GET /api/v1/signals/{symbol}",
    plan: "pro",
    tool: "get_signal",
    requests: [
      get("/api/v1/signals/AAPL", { symbol: "AAPL" }, signal),
      get(
        "/api/v1/signals/CVX",
        { symbol: "CVX" },
        signal.and(shape({ data: shape({ asset_class: z.literal("equity") }) })),
      ),
      get(
        "/api/v1/signals/LINK/USD",
        { symbol: "LINK/USD" },
        shape({ data: shape({ asset_class: z.literal("crypto") }) }),
      ),
      // line 73: major crypto assets are in the nightly universe
      get(
        "/api/v1/signals/BTC-USD",
        { symbol: "BTC-USD" },
        shape({ data: shape({ engine_available: z.literal(true), engine: shape({}) }) }),
      ),
    ],
  },
  {
    line: 171,
    route: "GET /api/v1/signal",
    plan: "pro",
    tool: "get_signal_card",
    requests: [
      get("/api/v1/signal?sym=AAPL", { sym: "AAPL" }, legacyCard),
      // line 16: no wave validates
      get("/api/v1/signal?sym=MSFT", { sym: "MSFT" }, legacyCard),
    ],
  },
  {
    line: 172,
    route: "GET /api/v1/demo",
    plan: "open",
    tool: "get_demo",
    requests: [get("/api/v1/demo", {}, demo)],
  },
  {
    line: 173,
    route: "GET /api/v1/history/:symbol",
    plan: "pro",
    tool: "get_history",
    requests: [
      get("/api/v1/history/AAPL", { symbol: "AAPL" }, historyOf("1d", day)),
      ...(
        [
          ["daily", historyOf("1d", day)],
          ["4h", historyOf("4h")],
          ["1h", historyOf("1h")],
          ["intraday", historyOf("15m")],
        ] as const
      ).map(([timeframe, answer]) =>
        get(`/api/v1/history/AAPL?timeframe=${timeframe}`, { symbol: "AAPL", timeframe }, answer),
      ),
    ],
  },
  {
    line: 174,
    route: "POST /api/v1/scan",
    plan: "pro",
    tool: "scan_symbols",
    requests: [
      post("/api/v1/scan", { symbols: LIST }, scan),
      post("/api/v1/scan", { symbols: LIST, tier: "HOT" }, scan),
      post("/api/v1/scan", { symbols: LIST, tier: "WATCH" }, scan),
      post("/api/v1/scan", { symbols: LIST, tier: "NEUTRAL", min_score: 40 }, scan),
    ],
  },
  {
    line: 175,
    route: "GET /api/v1/screener",
    plan: "pro",
    tool: "screen_universe",
    requests: [get("/api/v1/screener", {}, screener)],
  },
  {
    line: 176,
    route: "GET /api/v1/analysis",
    plan: "pro",
    tool: "get_analysis",
    requests: [get("/api/v1/analysis?sym=AAPL", { sym: "AAPL" }, analysis)],
  },
  {
    line: 177,
    route: "GET /api/v1/earnings",
    plan: "pro",
    tool: "get_earnings",
    requests: [get("/api/v1/earnings?symbol=AAPL", { symbol: "AAPL" }, earnings)],
  },
  {
    line: 178,
    route: "POST /api/v1/interpret",
    plan: "pro",
    tool: "interpret_query",
    requests: [
      post(
        "/api/v1/interpret",
        { query: "What is the signal on Apple and bitcoin?" },
        shape({
          ok,
          symbols: z.tuple([z.literal("AAPL"), z.literal("BTC-USD")]),
          results: z.array(shape({ skill: text, error: z.null() })).min(2),
        }),
      ),
    ],
  },
  {
    line: 179,
    route: "GET /api/v1/signal-index",
    plan: "pro",
    tool: "get_signal_index",
    requests: [get("/api/v1/signal-index", {}, shape({ ok, value: scale }))],
  },
  {
    line: 180,
    route: "GET /api/v1/index/svc",
    plan: "enterprise",
    tool: "get_service_index",
    requests: [get("/api/v1/index/svc", {}, shape({ ok, value: scale }))],
  },
  {
    line: 181,
    route: "POST /api/v1/a2a",
    plan: "pro",
    tool: "run_task",
    requests: [post("/api/v1/a2a", TASK, task)],
  },
  {
    line: 182,
    route: "POST /api/v1/a2a/route",
    plan: "enterprise",
    tool: "route_request",
    requests: [post("/api/v1/a2a/route", TASK, routed)],
  },
  {
    line: 183,
    route: "GET /api/v1/agents",
    plan: "pro",
    tool: "run_agent_operation",
    requests: [
      ["operation=signal&symbol=AAPL", { operation: "signal", symbol: "AAPL" }] as const,
      ["operation=batch&symbols=AAPL,BTC-USD", { operation: "batch", symbols: ["AAPL", "BTC-USD"] }] as const,
      ["operation=top", { operation: "top" }] as const,
      ["operation=news&symbol=AAPL", { operation: "news", symbol: "AAPL" }] as const,
      ["operation=markets", { operation: "markets" }] as const,
      ["operation=edge&symbol=AAPL", { operation: "edge", symbol: "AAPL" }] as const,
    ].map(([query, input]) =>
      get(`/api/v1/agents?${query}`, input, shape({ ok, operation: z.literal(input.operation) })),
    ) as unknown as DocumentedRoute["requests"],
  },
  {
    line: 184,
    route: "POST /api/v1/backtest",
    plan: "founding",
    tool: "run_backtest",
    requests: [
      post(
        "/api/v1/backtest",
        { symbol: "AAPL", strategy: "sma_cross" },
        shape({ ok, metrics: shape({ sharpe_ratio: num, max_drawdown: num, win_rate: num }) }),
      ),
    ],
  },
  {
    line: 185,
    route: "GET /api/edge-detection",
    plan: "pro",
    tool: "detect_edge",
    requests: [get("/api/edge-detection?sym=AAPL", { sym: "AAPL" }, edge)],
  },
  {
    line: 186,
    route: "GET /api/prediction-markets",
    plan: "pro",
    tool: "get_prediction_markets",
    requests: [
      get(
        "/api/prediction-markets",
        {},
        shape({
          ok,
          contracts: z.array(shape({ venue: text })).min(1),
          coverage: z.array(shape({})).length(3),
        }),
      ),
    ],
  },
  {
    line: 187,
    route: "GET /api/v1/enhanced-signal",
    plan: "pro",
    tool: "get_enhanced_signal",
    requests: [
      get(
        "/api/v1/enhanced-signal?sym=AAPL",
        { sym: "AAPL" },
        shape({ ok, direction, score: scale, technical: shape({}), markets: shape({}), news: shape({}) }),
      ),
    ],
  },
];
