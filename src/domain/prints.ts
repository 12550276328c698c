/** One trade reported by a venue without displayed quotes. Times in epoch ms. */
export interface Print {
  readonly id: string;
  readonly price: number;
  /** Shares or coins. */
  readonly size: number;
  readonly executedAt: number;
  /** When it was reported, and so known. */
  readonly reportedAt: number;
  /** What the venue says of it. */
  readonly conditions: readonly PrintCondition[];
  /** Best bid and offer at execution, where known. */
  readonly nbbo: { readonly bid: number; readonly ask: number } | null;
}

/** Conditions under which a price is no price of its moment. */
export const PRINT_CONDITIONS = [
  "cancelled",
  "average_price",
  "prior_reference",
  "derivative_priced",
  "contingent",
  "late",
] as const;
export type PrintCondition = (typeof PRINT_CONDITIONS)[number];

/** Off-exchange prints of one instrument, ascending by report; "dark" means off-exchange, wholesalers included. */
export interface PrintTape {
  readonly prints: readonly Print[];
  readonly source: string;
}
