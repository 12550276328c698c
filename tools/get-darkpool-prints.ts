import { z } from "zod";
import {
  Alternatives,
  AsOf,
  Detail,
  intBetween,
  MarketMode,
  NextCursor,
  named,
  Success,
  SymbolText,
  timeRange,
} from "../src/domain/answers.ts";
import {
  ConvictionRow,
  Coverage,
  DARK_DEFINITION,
  LevelRow,
  OffExchangeRow,
  OffExchangeWeekRow,
  PriceVolumeRow,
  PrintRow,
} from "../src/domain/off-exchange/darkpool.ts";
import { formatDarkPool } from "../src/features/off-exchange/dark-pool.text.ts";
import { marketPage } from "../src/features/off-exchange/market-page.ts";
import { symbolPage } from "../src/features/off-exchange/symbol-page.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Default prints per page. */
const DEFAULT_LIMIT = { full: 50, concise: 8 } as const;

/** Returns dark-pool prints of one symbol or of the market, with price levels and the off-exchange share of volume. */
export const getDarkpoolPrints = defineTool({
  name: "get_darkpool_prints",
  title: "Get dark-pool prints",
  description:
    "Returns dark pool prints, large block trades off exchange, newest first: price, size, notional and conditions; with a symbol also price levels, institutional conviction, off-exchange share of volume and short volume. Use it for hidden blocks of shares traded away from the lit exchanges. Option trades are in get_options_flow, a verdict in get_signal.",
  topics: [
    "dark pool",
    "block prints",
    "block trades",
    "off-exchange prints",
    "off-exchange volume",
    "institutional conviction",
    "smart-money conviction",
    "ics",
    "short volume",
  ],
  toolset: "flow",
  plan: "individual",
  effect: "read",
  route: "GET /api/darkpool/prints",
  http: { aliases: ["/api/options-flow/darkpool/:symbol"] },
  cli: { command: "darkpool", positionals: ["symbol"] },
  needs: ["symbols", "bars", "prints", "offExchange", "clock", "market"],
  input: z.object({
    symbol: SymbolText.optional().describe("Ticker. Without one: large prints of the whole market."),
    min_notional: z
      .number()
      .min(0)
      .max(1e12)
      .optional()
      .describe("Minimum size in US dollars, 0 to 1e12. Without a symbol: default and minimum 1,000,000."),
    since: AsOf.optional().describe(
      "Earliest report time: ISO 8601 with zone, or a date. Default: 30 days ago. Without a symbol: 1 day ago, at most 7 days ago. Alternative to from.",
    ),
    limit: intBetween(1, 200)
      .optional()
      .describe("Prints per page, 1 to 200. Default: 50. With detail concise: at most 8."),
    ...timeRange("print by its report time"),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string().nullable(),
    prints: z.array(PrintRow).describe("Newest report first"),
    count: z.number().int().nullable().describe("null if the prints are unknown; coverage gives the reason"),
    next_cursor: NextCursor,
    coverage: Coverage.describe("Coverage of the prints"),
    levels: z.array(LevelRow).describe("Largest first; only with a symbol"),
    conviction: ConvictionRow.nullable().describe("null without a symbol or daily bars"),
    off_exchange: z
      .object({
        days: z.array(OffExchangeRow).describe("Newest first"),
        coverage: Coverage,
        weeks: z.array(OffExchangeWeekRow).describe("Newest first, with detail full"),
        weeks_coverage: Coverage.nullable(),
        prices: z.array(PriceVolumeRow).describe("Newest day, highest price first, with detail full"),
        prices_coverage: Coverage.nullable(),
      })
      .nullable()
      .describe("null without a symbol"),
    meaning: z.literal(DARK_DEFINITION).prefault(DARK_DEFINITION),
    notes: z.array(z.string()),
    alternatives: Alternatives,
    market: MarketMode,
  }),
  examples: [
    { ask: "Any dark-pool prints in Nvidia?", input: { symbol: "NVDA", limit: 20 } },
    {
      ask: "Which blocks of ten million dollars or more were printed off exchange?",
      input: { min_notional: 10_000_000 },
    },
  ],
  terminal: formatDarkPool,

  async handler({ symbol, detail = "full", limit = DEFAULT_LIMIT[detail], ...rest }, ctx) {
    const size = detail === "full" ? limit : Math.min(limit, DEFAULT_LIMIT.concise);
    const request = { ...rest, limit: size, detail };
    const market = ctx.market.mode;
    if (symbol === undefined) return { ...(await marketPage(request, ctx)), alternatives: [], market };
    const { instrument, alternatives } = ctx.symbols.resolve(symbol);
    const page = await symbolPage(instrument, request, ctx);
    return { ...page, alternatives: alternatives.map(named), market };
  },
});
