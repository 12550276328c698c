import type { BarTimeframe } from "../../domain/market/bars.ts";
import type { BarSeries, Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { missingDataError, withAlternativesHint } from "./missing-data.ts";
import { parsePastTime } from "./past-time.ts";

interface ClosedBarsRequest {
  readonly timeframe: BarTimeframe;
  readonly limit: number;
  /** ISO date or time after which nothing is read. Default: now. */
  readonly as_of?: string | undefined;
  /** True includes pre-market and after-hours bars. Default: false. */
  readonly extendedHours?: boolean;
  readonly signal: AbortSignal;
}

/** Series of at least one closed bar, with the close time of the last bar. */
export type ClosedBars = BarSeries & { readonly as_of: string };

/**
 * Reads the newest closed bars of a resolved symbol. Rejects with NOT_ENOUGH_DATA if there are none, and with
 * INVALID_INPUT for a future `as_of`.
 */
export async function closedBars(
  resolution: Resolution,
  { timeframe, limit, as_of, extendedHours = false, signal }: ClosedBarsRequest,
  { symbols, bars, clock }: Pick<Ports, "symbols" | "bars" | "clock">,
): Promise<ClosedBars> {
  const { instrument } = resolution;
  const asOf = as_of === undefined ? undefined : parsePastTime(as_of, clock.now());
  return withAlternativesHint(resolution, symbols, async () => {
    const series = await bars.history(instrument, {
      timeframe,
      limit,
      signal,
      ...(asOf !== undefined && { asOf }),
      ...(extendedHours && { extendedHours }),
    });
    if (series.as_of !== null) return { ...series, as_of: series.as_of };
    const when = as_of === undefined ? "" : ` had closed by ${as_of}`;
    const { message, hint } = missingDataError(symbols, instrument) ?? {
      message: `No ${timeframe} bars of ${instrument.symbol}${when}`,
      hint: "Request a later time or another timeframe.",
    };
    throw new ToolError("NOT_ENOUGH_DATA", message, {
      hint,
      data: { symbol: instrument.symbol, available: 0, required: 1 },
    });
  });
}
