import type { BacktestResult } from "../../domain/backtest/backtest.ts";
import type { Metrics } from "../../domain/backtest/metrics.ts";
import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import { mean, sum } from "../statistics.ts";
import { drawdownsOf, maxDrawdownPct } from "./drawdowns.ts";
import { betaOf, heldCurve, heldReturn } from "./market.ts";
import { type Figure, ratio, returnFigures } from "./return-figures.ts";
import { roundUp, tradeFigures } from "./trade-figures.ts";
import type { Account, Ledger, Stream } from "./types.ts";

/** Version of the backtest's fills, costs and metrics; changes with any of them. */
export const BACKTEST_VERSION = "backtest-1.1.0";

const DAY_MS = 86_400_000;
const CALENDAR_YEAR_MS = 365.25 * DAY_MS;

/** Streams and account of a run, and its trading days per year: 252, or 365 for markets that never close. */
export interface RunFacts {
  readonly streams: readonly Stream[];
  /** Streams of the benchmark. Default: `streams`. */
  readonly benchmark?: readonly Stream[];
  readonly account: Account;
  readonly year: number;
}

/**
 * Returns every metric of a run. An undefined metric is null and listed in `undefined_metrics`. Trade metrics
 * count closed trades only.
 * @see backtesting.py 0.6.6, which uses the same definitions except for exposure: it counts closed trades over all bars
 */
export function metricsOf(
  ledger: Ledger,
  { streams, benchmark = streams, account, year }: RunFacts,
): Pick<BacktestResult, "metrics" | "undefined_metrics"> {
  const { time, equity, trades } = ledger;
  const { cash } = account;
  const bar = Math.min(DAY_MS, ...streams.map(({ bars }) => TIMEFRAME_MS[bars.timeframe]));
  const last = equity[equity.length - 1] ?? cash;
  const growth = last / cash - 1;
  const held = heldReturn(benchmark, account) ?? "no bar on which the strategy could trade";
  const { annual, volatility, ...ratios } = returnFigures(ledger, year);
  const drawdowns = drawdownsOf(time, equity);
  const { depths, lengths } = drawdowns;
  const lasting = (figure: () => number): Figure => (depths.length === 0 ? "no drawdown" : figure());
  const curve = heldCurve(benchmark, time);
  const beta = betaOf(equity, curve);
  const marketYear = yearly(time, curve[curve.length - 1] ?? 1);
  const missing: BacktestResult["undefined_metrics"] = [];
  const stated = (figures: Readonly<Record<string, Figure>>) =>
    Object.fromEntries(
      Object.entries(figures).map(([metric, figure]) => {
        if (typeof figure === "number" && Number.isFinite(figure)) return [metric, figure];
        missing.push({ metric, reason: typeof figure === "string" ? figure : "not a finite number" });
        return [metric, null];
      }),
    );
  const metrics = {
    final_equity: last,
    equity_peak: equity.reduce((peak, worth) => Math.max(peak, worth), cash),
    return_pct: 100 * growth,
    max_drawdown: maxDrawdownPct(drawdowns),
    exposure_pct: 100 * exposure(ledger),
    trade_count: trades.length,
    commissions: sum(trades.map(({ commission }) => commission)),
    ...stated({
      buy_hold_return_pct: percent(held),
      annual_return_pct: percent(annual),
      annual_volatility_pct: percent(volatility),
      cagr_pct: percent(yearly(time, last / cash)),
      avg_drawdown_pct: lasting(() => -100 * mean(depths)),
      max_drawdown_days: lasting(() => lengths.reduce((a, b) => Math.max(a, b), 0) / DAY_MS),
      avg_drawdown_days: lasting(() => roundUp(mean(lengths) / DAY_MS, bar)),
      ...ratios,
      calmar_ratio: ratio(annual, drawdowns.deepest, "no drawdown"),
      alpha_pct: alpha(growth, beta, held),
      alpha_annual_pct: alpha(yearly(time, last / cash), beta, marketYear),
      beta,
      ...tradeFigures(trades, bar),
    }),
  };
  return { metrics: metrics as Metrics, undefined_metrics: missing };
}

const percent = (figure: Figure): Figure => (typeof figure === "string" ? figure : 100 * figure);

function alpha(growth: Figure, beta: Figure, held: Figure): Figure {
  if (typeof beta === "string") return beta;
  if (typeof growth === "string") return growth;
  return typeof held === "string" ? held : 100 * (growth - beta * held);
}

/** Returns the annual growth rate over years of 365.25 days, or the reason why it is undefined. */
function yearly(time: Float64Array, growth: number): Figure {
  const years = ((time[time.length - 1] ?? 0) - (time[0] ?? 0)) / CALENDAR_YEAR_MS;
  if (years * CALENDAR_YEAR_MS < DAY_MS) return "under a day";
  return growth > 0 ? growth ** (1 / years) - 1 : "equity fell to 0";
}

/**
 * Returns the share of bars with a position, open ones included. The first bar is not counted: the earliest decision is
 * at its close.
 */
function exposure({ time, trades, open }: Ledger): number {
  const held = new Uint8Array(time.length);
  for (const { entryBar, exitBar } of trades) held.fill(1, entryBar, exitBar + 1);
  for (const { entryBar } of open) held.fill(1, entryBar);
  let bars = 0;
  for (let bar = 1; bar < held.length; bar++) bars += held[bar]!;
  return time.length < 2 ? 0 : bars / (time.length - 1);
}
