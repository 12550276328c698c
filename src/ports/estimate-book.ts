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

/** Estimates as they stood, day by day: what is expected today is known by nobody once the report is out. */
export interface EstimateBook {
  /** One a day for each source and period, the last one of the day. */
  keep(snapshot: EstimateSnapshot): Promise<void>;
  /** Newest first. */
  of(symbol: string): Promise<readonly EstimateSnapshot[]>;
}
