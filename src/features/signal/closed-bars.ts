import type { Timeframe } from "../../domain/market/bars.ts";
import type { BarSeries, Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { absentFrom } from "./absent.ts";
import { withAlternativesHint } from "./alternatives-hint.ts";
import { pastMoment } from "./moment.ts";

interface ClosedBarsRequest {
  readonly timeframe: Timeframe;
  readonly limit: number;
  /** ISO date or time to look back from; now when undefined. */
  readonly as_of?: string | undefined;
  readonly signal: AbortSignal;
}

/** Bars of which there is at least one, with the moment at which the last of them closed. */
export type ClosedBars = BarSeries & { readonly as_of: string };

/** The newest closed bars of what a name was read as. Rejects with NOT_ENOUGH_DATA where none had closed, and with INVALID_INPUT for a moment in the future. */
export async function closedBars(
  resolution: Resolution,
  { timeframe, limit, as_of, signal }: ClosedBarsRequest,
  { symbols, bars, clock }: Pick<Ports, "symbols" | "bars" | "clock">,
): Promise<ClosedBars> {
  const { instrument } = resolution;
  const asOf = as_of === undefined ? undefined : pastMoment(as_of, clock.now());
  return withAlternativesHint(resolution, symbols, async () => {
    const held = await bars.history(instrument, {
      timeframe,
      limit,
      signal,
      ...(asOf !== undefined && { asOf }),
    });
    if (held.as_of !== null) return { ...held, as_of: held.as_of };
    const when = as_of === undefined ? "" : ` had closed by ${as_of}`;
    const { message, hint } = absentFrom(symbols, instrument) ?? {
      message: `No ${timeframe} bars of ${instrument.symbol}${when}`,
      hint: "Ask for a later moment or another timeframe.",
    };
    throw new ToolError("NOT_ENOUGH_DATA", message, {
      hint,
      data: { symbol: instrument.symbol, have: 0, need: 1 },
    });
  });
}
