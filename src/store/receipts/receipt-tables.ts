/** Receipts of signals and what they were computed from; never updated. */
export interface ReceiptTables {
  readonly receipts: ReceiptsTable;
  readonly receipt_inputs: ReceiptInputsTable;
}

/** `receipt` is JSON. */
interface ReceiptsTable {
  readonly account: string;
  readonly market: string;
  readonly id: string;
  readonly issued_at: string;
  readonly receipt: string;
}

interface ReceiptInputsTable {
  readonly account: string;
  readonly market: string;
  readonly id: string;
  /** Gzip in base64. */
  readonly packed: string;
}
