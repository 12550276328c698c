import { z } from "zod";
import { Detail } from "../src/domain/answers.ts";
import { BacktestId, BacktestResult } from "../src/domain/backtest.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { shortened } from "../src/signals/backtest/answer.ts";
import { keptResult } from "../src/signals/backtest/kept.ts";
import { backtestLines } from "../src/signals/backtest/lines.ts";

/** A backtest that the account ran before, as it was answered then. */
export const getBacktest = defineTool({
  name: "get_backtest",
  title: "Get backtest",
  description:
    "A backtest run earlier by this account, by the id that run_backtest gave, or the latest: the same figures, trades and warnings, nothing computed anew. Use to come back to a run; render_backtest makes a page of it. The newest 200 are kept.",
  toolset: "signal",
  plan: "founding",
  effect: "read",
  route: "GET /api/v1/backtest/:id",
  needs: ["backtests", "market"],
  input: z.object({
    id: BacktestId,
    detail: Detail,
  }),
  output: BacktestResult,
  examples: [{ ask: "Show me that backtest again", input: { id: "latest" } }],
  terminal: backtestLines,

  async handler({ id, detail = "full" }, ctx) {
    return shortened(await keptResult(id, ctx), detail);
  },
});
