import { z } from "zod";
import { Detail } from "../src/domain/answers.ts";
import { BacktestId, BacktestResult } from "../src/domain/backtest/backtest.ts";
import { truncateResult } from "../src/features/backtest/answer.ts";
import { formatBacktest } from "../src/features/backtest/backtest.text.ts";
import { loadStoredResult } from "../src/features/backtest/stored-backtest.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** A backtest that the account ran before, as it was answered then. */
export const getBacktest = defineTool({
  name: "get_backtest",
  title: "Get backtest",
  description:
    "Fetches a stored backtest, strategy test or simulation of this account again, by its id (bt_ and 20 digits) or the latest: figures, numbers, drawdown, Sharpe, win rate and trades as JSON, with nothing computed anew. Use it for the results of a test that was already run or finished earlier, yesterday or last week, to reopen, load, pull up, retrieve or bring back a previous or recent one. The newest 200 are kept. A report of it is in render_backtest, a new test in run_backtest.",
  toolset: "signal",
  plan: "founding",
  effect: "read",
  route: "GET /api/v1/backtest/:backtest_id",
  listed: false,
  needs: ["backtests", "market"],
  input: z.object({
    backtest_id: BacktestId,
    detail: Detail,
    page: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(1)
      .describe("1: the newest trades, 2: those before them"),
    points: z.number().int().min(2).max(2_500).optional().describe("Points of equity"),
  }),
  output: BacktestResult,
  examples: [{ ask: "Show me that backtest again", input: { backtest_id: "latest" } }],
  terminal: formatBacktest,

  async handler({ backtest_id, detail = "full", page, points }, ctx) {
    return truncateResult(await loadStoredResult(backtest_id, ctx), { detail, page, points });
  },
});
