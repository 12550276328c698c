import { z } from "zod";
import { WatchlistName } from "../src/domain/alerts/alerts.ts";
import { Hint, MarketMode, symbolList } from "../src/domain/answers.ts";
import { ScanError, ScanRow } from "../src/domain/nightly/scan.ts";
import { MAX_SYMBOLS } from "../src/domain/requests/task.ts";
import { ConcentrationSummary, OpenRiskSummary, ReviewedRow } from "../src/domain/trading/review.ts";
import { Connection, ConnectionId } from "../src/domain/trading/trading.ts";
import { closingOrders, orderCheckNotes } from "../src/features/agents/order-checks.ts";
import {
  formatReview,
  formatReviewSummary,
  formatSignals,
  reviewPositions,
} from "../src/features/trading/position-review.ts";
import { defineAgent } from "../src/kernel/agent.ts";
import { checkOrder } from "../tools/check-order.ts";
import { getRiskLimits } from "../tools/get-risk-limits.ts";
import { listConnections } from "../tools/list-connections.ts";
import { listPositions } from "../tools/list-positions.ts";
import { scanSymbols } from "../tools/scan-symbols.ts";

/** Reviews the positions of an account, or given symbols, held or not: an action for each, concentration, and open risk against the limits. */
export const reviewPortfolio = defineAgent({
  name: "review_portfolio",
  title: "Review portfolio",
  description:
    "Reviews a whole portfolio, with a summary in words: weight, signal and edge recommendation of each position (EXIT, REDUCE, HOLD, REVIEW), concentration, and total open risk at the stops against the owner's risk limits. Use it for a portfolio health check or risk report: how diversified I am, whether too much is in one stock, what I would lose if every stop were hit. Rows are in list_positions.",
  topics: [
    "review my portfolio",
    "portfolio health",
    "portfolio risk",
    "risk report",
    "diversified",
    "concentration",
    "total open risk",
    "every stop hit",
  ],
  uses: [listPositions, listConnections, getRiskLimits, scanSymbols, checkOrder],
  route: "GET /api/v1/portfolio/review",
  cli: { command: "review" },
  input: z.strictObject({
    connection_id: ConnectionId.optional().describe("Only this connection. Default: all connections."),
    symbols: symbolList(MAX_SYMBOLS)
      .optional()
      .describe("Only these symbols, held or not, at most 20. Default: every position."),
    watchlist: WatchlistName.optional().describe("Only the symbols of this saved list, and those in symbols"),
  }),
  output: z.object({
    ok: z.literal(true),
    summary: z.string(),
    positions: z.array(ReviewedRow).describe("Largest cost first"),
    count: z.number().int().describe("Number of positions"),
    concentration: ConcentrationSummary,
    open_risk: OpenRiskSummary,
    signals: z
      .array(ScanRow)
      .describe("With symbols or a watchlist: the signal of each symbol, held or not, strongest first"),
    errors: z.array(ScanError).describe("Symbols without a signal, and why"),
    notes: z.array(z.string()),
    connections: z
      .array(Connection.pick({ connection_id: true, broker: true, account_type: true, checked_at: true }))
      .describe("Broker connections that were read"),
    hint: Hint,
    market: MarketMode,
  }),
  examples: [
    { ask: "Review my portfolio: how concentrated is it, and what should I do?", input: {} },
    { ask: "Review Apple and Nvidia for me", input: { symbols: ["AAPL", "NVDA"] } },
  ],
  tasks: [{ name: "portfolio_review", symbols: "none" }],
  terminal: formatReview,

  async run({ connection_id, ...subject }, { call, market }) {
    const isWhole = subject.symbols === undefined && subject.watchlist === undefined;
    const [{ positions, hint }, { connections }, { limits }, scan] = await Promise.all([
      call(listPositions, connection_id === undefined ? {} : { connection_id }),
      call(listConnections, {}),
      call(getRiskLimits, {}),
      isWhole ? null : call(scanSymbols, subject),
    ]);
    const { results: signals, errors, notes } = scan ?? { results: [], errors: [], notes: [] };
    const wanted = new Set([...signals, ...errors].map(({ symbol }) => symbol.toUpperCase()));
    const rows = positions.filter(({ symbol }) => isWhole || wanted.has(symbol));
    const review = reviewPositions(rows, limits);
    const checks = await orderCheckNotes(
      closingOrders(rows, positions),
      (order) => call(checkOrder, order),
      "positions",
    );
    return {
      ok: true as const,
      summary: isWhole ? formatReviewSummary(review) : formatSignals(review, { signals, errors }),
      positions: [...review.positions],
      count: rows.length,
      concentration: review.concentration,
      open_risk: review.openRisk,
      signals,
      errors,
      notes: [...notes, ...checks],
      connections: connections
        .filter((connection) => connection_id === undefined || connection.connection_id === connection_id)
        .map(({ connection_id, broker, account_type, checked_at }) => ({
          connection_id,
          broker,
          account_type,
          checked_at,
        })),
      // given symbols are reviewed without a broker
      hint: isWhole || rows.length > 0 ? hint : null,
      market,
    };
  },
});
