import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { oddsModelOf, PATHS } from "../odds/odds.ts";
import { type PastWindows, pastWindows } from "../odds/past-windows.ts";
import { MAX_HORIZON, type PathEnds, simulatePaths } from "../odds/paths.ts";
import type { InstrumentKind } from "../odds/profile.ts";

export interface WindowsRequest {
  /** Closed bars, as for `oddsOf`. */
  readonly bars: Bars;
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** Current price, from which the windows start. */
  readonly from: number;
  /** Number of bars from now, 1 to 60. */
  readonly horizon: number;
}

/** Windows of bars of one length: the 4,000 paths of `oddsOf` and the past of the symbol. */
export interface Windows {
  readonly paths: PathEnds;
  /** At least 60: odds need twice the bars of the longest window. */
  readonly past: PastWindows;
  readonly kind: InstrumentKind;
  readonly reason: null;
}

/** Returns the windows at the last bar, or the reason why there are none. Uses no data after it. */
export function windowsOf({
  horizon,
  ...request
}: WindowsRequest): Windows | { readonly paths: null; readonly reason: string } {
  if (!(Number.isInteger(horizon) && horizon >= 1 && horizon <= MAX_HORIZON))
    return { paths: null, reason: `Odds reach 1 to ${MAX_HORIZON} bars, not ${horizon}` };
  const found = oddsModelOf(request);
  if (found.model === null) return { paths: null, reason: found.reason };
  const { bars, model, profile, random } = found;
  const options = { paths: PATHS, drift: profile.drift, random, horizons: [horizon] };
  return {
    paths: simulatePaths(model, options).ends[0]!,
    past: pastWindows(bars, horizon),
    kind: profile.kind,
    reason: null,
  };
}
