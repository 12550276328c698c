import { z } from "zod";
import { consensusOf } from "../src/analytics/contracts/aggregate.ts";
import { laddersOf } from "../src/analytics/contracts/ladders.ts";
import {
  Alternatives,
  AsOf,
  Count,
  Detail,
  Iso,
  intBetween,
  MarketMode,
  NextCursor,
  named,
  outsideTextNotice,
  Success,
  SymbolText,
} from "../src/domain/answers.ts";
import {
  CONTRACT_OUTSIDE_TEXT,
  ConsensusRow,
  LadderRow,
  ListedContract,
  MarketDriverRow,
  PriceLevelRow,
  VenueCoverage,
} from "../src/domain/prediction-markets/contracts.ts";
import { ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { formatContracts } from "../src/features/prediction-markets/contracts.text.ts";
import { findContracts, findTopicContracts } from "../src/features/prediction-markets/contracts-for.ts";
import { readMarketDriver } from "../src/features/prediction-markets/market-driver.ts";
import {
  contractPage,
  ladderPage,
  listedContract,
  PAGE_LIMITS,
} from "../src/features/prediction-markets/page.ts";
import { levelRow, parseQuery, parseVenues } from "../src/features/prediction-markets/query.ts";
import { parsePastTime } from "../src/features/signal/past-time.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Default number of contracts. */
const DEFAULT_LIMIT = { full: 20, concise: PAGE_LIMITS.concise.contracts } as const;

/** Returns open prediction market contracts on a symbol, company or topic, from all venues. */
export const getPredictionMarkets = defineTool({
  name: "get_prediction_markets",
  title: "Get prediction markets",
  description:
    "Returns prediction markets on a symbol, company or topic: open questions and betting contracts on Polymarket, Kalshi and Manifold with the odds or probability that bettors give, volume, closing time and price ladders. Use it for the odds or chance of an event that people are betting on: a Fed rate cut, inflation, a recession, an election, a price level by year end. News is in get_news.",
  topics: [
    "prediction markets",
    "polymarket",
    "kalshi",
    "manifold",
    "betting odds",
    "event contracts",
    "fed rate cut",
    "rate hike",
    "recession odds",
    "election odds",
    "inflation odds",
    "price ladder",
  ],
  toolset: "prediction",
  plan: "pro",
  effect: "read",
  route: "GET /api/prediction-markets",
  cli: { command: "markets" },
  needs: ["symbols", "contracts", "contractHistory", "bars", "quotes", "clock", "market"],
  input: z.object({
    symbol: SymbolText.optional().describe("Ticker or crypto pair: only contracts about it"),
    query: z
      .string()
      .trim()
      .min(2)
      .max(100)
      .optional()
      .describe(
        "Company name or topic, e.g. 'apple' or 'Fed rate cut'. Default without a symbol: the economy.",
      ),
    venue: z
      .string()
      .trim()
      .toLowerCase()
      .max(40)
      .optional()
      .describe("Only this venue, named as in the output"),
    min_volume: z
      .number()
      .min(0)
      .max(1e12)
      .default(0)
      .describe("Minimum volume since listing, in the unit of each contract"),
    limit: intBetween(1, 100)
      .optional()
      .describe(
        `Contracts per page, 1-100. Default: ${DEFAULT_LIMIT.full}. With detail concise: at most ${DEFAULT_LIMIT.concise}.`,
      ),
    cursor: ofKind(z.string().max(400), "cursor")
      .optional()
      .describe("next_cursor of the previous page, with the same filters"),
    as_of: AsOf.optional(),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    symbol: z.string().nullable().describe("Canonical symbol; null for a topic"),
    topic: z.string().nullable().describe("The query as sent"),
    contracts: z
      .array(ListedContract.extend({ price_level: PriceLevelRow.nullable() }))
      .describe("Contracts only about the symbol first, then by relevance, then by money traded"),
    count: Count,
    next_cursor: NextCursor,
    outside_text: outsideTextNotice(CONTRACT_OUTSIDE_TEXT),
    total: Count.nullable().describe(
      "Number of relevant contracts that pass the filters, on all pages; null if no venue responded",
    ),
    reason: z.string().nullable().describe("Why there are no contracts; otherwise null"),
    consensus: z.array(ConsensusRow).describe("The contracts above grouped by question across venues"),
    ladders: z
      .array(LadderRow)
      .describe(
        "Related contracts of one event, such as price thresholds; with detail concise the rungs nearest to even odds",
      ),
    driver: MarketDriverRow.nullable().describe("Current value of the driver k_mkt; null for a topic"),
    coverage: z.array(VenueCoverage).describe("Response of each venue"),
    left_out: Count.nullable().describe(
      "Number of returned contracts that were omitted because they only resemble the subject; null if no venue responded",
    ),
    source: z.string().nullable().describe("Providers of the contracts; null if no venue is connected"),
    as_of: Iso.nullable().describe("No figure is later than this time"),
    stale: z.boolean().describe("true: a venue did not respond, so its last known response is used"),
    alternatives: Alternatives,
    market: MarketMode,
  }),
  examples: [
    { ask: "What do prediction markets say about Apple's share price?", input: { symbol: "AAPL" } },
    { ask: "How likely is a Fed rate cut?", input: { query: "Fed rate cut", limit: 10 } },
  ],
  terminal: formatContracts,

  async handler(
    { symbol, query, venue, min_volume, as_of, cursor, detail = "full", limit = DEFAULT_LIMIT[detail] },
    ctx,
  ) {
    const { contracts: port, signal } = ctx;
    const venues = parseVenues(venue, port);
    const now = ctx.clock.now();
    const until = as_of === undefined ? now.getTime() : parsePastTime(as_of, now);
    const asOf = until < now.getTime() ? until : undefined;
    const { instrument, alternatives, topics } = parseQuery({ symbol, query }, ctx.symbols);
    const options = { signal, ...(venues !== null && { venues }), ...(asOf !== undefined && { asOf }) };
    const [topic] = topics;
    if (instrument !== null && asOf === undefined) ctx.contractHistory.requestSnapshot(instrument);
    const found =
      instrument === null
        ? await findTopicContracts(topics, options, ctx)
        : await findContracts(instrument, { ...options, ...(topic !== undefined && { topic }) }, ctx);
    const enough = found.contracts.filter(({ volume_total }) => (volume_total ?? 0) >= min_volume);
    const page = { cursor, limit: Math.min(limit, PAGE_LIMITS[detail].contracts) };
    const { shown, next_cursor } = contractPage(enough, page);
    const events = new Set(shown.map((one) => `${one.venue} ${one.event}`));
    const related = enough.filter((one) => events.has(`${one.venue} ${one.event}`));
    const at = Date.parse(found.as_of);
    return {
      symbol: instrument?.symbol ?? null,
      topic: query ?? null,
      contracts: shown.map((one) => listedContract(one, levelRow(found.levelOf(one)), detail)),
      count: shown.length,
      next_cursor,
      total: found.hasResponse ? enough.length : null,
      reason:
        shown.length > 0
          ? null
          : (found.reason ?? `None of ${found.contracts.length} contracts has a volume of ${min_volume}`),
      consensus: consensusOf(shown, { levelOf: found.levelOf, at }),
      ladders: ladderPage(laddersOf(related, found.levelOf), detail),
      driver:
        instrument === null
          ? null
          : await readMarketDriver(instrument, found, { signal, ...(asOf !== undefined && { asOf }) }, ctx),
      coverage: [...found.coverage],
      left_out: found.left_out,
      source: [...new Set(found.coverage.map(({ source }) => source))].join(", ") || null,
      as_of: found.as_of === "" ? null : found.as_of,
      stale: found.stale,
      alternatives: alternatives.map(named),
      market: ctx.market.mode,
    };
  },
});
