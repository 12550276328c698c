import type { Receipt } from "./receipt.ts";

/** Receipts of one market with their inputs, each visible to its own account only. */
export interface ReceiptRepository {
  save(account: string, receipt: Receipt, inputs: Uint8Array): Promise<void>;
  /** Returns the stored JSON of the receipt; null if the account has none with that id. */
  find(account: string, id: string): Promise<string | null>;
  /** Returns the stored inputs of the receipt; `damaged` if they cannot be unpacked, null if not stored or expired. */
  inputs(account: string, id: string): Promise<Uint8Array | "damaged" | null>;
}

/**
 * Signing key of the installation, created when it first signs. Both promises reject with NOT_CONNECTED without the
 * master key.
 */
export interface Signer {
  /** Signs a text that may contain the public key. */
  sign(
    textWith: (publicKey: string) => string,
  ): Promise<{ readonly publicKey: string; readonly signature: string }>;
  /** Returns the public key, 32 bytes in base64url; null before the first signature. */
  publicKey(): Promise<string | null>;
  /** Returns true if the signature of the text by the key is valid; false if either is malformed. */
  verify(text: string, signature: string, publicKey: string): boolean;
}

export interface ReceiptPorts {
  receipts: ReceiptRepository;
  signer: Signer;
}
