/** What is sealed, and by which key. */
export interface VaultTables {
  readonly connections: ConnectionsTable;
  readonly sealed_secrets: SealedSecretsTable;
  readonly vault_key: VaultKeyTable;
}

interface ConnectionsTable {
  readonly account: string;
  readonly market: string;
  readonly id: string;
  readonly broker: string;
  readonly account_type: string;
  readonly account_mask: string;
  readonly connected_at: string;
  readonly checked_at: string;
  /** As the vault sealed it. */
  readonly sealed: string;
}

interface SealedSecretsTable {
  readonly account: string;
  readonly name: string;
  /** As the vault sealed it. */
  readonly sealed: string;
}

/** One row at most. */
interface VaultKeyTable {
  readonly one: number;
  /** Of the master key that wraps every data key. */
  readonly id: string;
}
