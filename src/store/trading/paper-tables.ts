/** Tables of the paper exchange. */
export interface PaperTables {
  readonly paper_books: PaperAccountsTable;
  readonly paper_positions: PaperPositionsTable;
  readonly paper_orders: PaperOrdersTable;
  readonly paper_fills: PaperFillsTable;
  readonly paper_ledger: PaperLedgerTable;
  readonly paper_closes: PaperClosesTable;
  readonly paper_splits: PaperSplitsTable;
}

interface PaperOwned {
  readonly account: string;
  readonly connection: string;
  readonly market: string;
}

/** Amounts of the paper tables are decimal text. */
interface PaperAccountsTable extends PaperOwned {
  readonly version: number;
  readonly cash: string;
  readonly fills: number;
  readonly opened_at: string;
  readonly fill_model: string;
}

interface PaperPositionsTable extends PaperOwned {
  readonly symbol: string;
  readonly quantity: string;
  readonly cost: string;
  /** null: opened before it was kept. */
  readonly average_price: string | null;
}

interface PaperOrdersTable extends PaperOwned {
  readonly client_order_id: string;
  readonly id: string;
  readonly leg: string;
  readonly parent: string | null;
  /** JSON. */
  readonly intent: string;
  readonly status: string;
  readonly filled_quantity: string;
  readonly filled_value: string;
  readonly fees: string;
  readonly reason: string | null;
  readonly triggered: number;
  readonly matched_to: string;
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Never updated. */
interface PaperFillsTable extends PaperOwned {
  readonly number: number;
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: string;
  readonly quantity: string;
  readonly price: string;
  readonly fee: string;
  readonly at: string;
}

/** Never updated. */
interface PaperLedgerTable extends PaperOwned {
  readonly booking: number;
  readonly row: number;
  readonly ledger: string;
  readonly symbol: string | null;
  readonly amount: string;
  readonly quantity: string | null;
}

interface PaperClosesTable extends PaperOwned {
  readonly symbol: string;
  readonly day: number;
  readonly close: string;
}

/** Never updated. */
interface PaperSplitsTable extends PaperOwned {
  readonly number: number;
  readonly symbol: string;
  readonly ratio: string;
  readonly at: string;
}
