import {
  type ConsensusInput,
  consensus,
  MODEL_VERSION,
  oddsBarsOf,
} from "../../analytics/score/consensus.ts";
import type { Ports } from "../../domain/ports.ts";
import {
  MAX_STORED_INPUTS,
  Receipt,
  type ReceiptResult,
  type Verification,
} from "../../domain/receipts/receipt.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { nestedWithin } from "../../lib/depth.ts";
import { inputsHash } from "../signal/inputs-hash.ts";
import { signalOdds } from "../signal/signal-odds.ts";
import { unpackInputs } from "./inputs.ts";
import { signedText } from "./issue.ts";
import { type Difference, findDifferences, oddsResult, toReceiptResult } from "./result.ts";

export type VerifyPorts = Pick<Ports, "receipts" | "signer" | "market">;
/** Earlier model versions with the same drivers and score, but other price steps of the levels and other odds. */
const EARLIER_VERSIONS: ReadonlySet<string> = new Set(["consensus-1.0.0", "consensus-1.1.0"]);
/** Maximum nesting depth of a receipt; issued receipts have less. */
const MAX_DEPTH = 8;

interface ReceiptChecks extends Pick<Verification, "signature" | "inputs" | "equal"> {
  readonly differences: readonly Difference[];
}

/**
 * Verifies the signature of a receipt, its stored inputs and the result recomputed from them. `given` is the receipt as
 * received, because unknown fields are signed too; `id` is the id under which it was stored.
 */
export async function verifyReceipt(
  given: object,
  { account, id }: { readonly account: string; readonly id?: string },
  ports: VerifyPorts,
): Promise<Verification> {
  const read = nestedWithin(given, MAX_DEPTH) ? Receipt.safeParse(given) : null;
  if (read?.success !== true) return unreadableVerification(id ?? null, "The given object is not a receipt");
  const receipt = read.data;
  if (id !== undefined && id !== receipt.receipt_id)
    return unreadableVerification(id, "Another receipt is stored under this id");
  const signature = await checkSignature(given, receipt, ports.signer);
  const rest = await checkInputs(receipt, account, ports);
  const checks = { signature, ...rest };
  return {
    receipt_id: receipt.receipt_id,
    valid: isValid(checks),
    ...checks,
    differences: [...checks.differences],
    reason: formatReason(checks, receipt, ports),
  };
}

/** Returns the verification of an object that is not a receipt. */
export const unreadableVerification = (id: string | null, why: string): Verification => ({
  receipt_id: id,
  valid: false,
  signature: "invalid",
  inputs: "not_stored",
  equal: null,
  differences: [],
  reason: `${why}: none of its content is verified.`,
});

async function checkSignature(
  given: object,
  { public_key, signature }: Receipt,
  signer: VerifyPorts["signer"],
): Promise<Verification["signature"]> {
  if ((await signer.publicKey()) !== public_key) return "other_key";
  return signer.verify(signedText(given), signature, public_key) ? "valid" : "invalid";
}

async function checkInputs(
  receipt: Receipt,
  account: string,
  { receipts, market }: VerifyPorts,
): Promise<Omit<ReceiptChecks, "signature">> {
  const none = { equal: null, differences: [] } as const;
  const bytes = receipt.market.id === market.id ? await receipts.inputs(account, receipt.receipt_id) : null;
  if (bytes === null) return { inputs: "not_stored", ...none };
  const unpacked = bytes === "damaged" ? null : tryUnpackInputs(bytes);
  if (
    unpacked === null ||
    canonicalJson(unpacked.inputs) !== canonicalJson(receipt.inputs) ||
    inputsHash(unpacked.input) !== receipt.inputs_hash
  )
    return { inputs: "changed", ...none };
  const isEarlier = EARLIER_VERSIONS.has(receipt.model_version);
  if (!isEarlier && receipt.model_version !== MODEL_VERSION) return { inputs: "intact", ...none };
  const computed = recompute(receipt.symbol, unpacked.input);
  const differences = isEarlier
    ? findDifferences(scoreOf(receipt.result), computed && scoreOf(computed))
    : findDifferences(receipt.result, computed);
  return { inputs: "intact", equal: differences.length === 0, differences };
}

/** Returns the part of a result that all versions compute alike: neither levels, what follows from them, nor odds. */
const scoreOf = ({ score, grade, component_scores, ics, coverage, close, drivers }: ReceiptResult) => ({
  score,
  grade,
  component_scores,
  ics,
  coverage,
  close,
  drivers,
});

/** Computes the result of a receipt from its inputs; null without levels. */
function recompute(symbol: string, input: ConsensusInput): ReceiptResult | null {
  const computed = consensus(input);
  const { agreement, levels } = computed;
  const result = toReceiptResult(computed);
  if (result === null || levels === null) return null;
  const { assetClass } = input;
  const odds = signalOdds({ bars: oddsBarsOf(input), symbol, assetClass, levels });
  return { ...result, ...oddsResult({ consensus: { agreement, levels }, odds }) };
}

function tryUnpackInputs(bytes: Uint8Array): ReturnType<typeof unpackInputs> | null {
  try {
    return unpackInputs(bytes);
  } catch {
    return null;
  }
}

function isValid({ signature, inputs, equal }: ReceiptChecks): boolean | null {
  if (signature !== "valid" || inputs === "changed" || equal === false) return false;
  return equal;
}

function formatReason(
  { signature, inputs, equal }: ReceiptChecks,
  receipt: Receipt,
  { market }: VerifyPorts,
): string {
  const found =
    inputs === "changed"
      ? "The stored inputs are not those named in the receipt, so the result was not recomputed."
      : inputs === "not_stored"
        ? formatMissingInputs(receipt, market.id)
        : equal === null
          ? `The inputs are intact, but the result is not comparable: it was computed by ${receipt.model_version}, this server runs ${MODEL_VERSION}.`
          : equal
            ? `The inputs are intact, and ${MODEL_VERSION} computes the same ${EARLIER_VERSIONS.has(receipt.model_version) ? `drivers and score from them. Direction, levels, odds and confidence of ${receipt.model_version} come from an earlier method and are not compared` : "result from them"}.`
            : `The inputs are intact, and ${MODEL_VERSION} computes another result from them.`;
  return `${SIGNATURE_TEXTS[signature]} ${found}`;
}

export const SIGNATURE_TEXTS = {
  valid: "The signature is valid and from this server.",
  invalid: "The signature is invalid: the receipt was changed after signing.",
  other_key: "It is signed by another key: another server issued it, or this one before its key was deleted.",
} as const satisfies Record<Verification["signature"], string>;

const formatMissingInputs = ({ market }: Receipt, here: string): string =>
  market.id === here
    ? `Its inputs are not stored for this account, which stores only those of its newest ${MAX_STORED_INPUTS.toLocaleString("en-US")} receipts: the result could not be recomputed.`
    : "It belongs to a different market than this server: the result could not be recomputed.";
