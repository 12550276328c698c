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

/** A print with the instrument it is of, by canonical symbol. */
export interface NamedPrint extends Print {
  readonly symbol: string;
}

/** Which sessions of the time asked for a source of prints does not tell, dates `YYYY-MM-DD`. */
export interface PrintReach {
  /** The first session that is asked for: of those before nothing is known. */
  readonly from: string;
  /** Sessions from then on that could not be had. */
  readonly missed: readonly string[];
}

/** Off-exchange prints, ascending by report; "dark" means off-exchange, wholesalers included. */
export interface PrintTape<P extends Print = Print> {
  readonly prints: readonly P[];
  readonly source: string;
  /** When the source was asked, epoch ms. */
  readonly fetchedAt: number;
  /** Up to when prints are told, epoch ms; null where nothing is covered. */
  readonly asOf: number | null;
  /** An older answer, told because nobody gives a newer one. */
  readonly stale: boolean;
  /** Why prints that were asked for may be missing: not covered, before what the source tells, too small; null where all are told. */
  readonly gap: string | null;
  /** Left out where every session is told. */
  readonly reach?: PrintReach;
}
