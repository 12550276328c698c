import { z } from "zod";
import { MarketMode, StaleNotes, Success } from "../src/domain/answers.ts";
import { RunBasis, SectorFigures, SectorRow, SpanName } from "../src/domain/nightly/movers.ts";
import { formatSectors } from "../src/features/nightly/movers.text.ts";
import { waitForWholeRuns } from "../src/features/nightly/screen.ts";
import { readSectors } from "../src/features/nightly/sectors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the performance and breadth of each GICS sector in the newest nightly run. */
export const getSectors = defineTool({
  name: "get_sectors",
  title: "Get sector performance",
  description:
    "Returns the performance of the GICS sectors of US stocks at the close of the newest nightly run: returns over a day, week, month and quarter (1, 5, 20 and 60 sessions), equally weighted over the members, breadth, best and worst member. Use it for sector rotation and which sectors lead or lag. Single stocks are in get_movers.",
  topics: [
    "sector rotation",
    "sector performance",
    "sector breadth",
    "leading sectors",
    "lagging sectors",
    "best sector",
    "worst sector",
  ],
  toolset: "fundamentals",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/sectors",
  cli: { command: "sectors" },
  needs: ["engineRuns", "clock", "market"],
  input: z.object({
    period: SpanName.default("1d").describe("Sessions that order the sectors and choose leader and laggard"),
  }),
  output: z.object({
    ok: Success,
    period: SpanName,
    sectors: z.array(SectorRow).describe("Highest return over `period` first"),
    all: SectorFigures.describe("All stocks of the run with a sector"),
    ...RunBasis.shape,
    notes: z.array(z.string()),
    stale_notes: StaleNotes,
    market: MarketMode,
  }),
  examples: [
    { ask: "Which sectors lead today?", input: {} },
    { ask: "Sector returns of the last quarter", input: { period: "60d" } },
  ],
  terminal: formatSectors,

  ready: (_, ports, signal) => waitForWholeRuns(ports, signal, ["equity"]),

  async handler({ period }, { engineRuns, clock, market }) {
    return { ...(await readSectors(period, { engineRuns, clock, market })), market: market.mode };
  },
});
