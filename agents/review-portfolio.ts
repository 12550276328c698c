import { z } from "zod";
import { Hint, MarketMode } from "../src/domain/answers.ts";
import { ConcentrationSummary, OpenRiskSummary, ReviewedRow } from "../src/domain/trading/review.ts";
import { Connection, ConnectionId } from "../src/domain/trading/trading.ts";
import {
  formatReview,
  formatReviewSummary,
  reviewPositions,
} from "../src/features/trading/position-review.ts";
import { defineAgent } from "../src/kernel/agent.ts";
import { getRiskLimits } from "../tools/get-risk-limits.ts";
import { listConnections } from "../tools/list-connections.ts";
import { listPositions } from "../tools/list-positions.ts";

/** Reviews all positions of an account: an action for each, concentration, and open risk against the limits. */
export const reviewPortfolio = defineAgent({
  name: "review_portfolio",
  title: "Review portfolio",
  description:
    "Reviews a whole portfolio, with a summary in words: weight, signal and edge recommendation of each position (EXIT, REDUCE, HOLD, REVIEW), concentration, and total open risk at the stops against the owner's risk limits. Use it for a portfolio health check or risk report: how diversified I am, whether too much is in one stock, what I would lose if every stop were hit. Rows are in list_positions.",
  uses: [listPositions, listConnections, getRiskLimits],
  route: "GET /api/v1/portfolio/review",
  cli: { command: "review" },
  input: z.strictObject({
    connection_id: ConnectionId.optional().describe("Only this connection. Default: all connections."),
  }),
  output: z.object({
    ok: z.literal(true),
    summary: z.string(),
    positions: z.array(ReviewedRow).describe("Largest cost first"),
    count: z.number().int().describe("Number of positions"),
    concentration: ConcentrationSummary,
    open_risk: OpenRiskSummary,
    connections: z
      .array(Connection.pick({ connection_id: true, broker: true, account_type: true, checked_at: true }))
      .describe("Broker connections that were read"),
    hint: Hint,
    market: MarketMode,
  }),
  examples: [{ ask: "Review my portfolio: how concentrated is it, and what should I do?", input: {} }],
  tasks: [{ name: "portfolio_review", symbols: "none" }],
  terminal: formatReview,

  async run({ connection_id }, { call, market }) {
    const [{ positions: rows, hint }, { connections }, { limits }] = await Promise.all([
      call(listPositions, connection_id === undefined ? {} : { connection_id }),
      call(listConnections, {}),
      call(getRiskLimits, {}),
    ]);
    const review = reviewPositions(rows, limits);
    return {
      ok: true as const,
      summary: formatReviewSummary(review),
      positions: [...review.positions],
      count: rows.length,
      concentration: review.concentration,
      open_risk: review.openRisk,
      connections: connections
        .filter((connection) => connection_id === undefined || connection.connection_id === connection_id)
        .map(({ connection_id, broker, account_type, checked_at }) => ({
          connection_id,
          broker,
          account_type,
          checked_at,
        })),
      hint,
      market,
    };
  },
});
