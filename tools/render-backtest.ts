import { z } from "zod";
import { STRATEGY_TABLE } from "../src/analytics/backtest/strategies/table.ts";
import { equityChartOf } from "../src/charts/backtest-chart.ts";
import { reportHtml } from "../src/charts/backtest-report.ts";
import { equityAltText } from "../src/charts/equity.text.ts";
import { MarketMode, Success } from "../src/domain/answers.ts";
import { BacktestId } from "../src/domain/backtest/backtest.ts";
import { Media } from "../src/domain/media.ts";
import { loadStoredResult } from "../src/features/backtest/stored-backtest.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Renders a stored backtest of the account as one HTML page. */
export const renderBacktest = defineTool({
  name: "render_backtest",
  title: "Render backtest report",
  description:
    "Renders the report of an earlier, stored backtest or strategy test as one self-contained web page (HTML file): strategy, picture, every figure with its meaning, monthly returns, warnings, trades. Use it to format results as a printable report, page or document to open in the browser, export or share, by its id or `latest`. The figures as JSON are in get_backtest.",
  topics: ["backtest report", "html report", "printable report", "backtest page", "monthly returns"],
  toolset: "signal",
  plan: "founding",
  effect: "read",
  route: "GET /api/v1/backtest/:backtest_id/report",
  cli: { command: "report", positionals: ["backtest_id"] },
  listed: false,
  needs: ["backtests", "market"],
  input: z.object({
    backtest_id: BacktestId.default("latest"),
  }),
  output: z.object({
    ok: Success,
    id: z.string(),
    symbols: z.array(z.string()),
    strategy: z.string(),
    warnings: z.array(z.string()),
    source: z.string().describe("Provider of the bars; `sample` is simulated"),
    market: MarketMode,
    data_as_of: z.iso.datetime(),
    media: Media.extend({ mime: z.literal("text/html") }),
  }),
  examples: [{ ask: "Make a report of that backtest", input: { backtest_id: "latest" } }],
  terminal: ({ symbols, strategy, warnings, media }, paint) =>
    [
      `${paint("bold", symbols.join(", "))}  ${strategy}`,
      `  ${media.alt}`,
      ...warnings.map((warning) => `  ${paint("yellow", warning)}`),
    ].join("\n"),

  async handler({ backtest_id }, ctx) {
    const result = await loadStoredResult(backtest_id, ctx);
    const { symbols, strategy, warnings, source, market, data_as_of, id } = result;
    const description = strategy === "rules" ? "Custom rules" : STRATEGY_TABLE[strategy].text;
    return {
      id,
      symbols,
      strategy,
      warnings,
      source,
      market,
      data_as_of,
      media: {
        mime: "text/html" as const,
        base64: Buffer.from(reportHtml(result, description)).toString("base64"),
        alt: equityAltText(equityChartOf(result)),
      },
    };
  },
});
