/** What owners of accounts told of themselves. */
export interface OwnerDataTables {
  readonly imported_positions: ImportedPositionsTable;
  readonly trade_notes: TradeNotesTable;
}

/** `positions` is JSON. */
interface ImportedPositionsTable {
  readonly account: string;
  readonly market: string;
  readonly label: string;
  readonly told_at: string;
  readonly positions: string;
}

interface TradeNotesTable {
  readonly account: string;
  readonly market: string;
  readonly id: string;
  readonly order_id: string;
  readonly note: string;
  readonly noted_at: string;
}
