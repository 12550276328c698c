import { z } from "zod";
import { Detail, intBetween, MarketMode, StaleNotes, Success } from "../src/domain/answers.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { MoverRow, RunBasis, SpanName } from "../src/domain/nightly/movers.ts";
import { SectorText } from "../src/domain/recognisers/sector-text.ts";
import { formatMovers } from "../src/features/nightly/movers.text.ts";
import { MOVER_LISTS, readMovers } from "../src/features/nightly/movers.ts";
import { waitForWholeRuns } from "../src/features/nightly/screen.ts";
import { defineTool } from "../src/kernel/tool.ts";

const DEFAULT_LIMIT = { concise: 5, full: 10 } as const;
/** Maximum number of rows per list with detail concise. */
const MAX_CONCISE_LIMIT = 25;

/** Returns gainers, losers and the most active symbols of the newest nightly run. */
export const getMovers = defineTool({
  name: "get_movers",
  title: "Get movers",
  description:
    "Returns the biggest moves of US stocks, funds or coins at the close of the newest nightly run: top gainers, losers and most active, with volume against its usual level, bias and grade. Use it for what rose, fell or traded most over 1, 5, 20 or 60 sessions. These are closes, never live prices: those are in get_quote, sectors in get_sectors, setups in screen_universe.",
  topics: [
    "market movers",
    "top gainers",
    "biggest losers",
    "most active stocks",
    "best performers",
    "worst performers",
    "unusual volume",
  ],
  toolset: "fundamentals",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/movers",
  cli: {
    command: "movers",
    everyday: "Lists the biggest gainers, losers and volumes.",
    positionals: ["list"],
  },
  needs: ["engineRuns", "clock", "market"],
  input: z.object({
    list: z.enum(MOVER_LISTS).optional().describe("Only this list. Default: all three."),
    period: SpanName.default("1d").describe("Sessions of the change, for gainers and losers"),
    asset_class: z
      .enum([...AssetClass.options, "all"])
      .default("equity")
      .describe("Kind of instrument, or all"),
    sector: SectorText.optional().describe("Only this GICS sector, case-insensitive"),
    min_price: z.number().min(0).max(1e6).optional().describe("Minimum close, US dollars"),
    min_dollar_volume: z
      .number()
      .min(0)
      .max(1e12)
      .optional()
      .describe("Minimum volume times close of the last session, US dollars"),
    limit: intBetween(1, 100)
      .optional()
      .describe(
        `Rows per list. Default: ${DEFAULT_LIMIT.full}. With detail concise: ${DEFAULT_LIMIT.concise}, at most ${MAX_CONCISE_LIMIT}.`,
      ),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    period: SpanName,
    gainers: z.array(MoverRow).nullable().describe("Highest return first; null: not requested"),
    losers: z.array(MoverRow).nullable().describe("Lowest return first; null: not requested"),
    most_active: z.array(MoverRow).nullable().describe("Highest dollar volume first; null: not requested"),
    ...RunBasis.shape,
    notes: z.array(z.string()),
    stale_notes: StaleNotes,
    market: MarketMode,
  }),
  examples: [
    { ask: "Which stocks rose and fell most?", input: {} },
    {
      ask: "Losers of the last week among technology stocks",
      input: { list: "losers", period: "5d", sector: "Information Technology" },
    },
  ],
  terminal: formatMovers,

  ready: ({ asset_class }, ports, signal) =>
    waitForWholeRuns(ports, signal, asset_class === "all" ? undefined : [asset_class]),

  async handler({ limit, detail = "full", ...request }, { engineRuns, clock, market }) {
    const rows = Math.min(limit ?? DEFAULT_LIMIT[detail], detail === "concise" ? MAX_CONCISE_LIMIT : 100);
    const movers = await readMovers({ ...request, limit: rows }, { engineRuns, clock, market });
    return { ...movers, market: market.mode };
  },
});
