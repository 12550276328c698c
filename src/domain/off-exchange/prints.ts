/** One trade reported by a venue without displayed quotes. Times in epoch ms. */
export interface Print {
  readonly id: string;
  readonly price: number;
  /** Shares or coins. */
  readonly size: number;
  readonly executedAt: number;
  /** Report time; the print is unknown before it. */
  readonly reportedAt: number;
  /** Trade conditions reported by the venue. */
  readonly conditions: readonly PrintCondition[];
  /** Best bid and offer at execution, where known. */
  readonly nbbo: { readonly bid: number; readonly ask: number } | null;
}

/** Trade conditions whose price is not the market price of that moment. */
export const PRINT_CONDITIONS = [
  "cancelled",
  "average_price",
  "prior_reference",
  "derivative_priced",
  "contingent",
  "late",
] as const;
export type PrintCondition = (typeof PRINT_CONDITIONS)[number];

/** A print with the canonical symbol of its instrument. */
export interface NamedPrint extends Print {
  readonly symbol: string;
}

/** Sessions of the requested period that a provider of prints does not cover, dates `YYYY-MM-DD`. */
export interface PrintReach {
  /** First session requested; earlier ones are unknown. */
  readonly from: string;
  /** Later sessions that are missing. */
  readonly missed: readonly string[];
}

/** Off-exchange prints, ascending by report time; "dark" means off-exchange, wholesalers included. */
export interface PrintTape<P extends Print = Print> {
  readonly prints: readonly P[];
  readonly source: string;
  /** Time of the provider call, epoch ms. */
  readonly fetchedAt: number;
  /** End of the covered period, epoch ms; null if nothing is covered. */
  readonly asOf: number | null;
  /** True for an older answer, returned because no provider responds now. */
  readonly stale: boolean;
  /**
   * Reason why requested prints may be missing: not covered, before the provider's history, too small; null if
   * complete.
   */
  readonly gap: string | null;
  /** Omitted if every session is covered. */
  readonly reach?: PrintReach;
}
