import { atr } from "../../analytics/indicators/atr.ts";
import { barsInYear } from "../../analytics/odds/bars-per-day.ts";
import type { Bars, Timeframe } from "../../domain/market/bars.ts";
import type { Instrument, Resolution } from "../../domain/market/market.ts";
import type { OddsAnswer } from "../../domain/odds/odds.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type ClosedBars, closedBars } from "../signal/closed-bars.ts";
import { oddsFields } from "./answer.ts";
import { levelPrices, planFrom } from "./levels.ts";
import { oddsTask } from "./odds-task.ts";

/** Maximum number of stored daily summaries of options to read: a year of sessions. */
const FLOW_DAYS = 252;

interface OddsQuery {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly horizon: number;
  /** Numbers of bars of the ranges, ascending; includes `horizon`. */
  readonly horizons: readonly number[];
  readonly levels: readonly string[];
  readonly stop?: string | undefined;
  readonly target?: string | undefined;
  readonly as_of?: string | undefined;
  /** Maximum number of bars to read. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

type OddsPorts = Pick<Ports, "symbols" | "bars" | "clock" | "compute" | "flowDays" | "chains">;

/**
 * Reads bars and stored options and computes the odds. Rejects with NOT_ENOUGH_DATA for fewer than 120 bars or a
 * suspected split, and with INVALID_INPUT for invalid levels.
 */
export async function readOdds(
  { symbol, timeframe, horizon, horizons, levels, stop, target, as_of, limit, signal }: OddsQuery,
  ports: OddsPorts,
): Promise<{ readonly resolution: Resolution; readonly series: ClosedBars; readonly fields: OddsAnswer }> {
  const resolution = ports.symbols.resolve(symbol);
  const { instrument } = resolution;
  const series = await closedBars(resolution, { timeframe, limit, as_of, signal }, ports);
  const request = { timeframe, horizon, horizons, levels, stop, target, decidedAt: series.as_of, signal };
  return { resolution, series, fields: await oddsFrom(instrument, series.bars, request, ports) };
}

interface OddsFromBars extends Pick<OddsQuery, "timeframe" | "horizon" | "horizons" | "levels" | "signal"> {
  readonly stop?: string | undefined;
  readonly target?: string | undefined;
  /** Close time of the last bar, ISO 8601 UTC. */
  readonly decidedAt: string;
}

/**
 * Reads stored options and computes the odds from closed bars. Rejects with NOT_ENOUGH_DATA for fewer than 120 bars or a
 * suspected split, and with INVALID_INPUT for invalid levels.
 */
export async function oddsFrom(
  instrument: Instrument,
  bars: Bars,
  { timeframe, horizon, horizons, levels, stop, target, decidedAt, signal }: OddsFromBars,
  ports: Pick<Ports, "compute" | "flowDays" | "chains">,
): Promise<OddsAnswer> {
  const from = { close: bars.close.at(-1)!, atr: atr(bars.high, bars.low, bars.close).at(-1)! };
  const assetClass = instrument.asset_class;
  const flowDays =
    assetClass === "crypto" || timeframe !== "1d"
      ? []
      : await ports.flowDays.days(instrument.symbol, { until: Date.parse(decidedAt), limit: FLOW_DAYS });
  const computed = await ports.compute.run(
    oddsTask,
    {
      bars,
      symbol: instrument.symbol,
      assetClass,
      horizons,
      levels: levelPrices(levels, from),
      plan: planFrom({ stop, target }, { ...from, bars: horizon }),
      flowDays,
    },
    { signal },
  );
  const { odds, reason } = computed.outcome;
  if (odds === null)
    throw new ToolError("NOT_ENOUGH_DATA", `No odds for ${instrument.symbol}: ${reason}`, {
      hint: "Request a later time, another timeframe or another symbol.",
      data: { symbol: instrument.symbol, available: bars.close.length },
    });
  const subject = {
    assetClass,
    timeframe,
    yearBars: barsInYear(assetClass, bars),
    horizon,
    decidedAt,
    flowDays,
    optionsReason: ports.chains.missing ?? null,
  };
  return oddsFields(odds, computed, subject);
}
