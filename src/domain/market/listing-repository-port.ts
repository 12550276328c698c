/** A security that trades on a US exchange. */
export interface UsRow {
  /** In our spelling: `AAPL`, `BRK.B`, `ABR-PD`. */
  readonly ticker: string;
  readonly name: string;
  readonly asset_class: "equity" | "etf";
  /** In our words: `NYSE`, `NASDAQ`. */
  readonly exchange: string;
}

/** A token that a list of tokens knows. */
export interface TokenRow {
  /** As exchanges write it: `BTC`. Two tokens may share one. */
  readonly base: string;
  readonly name: string;
  /** What the list calls it. */
  readonly id: string;
  /** Place by market value, 1 for the greatest. */
  readonly rank: number;
}

/** A list as it was last fetched. */
export interface ListingSnapshot<Row> {
  readonly rows: readonly Row[];
  /** Epoch ms. */
  readonly fetchedAt: number;
  /** Who gave it. */
  readonly source: string;
}

/** The last good list of one kind. */
export interface ListingTable<Row> {
  /** What is kept; null where nothing is, or where it cannot be read. */
  read(): Promise<ListingSnapshot<Row> | null>;
  /**
   * Puts the list in the place of the one kept, whole. Without a reason (a few words, kept beside it) it refuses one of
   * less than nine tenths of the rows kept: false then, and nothing changes.
   */
  replace(list: ListingSnapshot<Row>, reason?: string): Promise<boolean>;
}

/** Which instruments exist, as told by those who list them. */
export interface ListingRepository {
  readonly us: ListingTable<UsRow>;
  readonly tokens: ListingTable<TokenRow>;
}
