import type { NextReport } from "./earnings-port.ts";

/** What was expected of a report before it came out. */
export interface EstimateSnapshot {
  readonly symbol: string;
  /** Who said so: its figures are compared with its own alone. */
  readonly source: string;
  /** `Q3 2026`, as the source counts quarters. */
  readonly period: string;
  /** Epoch ms. */
  readonly takenAt: number;
  readonly eps: number | null;
  readonly revenue: number | null;
}

/** When a report was expected, as a source said at a moment. */
export interface ReportDateRecord extends NextReport {
  readonly symbol: string;
  readonly source: string;
  /** Epoch ms. */
  readonly notedAt: number;
}

/** What was expected, as it stood: once a report is out nobody knows it any more. */
export interface EstimateRepository {
  /** One a day for each source and period, the last one of the day. */
  save(snapshot: EstimateSnapshot): Promise<void>;
  /** Newest first. */
  list(symbol: string): Promise<readonly EstimateSnapshot[]>;
  /** Writes a date down unless it is what was noted last. Nothing noted is ever changed. */
  saveDate(date: ReportDateRecord): Promise<void>;
  /** What had been noted last by a moment, epoch ms; null where nothing had. */
  notedBy(symbol: string, moment: number): Promise<ReportDateRecord | null>;
}
