/** Sealed credentials and secrets, and the id of their master key. */
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
  /** Sealed by the vault. */
  readonly sealed: string;
}

interface SealedSecretsTable {
  readonly account: string;
  readonly name: string;
  /** Sealed by the vault. */
  readonly sealed: string;
}

/** One row at most. */
interface VaultKeyTable {
  readonly one: number;
  /** Of the master key that wraps every data key. */
  readonly id: string;
}
