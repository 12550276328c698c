/** What every seal of a secret is bound to in front of its account and name, where others are bound to a broker or the audit log. */
export const SECRET_SEAL = "secret|";

/** Texts nobody may read from the store, sealed by the vault and put under a new master key with all other seals. */
export interface Secrets {
  /** Keeps a text under a name of the account, in place of an older one. */
  save(account: string, name: string, text: string): Promise<void>;
  /** Null where there is none of this name. Rejects with NOT_CONNECTED where the master key is not at hand. */
  open(account: string, name: string): Promise<string | null>;
  remove(account: string, name: string): Promise<void>;
}

/** Secrets of which the first of a name may stay, whoever makes one meanwhile. */
export interface FirstSecrets extends Secrets {
  /** Keeps the text where there is none of this name; returns the one that is kept. */
  saveIfAbsent(account: string, name: string, text: string): Promise<string>;
}
