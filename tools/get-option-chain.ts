import { z } from "zod";
import {
  Alternatives,
  Detail,
  intBetween,
  MarketMode,
  named,
  StockText,
  Success,
} from "../src/domain/answers.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { OptionChainPage } from "../src/domain/options-flow/chain.ts";
import { ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { formatChain } from "../src/features/options-flow/chain.text.ts";
import { readChainPage } from "../src/features/options-flow/chain-page.ts";
import { defineTool } from "../src/kernel/tool.ts";

const DEFAULT_LIMIT = { concise: 10, full: 50 } as const;
/** Default number of strikes per expiry, if no filter by strike or delta is given. */
const DEFAULT_STRIKES = { concise: 5, full: 20 } as const;
/** Maximum number of contracts with detail concise: keeps the response under 10,000 tokens. */
const MAX_CONCISE_LIMIT = 60;

const Delta = z.number().min(0).max(1).optional();
const Strike = z.number().positive().max(1e6).optional();
const Days = intBetween(0, 2000).optional();

/** Returns the option contracts of one symbol with quotes, volatility and Greeks. */
export const getOptionChain = defineTool({
  name: "get_option_chain",
  title: "Get option chain",
  description:
    "Returns the option chain of one US stock or ETF: each listed contract with bid, ask, mid, last, volume, open interest, implied volatility, delta, gamma, theta and vega, and all expiries. Use it to look up or choose calls and puts by expiry, strike, delta or liquidity. What was traded, and what is unusual, is in get_options_flow.",
  topics: [
    "option chain",
    "option greeks",
    "option delta",
    "strike prices",
    "expiration dates",
    "covered call",
    "out-of-the-money calls",
    "weekly options",
  ],
  toolset: "flow",
  plan: "individual",
  effect: "read",
  route: "GET /api/v1/options/:symbol",
  cli: { command: "options" },
  needs: ["symbols", "chains", "clock", "market"],
  input: z.object({
    symbol: StockText,
    expiry: ofKind(
      z
        .string()
        .regex(/^(nearest|all|\d{4}-\d\d-\d\d)$/, "must be a date such as 2026-12-18, nearest, or all"),
      "coming_day",
    )
      .optional()
      .describe(
        "A date such as 2026-12-18, nearest, or all. Default: nearest; all with min_days or max_days.",
      ),
    type: z.enum(["call", "put"]).optional().describe("Only calls or only puts"),
    moneyness: z.enum(["itm", "otm"]).optional().describe("Only in (itm) or out of (otm) the money"),
    strikes: intBetween(1, 200)
      .optional()
      .describe(
        `Number of strikes per expiry nearest to the price. Default: ${DEFAULT_STRIKES.full}, or ${DEFAULT_STRIKES.concise} with detail concise; all with a filter by strike or delta.`,
      ),
    min_strike: Strike.describe("Minimum strike, US dollars"),
    max_strike: Strike.describe("Maximum strike, US dollars"),
    min_days: Days.describe("Minimum calendar days to expiry"),
    max_days: Days.describe("Maximum calendar days to expiry"),
    min_delta: Delta.describe("Minimum absolute delta, 0-1"),
    max_delta: Delta.describe("Maximum absolute delta, 0-1"),
    min_volume: intBetween(0, 1e9).optional().describe("Minimum volume of the session"),
    min_open_interest: intBetween(0, 1e9).optional().describe("Minimum open interest"),
    limit: intBetween(1, 200)
      .optional()
      .describe(
        `Contracts per page. Default: ${DEFAULT_LIMIT.full}. With detail concise: ${DEFAULT_LIMIT.concise}, at most ${MAX_CONCISE_LIMIT}.`,
      ),
    cursor: ofKind(z.string().max(30), "cursor")
      .optional()
      .describe("next_cursor of the previous page, with the same filters"),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    asset_class: AssetClass,
    ...OptionChainPage.shape,
    alternatives: Alternatives,
    notes: z.array(z.string()),
    market: MarketMode,
  }),
  examples: [
    { ask: "Apple's options that expire next, around the money", input: { symbol: "AAPL" } },
    {
      ask: "Nvidia puts with 30 to 60 days left and a delta of 0.2 to 0.3",
      input: { symbol: "NVDA", type: "put", min_days: 30, max_days: 60, min_delta: 0.2, max_delta: 0.3 },
    },
  ],
  terminal: formatChain,

  async handler({ symbol, limit, cursor, detail = "full", ...filters }, ctx) {
    const { symbols, market, signal } = ctx;
    const { instrument, alternatives } = symbols.resolve(symbol);
    const { min_days, max_days, min_strike, max_strike, min_delta, max_delta } = filters;
    const isDated = min_days !== undefined || max_days !== undefined;
    const isBounded = [min_strike, max_strike, min_delta, max_delta].some((bound) => bound !== undefined);
    const request = {
      filters: {
        ...filters,
        expiry: filters.expiry ?? (isDated ? "all" : "nearest"),
        strikes: filters.strikes ?? (isBounded ? undefined : DEFAULT_STRIKES[detail]),
      },
      limit: Math.min(limit ?? DEFAULT_LIMIT[detail], detail === "concise" ? MAX_CONCISE_LIMIT : 200),
      cursor,
      signal,
    };
    const page = await readChainPage(instrument, request, ctx);
    return {
      symbol: instrument.symbol,
      asset_class: instrument.asset_class,
      ...page,
      alternatives: alternatives.map(named),
      market: market.mode,
    };
  },
});
