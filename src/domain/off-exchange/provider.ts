import type { Instrument } from "../market/market.ts";
import type { Provider } from "../providers/provider.ts";
import type { OffExchangeWeek, PriceVolume } from "./off-exchange.ts";
import type { Print } from "./prints.ts";

export interface PrintRequest {
  readonly instrument: Instrument;
  /** Session date, `YYYY-MM-DD`. */
  readonly date: string;
  /** Minimum value in US dollars; smaller prints may be included. */
  readonly minNotional: number;
}

/** A provider's prints of one session, in any order, possibly with duplicates. */
export interface PrintDay {
  readonly prints: readonly Print[];
  /** Complete for reports from here on, epoch ms; `-Infinity` if the whole session is complete. */
  readonly completeFrom: number;
  /** End of the complete range, epoch ms; `Infinity` if nothing is withheld. */
  readonly completeUntil: number;
}

/** Provider of prints, with the number of sessions it requests at a time. */
export interface PrintProvider extends Provider<PrintRequest, PrintDay> {
  readonly sessions: number;
}

/** Requests the large prints of all instruments in one session. */
export type MarketPrintRequest = Omit<PrintRequest, "instrument">;
/** Prints by ticker as the tape writes it: `BRK.B`. */
export interface MarketPrintDay extends Omit<PrintDay, "prints"> {
  readonly prints: readonly (Print & { readonly ticker: string })[];
}
export type MarketPrintProvider = Provider<MarketPrintRequest, MarketPrintDay>;

/** Volume reported off exchange in one session, in shares. */
export interface ShortVolume {
  readonly short: number;
  readonly shortExempt: number;
  readonly total: number;
}

/** Volume file of one session, for all instruments. */
export interface VolumeFile {
  /** False if the day has no file, or none yet. */
  readonly published: boolean;
  of(instrument: Instrument): ShortVolume | null;
}
export type VolumeProvider = Provider<{ readonly date: string }, VolumeFile>;

export interface Weeks {
  readonly weeks: readonly OffExchangeWeek[];
}
export type WeeksProvider = Provider<{ readonly instrument: Instrument }, Weeks>;

export interface PriceVolumes {
  readonly prices: readonly PriceVolume[];
}
export type PriceVolumeProvider = Provider<
  { readonly instrument: Instrument; readonly date: string },
  PriceVolumes
>;
