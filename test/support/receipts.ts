import { signerOf } from "../../src/access/vault/signing-key.ts";
import type { Receipt } from "../../src/domain/receipts/receipt.ts";
import type { ReceiptPorts, ReceiptRepository } from "../../src/domain/receipts/receipts-port.ts";
import type { FirstSecrets } from "../../src/domain/vault/secrets-port.ts";
import { signedText } from "../../src/features/receipts/issue.ts";

/** Secrets in memory, unsealed. */
export function plainSecrets(): FirstSecrets & { readonly held: Map<string, string> } {
  const held = new Map<string, string>();
  const at = (account: string, name: string) => JSON.stringify([account, name]);
  return {
    held,
    save: async (account, name, text) => void held.set(at(account, name), text),
    open: async (account, name) => held.get(at(account, name)) ?? null,
    remove: async (account, name) => void held.delete(at(account, name)),
    async saveIfAbsent(account, name, text) {
      const stored = held.get(at(account, name)) ?? text;
      held.set(at(account, name), stored);
      return stored;
    },
  };
}

interface Held {
  text: string;
  inputs: Uint8Array | "damaged" | null;
}

/** Receipts in memory that a test may tamper with, and a real key that signs them. */
export function receiptPorts(): ReceiptPorts & { readonly held: Map<string, Held> } {
  const held = new Map<string, Held>();
  const receipts: ReceiptRepository = {
    async save(account, receipt, inputs) {
      held.set(`${account} ${receipt.receipt_id}`, { text: JSON.stringify(receipt), inputs });
    },
    find: async (account, id) => held.get(`${account} ${id}`)?.text ?? null,
    inputs: async (account, id) => held.get(`${account} ${id}`)?.inputs ?? null,
  };
  return { held, receipts, signer: signerOf(plainSecrets()) };
}

/** The receipt with these changes, signed as it is then. */
export async function resign(
  receipt: Receipt,
  change: Partial<Receipt>,
  { signer }: Pick<ReceiptPorts, "signer">,
): Promise<Receipt> {
  const changed = { ...receipt, ...change };
  const { publicKey, signature } = await signer.sign((public_key) => signedText({ ...changed, public_key }));
  return { ...changed, public_key: publicKey, signature };
}

/** Stores the receipt under the id that examples name. */
export async function saveAsExample(
  receipt: Receipt,
  account: string,
  ports: ReturnType<typeof receiptPorts>,
): Promise<void> {
  const example = await resign(receipt, { receipt_id: `rc_${"0".repeat(20)}` }, ports);
  const { inputs } = ports.held.get(`${account} ${receipt.receipt_id}`)!;
  await ports.receipts.save(account, example, inputs as Uint8Array);
}
