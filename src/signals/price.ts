import type { Instrument, MarketState, PriceSource } from "../domain/market.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Quotes } from "../ports/index.ts";
import type { Gathered } from "./gather.ts";

/** The price beside a signal; null with a reason, never a silent prior close. */
export interface Price {
  readonly value: number | null;
  readonly source: PriceSource | null;
  /** When it traded, ISO 8601 UTC. */
  readonly as_of: string | null;
  readonly market_state: MarketState | null;
  readonly reason: string | null;
}

interface PriceRequest {
  /** Epoch ms; a look back shows the close that was known then. */
  readonly asOf: number | undefined;
  readonly gathered: Gathered;
  readonly signal: AbortSignal;
}

const MISSING: ReadonlySet<string> = new Set(["NO_PRICE", "UPSTREAM_UNAVAILABLE"]);

/** The latest quote, or the decision bar's close when looking back. A missing quote leaves the signal standing. */
export async function priceOf(
  instrument: Instrument,
  { asOf, gathered, signal }: PriceRequest,
  quotes: Quotes,
): Promise<Price> {
  if (asOf !== undefined)
    return {
      value: gathered.series.bars.close.at(-1)!,
      source: "historical_close",
      as_of: gathered.decidedAt,
      market_state: null,
      reason: null,
    };
  try {
    const { price, price_source, timestamp, market_state } = await quotes.latest(instrument, { signal });
    return { value: price, source: price_source, as_of: timestamp, market_state, reason: null };
  } catch (cause) {
    if (!(cause instanceof ToolError && MISSING.has(cause.code))) throw cause;
    return { value: null, source: null, as_of: null, market_state: null, reason: cause.message };
  }
}
