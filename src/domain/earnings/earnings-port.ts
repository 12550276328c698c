import type { CallOptions } from "../call-options.ts";
import type { Instrument } from "../market/market.ts";
import type { MarketDay } from "./calendar.ts";
import type { EarningsReport, ScheduledReport } from "./earnings.ts";

export interface EarningsOrigin {
  /** Null if no provider responded. */
  readonly source: string | null;
  /** Time of the provider call, ISO 8601 UTC; null without a provider. */
  readonly fetchedAt: string | null;
  /** Time of the data, ISO 8601 UTC; null without a provider. */
  readonly asOf: string | null;
  /** True for an older answer, returned because no provider responds now. */
  readonly stale: boolean;
  readonly cached: boolean;
  /** Descriptions of missing data: what, why, and which setting would connect it; empty if complete. */
  readonly coverage: readonly string[];
}

/** Reports of one stock, newest first, and the next one. */
export interface EarningsAnswer extends EarningsOrigin {
  readonly reports: readonly EarningsReport[];
  readonly next: ScheduledReport | null;
  /** Setting that connects a provider, for each part that no configured provider covers. */
  readonly connects?: { readonly filings?: string; readonly estimates?: string };
}

/** Next report date as known at a moment, or the reason why there is none. */
export type NextAnswer =
  | { readonly next: NextReport; readonly reason: null }
  | { readonly next: null; readonly reason: string };
export type NextReport = Pick<ScheduledReport, "date" | "hour" | "confirmed">;

/** Reports that fall between two dates, ascending. */
export interface ScheduleAnswer extends EarningsOrigin {
  readonly reports: readonly ScheduledReport[];
  /** False if a requested day or company is missing, so that there may be more reports. */
  readonly isComplete: boolean;
}

export interface ScheduleRequest {
  /** Null: all instruments that the provider covers. */
  readonly instruments: readonly Instrument[] | null;
  /** Dates `YYYY-MM-DD`, both included. */
  readonly from: string;
  readonly to: string;
}

/**
 * Quarterly reports of companies. Without coverage the list is empty with a reason; rejects with UPSTREAM_UNAVAILABLE
 * in an outage.
 */
export interface Earnings {
  /** `asOf`: epoch ms; only what was known by then. Default: now. */
  reports(
    instrument: Instrument,
    options?: CallOptions & { readonly asOf?: number },
  ): Promise<EarningsAnswer>;
  /** `asOf`: epoch ms; the date as known by then. Default: now. */
  next(instrument: Instrument, options?: CallOptions & { readonly asOf?: number }): Promise<NextAnswer>;
  schedule(question: ScheduleRequest, options?: CallOptions): Promise<ScheduleAnswer>;
}

/** Weekdays on which US exchanges are closed or close early. Needs no network. */
export interface MarketDays {
  /** Returns those between two dates, both included, ascending. */
  between(from: string, to: string): readonly MarketDay[];
}
