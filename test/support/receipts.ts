import { signerOf } from "../../src/access/vault/signing-key.ts";
import type { Receipt } from "../../src/domain/receipts/receipt.ts";
import type { ReceiptPorts, ReceiptRepository } from "../../src/domain/receipts/receipts-port.ts";
import { signedText } from "../../src/features/receipts/issue.ts";
import { memorySecrets } from "./memory-secrets.ts";

interface Held {
  text: string;
  inputs: Uint8Array | "damaged" | null;
}

/** In-memory receipts that a test can tamper with, and a real signing key. */
export function receiptPorts(): ReceiptPorts & { readonly held: Map<string, Held> } {
  const held = new Map<string, Held>();
  const receipts: ReceiptRepository = {
    async save(account, receipt, inputs) {
      held.set(`${account} ${receipt.receipt_id}`, { text: JSON.stringify(receipt), inputs });
    },
    find: async (account, id) => held.get(`${account} ${id}`)?.text ?? null,
    inputs: async (account, id) => held.get(`${account} ${id}`)?.inputs ?? null,
  };
  return { held, receipts, signer: signerOf(memorySecrets()) };
}

/** The receipt with these changes, signed again. */
export async function resign(
  receipt: Receipt,
  change: Partial<Receipt>,
  { signer }: Pick<ReceiptPorts, "signer">,
): Promise<Receipt> {
  const changed = { ...receipt, ...change };
  const { publicKey, signature } = await signer.sign((public_key) => signedText({ ...changed, public_key }));
  return { ...changed, public_key: publicKey, signature };
}

/** Saves the receipt under the id used in examples. */
export async function saveAsExample(
  receipt: Receipt,
  account: string,
  ports: ReturnType<typeof receiptPorts>,
): Promise<void> {
  const example = await resign(receipt, { receipt_id: `rc_${"0".repeat(20)}` }, ports);
  const { inputs } = ports.held.get(`${account} ${receipt.receipt_id}`)!;
  await ports.receipts.save(account, example, inputs as Uint8Array);
}
