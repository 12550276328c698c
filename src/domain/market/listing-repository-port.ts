/** A security that trades on a US exchange. */
export interface UsRow {
  /** Canonical spelling: `AAPL`, `BRK.B`, `ABR-PD`. */
  readonly ticker: string;
  readonly name: string;
  readonly asset_class: "equity" | "etf";
  /** Canonical name: `NYSE`, `NASDAQ`. */
  readonly exchange: string;
}

export interface TokenRow {
  /** As exchanges write it: `BTC`. Two tokens may share one. */
  readonly base: string;
  readonly name: string;
  /** Identifier in the list. */
  readonly id: string;
  /** Rank by market value, from 1 for the largest. */
  readonly rank: number;
}

export interface ListingSnapshot<Row> {
  readonly rows: readonly Row[];
  /** Epoch ms. */
  readonly fetchedAt: number;
  readonly source: string;
}

/** Last valid list of one kind. */
export interface ListingTable<Row> {
  /** Returns the stored list; null if there is none or it cannot be read. */
  read(): Promise<ListingSnapshot<Row> | null>;
  /**
   * Replaces the stored list. Without a reason (a few words, stored with it), a list with fewer than nine tenths of
   * the stored rows is refused: returns false and changes nothing.
   */
  replace(list: ListingSnapshot<Row>, reason?: string): Promise<boolean>;
}

/** Last fetched lists of US securities and crypto tokens. */
export interface ListingRepository {
  readonly us: ListingTable<UsRow>;
  readonly tokens: ListingTable<TokenRow>;
}
