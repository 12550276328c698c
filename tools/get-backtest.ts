import { z } from "zod";
import { Detail, intBetween } from "../src/domain/answers.ts";
import { BacktestId, BacktestResult } from "../src/domain/backtest/backtest.ts";
import { truncateResult } from "../src/features/backtest/answer.ts";
import { formatBacktest } from "../src/features/backtest/backtest.text.ts";
import { loadStoredResult } from "../src/features/backtest/stored-backtest.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns a stored backtest of the account, unchanged. */
export const getBacktest = defineTool({
  name: "get_backtest",
  title: "Get backtest",
  description:
    "Returns the stored results of an earlier backtest, strategy test or simulation by its id (bt_ and 20 hexadecimal digits), or the latest: figures, drawdown, Sharpe, win rate and trades as JSON, with nothing computed anew. Use it to fetch, load or reopen the numbers of a test that was already run. render_backtest makes a report, run_backtest a new test.",
  topics: [
    "earlier backtest",
    "stored backtest",
    "that backtest again",
    "past simulation",
    "last backtest",
    "backtest id",
  ],
  toolset: "signal",
  plan: "founding",
  effect: "read",
  route: "GET /api/v1/backtest/:backtest_id",
  listed: false,
  needs: ["backtests", "market"],
  input: z.object({
    backtest_id: BacktestId.default("latest"),
    detail: Detail,
    page: intBetween(1, 1_000).default(1).describe("Page of trades; 1: the newest"),
    points: intBetween(2, 2_500).optional().describe("Number of equity points"),
  }),
  output: BacktestResult,
  examples: [{ ask: "Show me that backtest again", input: { backtest_id: "latest" } }],
  terminal: formatBacktest,
  view: { name: "backtest", calls: ["get_history", "get_backtest"] },

  async handler({ backtest_id, detail = "full", page, points }, ctx) {
    return truncateResult(await loadStoredResult(backtest_id, ctx), { detail, page, points });
  },
});
