/** Prefix of the seal context of a secret, before its account and name. */
export const SECRET_SEAL = "secret|";

/** Hint of an error for secrets whose master key is not available. */
export const MASTER_KEY_HINT =
  "The server owner restarts the server with the current master key. If that key is lost for good: docs/operations.md#restore says what to do.";

/** Secret texts of accounts, sealed by the vault. */
export interface Secrets {
  /** Stores a text under a name of the account; replaces an older one. */
  save(account: string, name: string, text: string): Promise<void>;
  /** Returns null for an unknown name. Rejects with NOT_CONNECTED when the master key is not available. */
  open(account: string, name: string): Promise<string | null>;
  remove(account: string, name: string): Promise<void>;
}

/** Secrets that can be created once by several processes. */
export interface FirstSecrets extends Secrets {
  /** Stores the text unless the name exists; returns the stored text. */
  saveIfAbsent(account: string, name: string, text: string): Promise<string>;
}

/**
 * Returns the HMAC-SHA-256 of a text under the key of the installation. Rejects with NOT_CONNECTED when the master key is
 * not available.
 */
export type KeyedHash = (text: string) => Promise<Buffer>;
