import type { Instrument } from "../market/market.ts";
import type { Provider } from "../providers/provider.ts";
import type { EarningsReport, Filed, ScheduledReport } from "./earnings.ts";

/** A provider's earnings of a stock: reports newest first, and the next one if known. */
export interface ProviderEarnings {
  readonly reports: readonly EarningsReport[];
  /** Its date may be in the past, if the provider does not list the following report yet. */
  readonly next: ScheduledReport | null;
}

/** A quarter in a company's own filings; dates `YYYY-MM-DD`. */
export interface FiledQuarter extends Filed {
  readonly start: string;
  readonly end: string;
  /** true: derived as the year minus three quarters, because the last quarter is not filed separately. */
  readonly derived: boolean;
}

/** Filings of a company at a regulator. */
export interface ProviderFilings {
  /** Announcement times of results, epoch ms, newest first. */
  readonly releases: readonly number[];
  /** Newest first. */
  readonly quarters: readonly FiledQuarter[];
  /** Sentences on what is missing, and why. Default: none. */
  readonly notes?: readonly string[];
}

/** One date `YYYY-MM-DD`. */
export interface ReportDay {
  readonly date: string;
}

export type EarningsProvider = Provider<Instrument, ProviderEarnings>;
export type FilingsProvider = Provider<Instrument, ProviderFilings>;
export type ReportDayProvider = Provider<ReportDay, { readonly reports: readonly ScheduledReport[] }>;

/** Returns the calendar quarter of a date, such as `Q3 2026`. */
export const calendarQuarter = (date: string): string =>
  `Q${Math.ceil(Number(date.slice(5, 7)) / 3)} ${date.slice(0, 4)}`;
