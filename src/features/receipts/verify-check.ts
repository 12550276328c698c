import { ODDS_VERSION } from "../../analytics/odds/odds.ts";
import type { Ports } from "../../domain/ports.ts";
import { CheckReceipt, CheckResult, type Snapshot } from "../../domain/receipts/check-receipt.ts";
import type { Verification } from "../../domain/receipts/receipt.ts";
import { ToolError } from "../../kernel/errors.ts";
import { nestedWithin } from "../../lib/depth.ts";
import { type Fields, isFields } from "../../lib/fields.ts";
import { plainText } from "../../lib/plain-text.ts";
import { RULES_VERSION } from "../check/assess-order.ts";
import type { CheckCaller } from "../check/basis.ts";
import { concise } from "../check/concise.ts";
import { hashOf, type RepeatPorts, repeatCheck } from "../check/receipt.ts";
import { signedText } from "./issue.ts";
import { type Difference, findDifferences, MAX_DIFFERENCES } from "./result.ts";
import { SIGNATURE_TEXTS, unreadableVerification } from "./verify.ts";

export type VerifyCheckPorts = RepeatPorts & Pick<Ports, "signer">;

/** Maximum nesting depth of an answer with its receipt; issued ones have less. */
const MAX_DEPTH = 8;
const MAX_FIELD = 100;
/** Codes of a check that cannot be repeated here, whenever it is tried. */
const NOT_HERE: ReadonlySet<string> = new Set(["UNKNOWN_SYMBOL", "NOT_ENOUGH_DATA", "INVALID_INPUT"]);
/** Hash of a snapshot without any field: nothing has to be sent to repeat its check. */
const EMPTY_SNAPSHOT = hashOf({});

type Found = Pick<Verification, "valid" | "inputs" | "equal"> & {
  readonly differences: readonly Difference[];
  readonly text: string;
};
/** What was sent with a receipt. `answer`: its fields of a check; null for the receipt alone. */
interface Sent {
  readonly answer: Fields | null;
  readonly snapshot: Snapshot | undefined;
}
type RepeatCaller = CheckCaller & { readonly ports: VerifyCheckPorts };

/** Returns true for the receipt of a check of an order, alone or in an answer. */
export const isCheckReceipt = (given: Fields): boolean => receiptIn(given).kind === "order_check";

const receiptIn = (given: Fields): Fields => (isFields(given.receipt) ? given.receipt : given);

/**
 * Verifies the receipt of a check: its signature, the answer that it came with, if given, and with the snapshot the check
 * repeated at its time.
 */
export async function verifyCheckReceipt(
  given: Fields,
  snapshot: Snapshot | undefined,
  { account, signal, ports }: RepeatCaller,
): Promise<Verification> {
  const inside = receiptIn(given);
  const read = nestedWithin(given, MAX_DEPTH) ? CheckReceipt.safeParse(inside) : null;
  if (read?.success !== true) return unreadableVerification(null, "The given object is not a receipt");
  const receipt = read.data;
  const signature = await checkSignature(inside, receipt, ports.signer);
  const base = { receipt_id: null, signature };
  // a check that others signed could name any limits and times to compute with
  if (signature !== "valid")
    return {
      ...base,
      valid: false,
      inputs: "not_stored",
      equal: null,
      differences: [],
      reason: `${SIGNATURE_TEXTS[signature]} Nothing else was checked.`,
    };
  const answer = inside === given || !("verdict" in given) ? null : answerIn(given);
  const found = await compare(receipt, { answer, snapshot }, { account, signal, ports });
  const { valid, inputs, equal, differences, text } = found;
  return {
    ...base,
    valid,
    inputs,
    equal,
    differences: [...differences],
    reason: `${SIGNATURE_TEXTS[signature]} ${text}`,
  };
}

/** Returns `other_key` only for a receipt that its own key has signed. */
async function checkSignature(
  given: object,
  { public_key, signature }: CheckReceipt,
  signer: VerifyCheckPorts["signer"],
): Promise<Verification["signature"]> {
  if (!signer.verify(signedText(given), signature, public_key)) return "invalid";
  return (await signer.publicKey()) === public_key ? "valid" : "other_key";
}

/** Fields of a check in an answer, without those that a transport adds. */
const answerIn = (given: Fields): Fields =>
  Object.fromEntries(
    Object.keys(CheckResult.shape).flatMap((name) => (name in given ? [[name, given[name]]] : [])),
  );

const hasFull = (answer: Fields): boolean => "passed" in answer;

