/** A price change that the owner of the server declared to be no split. */
export interface DeclaredNoSplit {
  readonly symbol: string;
  /** ISO date of the first session at the new price. */
  readonly date: string;
  /** ISO 8601 UTC. */
  readonly declared_at: string;
}

/** Declarations of the owner of the server, the same for all accounts. */
export interface NoSplits {
  /** Returns the declarations by symbol and date. Default: of all symbols. */
  list(symbol?: string): Promise<readonly DeclaredNoSplit[]>;
  /** Returns false if it was declared before. Rejects with REFUSED beyond 1,000 declarations. */
  declare(declared: DeclaredNoSplit): Promise<boolean>;
  /** Returns false if there was no such declaration. */
  remove(declared: Pick<DeclaredNoSplit, "symbol" | "date">): Promise<boolean>;
}
