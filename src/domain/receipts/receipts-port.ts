import type { Receipt } from "./receipt.ts";

/** Receipts of one market with what they were computed from, each seen by its account alone. */
export interface ReceiptRepository {
  save(account: string, receipt: Receipt, inputs: Uint8Array): Promise<void>;
  /** JSON of the receipt as it stands in the store; null where the account has none of that id. */
  find(account: string, id: string): Promise<string | null>;
  /** What it was computed from; `damaged` where it no longer unpacks, null where it is not kept or not any more. */
  inputs(account: string, id: string): Promise<Uint8Array | "damaged" | null>;
}

/** The key of the installation, which is made when something is first signed. Both promises reject with NOT_CONNECTED where the master key is not at hand. */
export interface Signer {
  /** Signs the text, in which its own public key may stand. */
  sign(
    textWith: (publicKey: string) => string,
  ): Promise<{ readonly publicKey: string; readonly signature: string }>;
  /** Its public key, 32 bytes in base64url; null while nothing was signed. */
  publicKey(): Promise<string | null>;
  /** Whether the signature is that of the text by the key; false where either is malformed. */
  verify(text: string, signature: string, publicKey: string): boolean;
}

/** What issues and verifies receipts. */
export interface ReceiptPorts {
  receipts: ReceiptRepository;
  signer: Signer;
}
