import { z } from "zod";
import { num, ok, shape, text } from "./fields.ts";
import { type DocumentedRoute, get } from "./routes.ts";

/** Line 155. */
const trade = shape({
  party: z.enum(["D", "R", "I"]),
  chamber: z.enum(["house", "senate"]),
  amount: shape({ low: num, high: num }),
  type: text,
});
const trades = shape({ ok, trades: z.array(trade), net_sentiment: shape({}) });
/** Line 153. */
const aggregated = z.enum(["BUYING", "SELLING", "NEUTRAL"]);
/** Lines 202-210. */
const FILTERS = {
  ticker: ["NVDA"],
  chamber: ["house", "senate"],
  party: ["D", "R", "I"],
  type: ["buy", "sell"],
  limit: ["1", "200"],
} as const;

const prints = shape({ ok, prints: z.array(shape({ price: num, size: num })) });

/** Routes of options flow, off-exchange prints and congressional trades, lines 188-194. */
export const FLOW_ROUTES: readonly DocumentedRoute[] = [
  {
    line: 188,
    route: "GET /api/options-flow/:symbol",
    plan: "individual",
    tool: "get_options_flow",
    requests: [get("/api/options-flow/AAPL", { symbol: "AAPL" }, shape({ ok, symbol: z.literal("AAPL") }))],
  },
  {
    line: 189,
    route: "GET /api/darkpool/prints",
    plan: "individual",
    tool: "get_darkpool_prints",
    requests: [get("/api/darkpool/prints", {}, prints)],
  },
  {
    line: 190,
    route: "GET /api/options-flow/darkpool/:symbol",
    plan: "individual",
    tool: "get_darkpool_prints",
    requests: [get("/api/options-flow/darkpool/AAPL", { symbol: "AAPL" }, prints)],
  },
  {
    line: 191,
    route: "GET /api/v1/political-trades",
    plan: "founding",
    tool: "get_political_trades",
    requests: [
      get("/api/v1/political-trades", {}, trades),
      ...Object.entries(FILTERS).flatMap(([name, values]) =>
        values.map((value) =>
          get(
            `/api/v1/political-trades?${name}=${value}`,
            { [name]: name === "limit" ? Number(value) : value },
            name === "limit" || name === "ticker"
              ? trades
              : trades.refine(
                  (body) => body.trades.every((row) => row[name as "party"] === value),
                  `only ${name} ${value}`,
                ),
          ),
        ),
      ),
    ],
  },
  {
    line: 192,
    route: "GET /api/congress/trades",
    plan: "founding",
    tool: "get_congress_trades",
    requests: [get("/api/congress/trades", {}, shape({ ok, trades: z.array(shape({})).min(1) }))],
  },
  {
    line: 193,
    route: "GET /api/options-flow/congress",
    plan: "founding",
    tool: "get_congress_signal",
    requests: [get("/api/options-flow/congress", {}, shape({ ok, signal: aggregated }))],
  },
  {
    line: 194,
    route: "GET /api/options-flow/tide",
    plan: "individual",
    tool: "get_market_tide",
    requests: [
      get(
        "/api/options-flow/tide",
        {},
        shape({ ok, direction: text, put_call: shape({ total: shape({ latest: num, trend: text }) }) }),
      ),
    ],
  },
];
