import { MODEL_VERSION } from "../../analytics/score/consensus.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Receipt, UnsignedReceipt } from "../../domain/receipts/receipt.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { idDigits } from "../../lib/id-digits.ts";
import type { Picture } from "../signal/picture.ts";
import { packInputs } from "./inputs.ts";
import { oddsResult, toReceiptResult } from "./result.ts";

/** Signs a signal with the hashes of its inputs and stores both for the account. */
export async function issueReceipt(
  picture: Picture,
  { account, past }: { readonly account: string; readonly past: boolean },
  { clock, ids, market, receipts, signer }: Pick<Ports, "clock" | "ids" | "market" | "receipts" | "signer">,
): Promise<Receipt> {
  const { consensus, series, resolution, timeframe, decidedAt, requestedAt: askedFor, inputsHash } = picture;
  const { bytes, inputs } = packInputs(picture.input);
  const unsigned: UnsignedReceipt = {
    receipt_id: `rc_${idDigits(ids.uuid())}`,
    version: 1,
    symbol: resolution.instrument.symbol,
    timeframe,
    market: { mode: market.mode, id: market.id },
    source: series.source,
    venue: series.venue,
    adjustment: series.adjustment,
    issued_at: clock.now().toISOString(),
    as_of: past ? new Date(askedFor).toISOString() : null,
    decided_at: decidedAt,
    model_version: MODEL_VERSION,
    inputs: [...inputs],
    inputs_hash: inputsHash,
    // the consensus of a picture always has levels
    result: { ...toReceiptResult(consensus)!, ...oddsResult(picture) },
  };
  const { publicKey, signature } = await signer.sign((public_key) => signedText({ ...unsigned, public_key }));
  const receipt = { ...unsigned, public_key: publicKey, signature };
  await receipts.save(account, receipt, bytes);
  return receipt;
}

/** Returns the signed text of a receipt: JSON with sorted keys, without the signature. */
export function signedText(receipt: object): string {
  const { signature: _, ...rest } = receipt as { readonly signature?: unknown };
  return canonicalJson(rest);
}
