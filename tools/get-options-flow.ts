import { z } from "zod";
import {
  Alternatives,
  Detail,
  Iso,
  intBetween,
  MarketMode,
  named,
  StockText,
  Success,
} from "../src/domain/answers.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { FlowProvenance, OptionsFlow } from "../src/domain/options-flow/flow.ts";
import { ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { unknownExpiryNote } from "../src/features/options-flow/expiries.ts";
import { formatFlow } from "../src/features/options-flow/flow.text.ts";
import { readFlow } from "../src/features/options-flow/flow.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Default contracts per list. */
const DEFAULT_LIMIT = { concise: 5, full: 20 } as const;

/**
 * Returns the options activity of one symbol: volume, premium, volatility, gamma, unusual contracts; sweeps and blocks
 * with a tape.
 */
export const getOptionsFlow = defineTool({
  name: "get_options_flow",
  title: "Get options flow",
  description:
    "Returns options flow of one US stock or ETF by contract: call and put volume, open interest, premium, implied volatility, expected move, gamma, unusual ones. Use it for options trades of one symbol alone, or what traders do in an ETF itself: sweeps (null without a trade feed), unusual call buying, big bets, loading up on puts. Greeks are in get_option_chain, the whole market in get_market_tide.",
  topics: [
    "options flow",
    "option activity",
    "unusual options",
    "whale sweeps",
    "sweeps",
    "call buying",
    "open interest",
    "implied volatility",
    "iv rank",
    "volatility skew",
    "gamma exposure",
    "implied move",
    "option premium",
  ],
  toolset: "flow",
  plan: "individual",
  effect: "read",
  route: "GET /api/options-flow/:symbol",
  cli: { command: "flow" },
  needs: ["symbols", "chains", "flowTape", "flowDays", "clock", "market"],
  input: z.object({
    symbol: StockText,
    expiry: ofKind(z.iso.date(), "coming_day")
      .optional()
      .describe(
        "Only contracts that expire on this date, such as 2026-12-18. Volatility covers all expiries.",
      ),
    limit: intBetween(1, 50)
      .optional()
      .describe(
        `Contracts per list, 1-50. Default: ${DEFAULT_LIMIT.full}, or ${DEFAULT_LIMIT.concise} with detail concise.`,
      ),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string(),
    asset_class: AssetClass,
    as_of: Iso.nullable().describe("Time the figures of the chain refer to; null without a chain"),
    ...OptionsFlow.shape,
    provenance: FlowProvenance.nullable(),
    alternatives: Alternatives,
    notes: z.array(z.string()),
    market: MarketMode,
  }),
  examples: [
    { ask: "What are options traders doing in Nvidia?", input: { symbol: "NVDA" } },
    { ask: "Show the three most active Apple options", input: { symbol: "AAPL", limit: 3 } },
  ],
  terminal: (flow, paint) => [formatFlow(flow, paint), ...flow.notes].join("\n"),

  async handler({ symbol, expiry, limit, detail = "full" }, ctx) {
    const { symbols, market, signal } = ctx;
    const { instrument, alternatives } = symbols.resolve(symbol);
    const { flow, provenance, until, expiries } = await readFlow(
      instrument,
      { expiry, limit: limit ?? DEFAULT_LIMIT[detail], signal },
      ctx,
    );
    return {
      symbol: instrument.symbol,
      asset_class: instrument.asset_class,
      as_of: provenance?.as_of ?? null,
      ...flow,
      provenance,
      alternatives: alternatives.map(named),
      notes: [
        ...(provenance?.stale === true ? ["No provider responds; this is the last known chain"] : []),
        ...(until === null ? [] : [`The provider covers expiries only until ${until}`]),
        ...(expiry !== undefined && flow.coverage.status === "covered" && flow.contracts === 0
          ? [unknownExpiryNote(instrument.symbol, expiries, expiry)]
          : []),
      ],
      market: market.mode,
    };
  },
});
