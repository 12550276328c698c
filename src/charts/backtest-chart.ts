import type { BacktestResult } from "../domain/backtest/backtest.ts";
import type { Compute } from "../domain/compute-port.ts";
import { SAMPLE_LABEL } from "../domain/market/market.ts";
import type { MediaFile } from "../domain/media.ts";
import { type EquityChart, equityAltText } from "./equity.text.ts";
import { equitySvg } from "./equity.ts";
import { pngTask } from "./png-task.ts";

/** Builds the equity chart of a stored run, compared with holding the same symbols. */
export function equityChartOf(result: BacktestResult): EquityChart {
  const { symbols, strategy, params, metrics, equity, trades, account, timeframe } = result;
  const settings = Object.entries(params).map(([name, value]) => `${name} ${value}`);
  const sharpe =
    metrics.sharpe_ratio === null ? "no Sharpe ratio" : `Sharpe ${metrics.sharpe_ratio.toFixed(2)}`;
  return {
    title: `${symbols.join(", ")} ${timeframe}: ${[strategy, ...settings].join(", ")}`,
    time: Float64Array.from(equity, ({ time }) => Date.parse(time)),
    bars: equity.length + result.equity_left_out,
    equity: Float64Array.from(equity, (point) => point.equity),
    benchmark: equity.every(({ buy_hold }) => buy_hold !== null)
      ? Float64Array.from(equity, ({ buy_hold }) => buy_hold!)
      : null,
    trades: trades.map(({ exit_time, side, profit }) => ({ time: Date.parse(exit_time), side, profit })),
    cash: account.cash,
    currency: "USD",
    source: `${result.source} (${result.venue})`,
    asOf: result.data_as_of,
    simulated: result.market === "sample" ? SAMPLE_LABEL : null,
    summary: `${sharpe}, closed trades: ${metrics.trade_count}`,
  };
}

/** Renders the equity chart as a PNG file with alternative text. Rejects with the abort reason when the signal aborts. */
export async function equityPng(
  result: BacktestResult,
  { signal, compute }: { readonly signal: AbortSignal; readonly compute: Compute },
): Promise<MediaFile & { readonly mime: "image/png" }> {
  const picture = equityChartOf(result);
  const { base64 } = await compute.run(pngTask, { svg: equitySvg(picture) }, { signal });
  return { mime: "image/png", base64, alt: equityAltText(picture) };
}
