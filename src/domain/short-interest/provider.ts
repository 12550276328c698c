import type { Instrument } from "../market/market.ts";
import type { Provider } from "../providers/provider.ts";
import type { ShortInterestReport } from "./short-interest.ts";

export interface ShortInterestReports {
  /** Oldest first. */
  readonly reports: readonly ShortInterestReport[];
}
export type ShortInterestProvider = Provider<{ readonly instrument: Instrument }, ShortInterestReports>;
