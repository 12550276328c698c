import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { Amount, Side } from "../../domain/trading/trading.ts";
import { decimal, truncated } from "../../lib/decimal.ts";
import { gapsOf } from "../check/gaps.ts";
import { meanVolume } from "../check/volume.ts";
import { atr } from "../indicators/atr.ts";
import { ASSUMED_STOP_ATR } from "../sizing/caps.ts";
import type { MarketFacts } from "./situation.ts";

const ATR_PERIOD = 14;

/** Facts of closed daily bars, and the assumed risk of a unit without a stop; null: too few bars, or none. */
export interface BarFacts extends Pick<MarketFacts, "atr" | "gaps" | "averageVolume"> {
  readonly riskAUnit: Amount | null;
}

/** Returns the facts of closed daily bars for an order; coins have no nights. */
export function barFacts(
  bars: Bars | null,
  { side, assetClass }: { readonly side: Side; readonly assetClass: AssetClass },
): BarFacts {
  const range = bars === null ? undefined : atr(bars.high, bars.low, bars.close, ATR_PERIOD).at(-1);
  const hasRange = range !== undefined && range > 0;
  const volume = bars === null ? null : meanVolume(bars);
  return {
    atr: hasRange ? truncated(decimal(range)) : null,
    riskAUnit: hasRange ? truncated(decimal(range).times(ASSUMED_STOP_ATR)) : null,
    averageVolume: volume === null ? null : truncated(decimal(volume)),
    ...(assetClass === "crypto"
      ? {}
      : { gaps: bars === null ? null : gapsOf(bars, side === "buy" ? "LONG" : "SHORT") }),
  };
}