async function compare(
  receipt: CheckReceipt,
  { answer, snapshot }: Sent,
  caller: RepeatCaller,
): Promise<Found> {
  const unsigned = answer === null ? [] : answerDifferences(receipt, answer);
  const isSigned = unsigned.length === 0;
  const undecided = (inputs: Found["inputs"], text: string, found: readonly Difference[] = []): Found => ({
    valid: isSigned ? null : false,
    inputs,
    equal: null,
    differences: uniqueFields([...found, ...unsigned]),
    text: isSigned ? text : `${NOT_SIGNED} ${text}`,
  });
  const isPartly = answer !== null && !hasFull(answer);
  const notRepeated: typeof undecided = (inputs, text, found) =>
    undecided(inputs, isPartly ? `${text} ${CONCISE}` : text, found);
  const sent = snapshot ?? (receipt.snapshot_sha256 === EMPTY_SNAPSHOT ? {} : undefined);
  if (sent === undefined)
    return notRepeated("not_stored", "The snapshot was not given, so the check was not repeated.");
  const changed = difference("snapshot_sha256", receipt.snapshot_sha256, hashOf(sent));
  if (changed !== null) {
    const text = "The snapshot is not that of the receipt, so the check was not repeated.";
    return { ...notRepeated("changed", text, [changed]), valid: false };
  }
  const obstacle = obstacleTo(receipt, caller.ports);
  if (obstacle !== null) return notRepeated("intact", obstacle);
  const repeated = await tryRepeat(receipt, sent, caller);
  if (typeof repeated === "string")
    return notRepeated("intact", `The check cannot be repeated here: ${repeated}.`);
  const found = [...unsigned, ...resultDifferences(receipt, answer, repeated.result)];
  const bars = difference("bars_sha256", receipt.bars_sha256, repeated.barsHash);
  if (bars !== null) return undecided("changed", BARS_CHANGED, [bars, ...found]);
  const equal = found.length === 0;
  const same = `Snapshot and bars are those of the receipt, and ${HERE} compute ${equal ? "the same" : "another"} result from them.`;
  return {
    valid: equal,
    inputs: "intact",
    equal,
    differences: uniqueFields(found),
    text: [...(isSigned ? [] : [NOT_SIGNED]), same, TAKEN].join(" "),
  };
}

/** Returns why the result of a receipt is not comparable on this server; null if it is. */
function obstacleTo(
  { market, rules_version, odds_version }: CheckReceipt,
  ports: VerifyCheckPorts,
): string | null {
  if (market.id !== ports.market.id)
    return "It belongs to a different market than this server, so the check was not repeated.";
  const versions = versionsText(rules_version, odds_version);
  return versions === HERE
    ? null
    : `The result is not comparable: it was computed by ${versions}, this server runs ${HERE}.`;
}

const versionsText = (rules: string, odds: string): string => `${rules} with ${odds}`;
const HERE = versionsText(RULES_VERSION, ODDS_VERSION);
const NOT_SIGNED = "The answer given with the receipt is not the signed one.";
const CONCISE = "Of the concise answer given with the receipt, only the verdict was compared.";
const BARS_CHANGED =
  "The bars here are no longer those of the receipt, as after a split or a correction: the differences of the result are listed, but do not decide.";
const TAKEN =
  "Taken from the receipt: the quote that this server read, the limits of the owner, the kill switch and the date of the next report. All else was computed again.";

/** Returns what in an answer contradicts its receipt without the check being repeated. */
function answerDifferences(receipt: CheckReceipt, answer: Fields): readonly Difference[] {
  const verdict = difference("verdict", receipt.verdict, answer.verdict);
  const hash = hasFull(answer) ? difference("result_sha256", receipt.result_sha256, hashOf(answer)) : null;
  return [verdict, hash].filter((one) => one !== null);
}

/** Returns how a repeated check differs from the receipt, and from the answer given with it. */
function resultDifferences(
  receipt: CheckReceipt,
  answer: Fields | null,
  result: CheckResult,
): readonly Difference[] {
  const served = answer === null ? null : hasFull(answer) ? result : concise(result);
  return [
    difference("verdict", receipt.verdict, result.verdict),
    difference("result_sha256", receipt.result_sha256, hashOf(result)),
  ]
    .filter((one) => one !== null)
    .concat(served === null ? [] : findDifferences(answer, served));
}

/** Returns the first difference of each field, with field names of the caller at a length for an answer. */
const uniqueFields = (found: readonly Difference[]): Difference[] =>
  found
    .filter((one, at) => found.findIndex(({ field }) => field === one.field) === at)
    .slice(0, MAX_DIFFERENCES)
    .map((one) => ({ ...one, field: plainText(one.field, MAX_FIELD) }));

const difference = (field: string, receipt: unknown, computed: unknown): Difference | null =>
  findDifferences({ [field]: receipt }, { [field]: computed })[0] ?? null;

/** Repeats a check; returns the reason if it cannot be repeated on this server. */
async function tryRepeat(
  receipt: CheckReceipt,
  snapshot: Snapshot,
  caller: RepeatCaller,
): Promise<Awaited<ReturnType<typeof repeatCheck>> | string> {
  try {
    return await repeatCheck(receipt, snapshot, caller);
  } catch (cause) {
    if (cause instanceof ToolError && NOT_HERE.has(cause.code)) return cause.message;
    throw cause;
  }
}
