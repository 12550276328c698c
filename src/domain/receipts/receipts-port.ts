import type { Receipt } from "./receipt.ts";

/** Receipts of one market with their inputs, each visible to its own account only. */
export interface ReceiptRepository {
  save(account: string, receipt: Receipt, inputs: Uint8Array): Promise<void>;
  /** Stored JSON of the receipt; null if the account has none with that id. */
  find(account: string, id: string): Promise<string | null>;
  /** Inputs of the computation; `damaged` if they cannot be unpacked, null if not stored or expired. */
  inputs(account: string, id: string): Promise<Uint8Array | "damaged" | null>;
}

/** Signing key of the installation, created when it first signs. Both promises reject with NOT_CONNECTED without the master key. */
export interface Signer {
  /** Signs a text that may contain the public key. */
  sign(
    textWith: (publicKey: string) => string,
  ): Promise<{ readonly publicKey: string; readonly signature: string }>;
  /** Its public key, 32 bytes in base64url; null while nothing was signed. */
  publicKey(): Promise<string | null>;
  /** Returns true if the signature of the text by the key is valid; false if either is malformed. */
  verify(text: string, signature: string, publicKey: string): boolean;
}

/** Ports that issue and verify receipts. */
export interface ReceiptPorts {
  receipts: ReceiptRepository;
  signer: Signer;
}
