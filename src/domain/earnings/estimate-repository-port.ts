import type { NextReport } from "./earnings-port.ts";

/** Estimates for a report, recorded before its release. */
export interface EstimateSnapshot {
  readonly symbol: string;
  /** Provider of the estimates; only compared with its own figures. */
  readonly source: string;
  /** `Q3 2026`, as the provider numbers quarters. */
  readonly period: string;
  /** Epoch ms. */
  readonly takenAt: number;
  readonly eps: number | null;
  readonly revenue: number | null;
}

/** Expected date of a report, as given by a provider at a moment. */
export interface ReportDateRecord extends NextReport {
  readonly symbol: string;
  readonly source: string;
  /** Epoch ms. */
  readonly notedAt: number;
}

/** Stored estimates: they cannot be requested any more once a report is out. */
export interface EstimateRepository {
  /** Stores one per day, source and period: the last of the day. */
  save(snapshot: EstimateSnapshot): Promise<void>;
  /** Newest first. */
  list(symbol: string): Promise<readonly EstimateSnapshot[]>;
  /** Stores a date if it differs from the last stored one. Stored dates never change. */
  saveDate(date: ReportDateRecord): Promise<void>;
  /** Returns the latest report date recorded by `moment`, epoch ms; null if none. */
  dateKnownAt(symbol: string, moment: number): Promise<ReportDateRecord | null>;
}
