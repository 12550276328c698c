/** Whom other agents want told of the course of their tasks. */
export interface PushTables {
  readonly a2a_push: A2aPushTable;
}

interface A2aPushTable {
  readonly account: string;
  readonly market: string;
  readonly task: string;
  readonly id: string;
  /** Version of the protocol in which it was asked, and so is told. */
  readonly wire_version: string;
  readonly saved_at: string;
}
