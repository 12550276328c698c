import type { Receipt, Verification } from "../../domain/receipts/receipt.ts";
import { formatGrade } from "../../domain/signal/grade.text.ts";
import { formatScore } from "../../domain/signal/score.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";

/** Formats a receipt: signal, inputs and signing key. */
export function formatReceipt(receipt: Receipt, paint: Paint): string {
  const { result, inputs, market } = receipt;
  const { direction, grade, score, entry_zone, stop_loss, targets } = result;
  const tone = direction === "LONG" ? "green" : direction === "SHORT" ? "red" : "yellow";
  return [
    `${paint("bold", receipt.receipt_id)}  ${receipt.symbol} ${receipt.timeframe}`,
    `  ${paint(tone, direction)}  ${formatGrade({ direction, grade })}  score ${score === null ? "none" : formatScore(score)}  as of ${receipt.decided_at}`,
    `  entry ${formatPrice(entry_zone.low)} - ${formatPrice(entry_zone.high)}  stop ${formatPrice(stop_loss)}  targets ${targets.map(formatPrice).join("  ") || "none"}${result.levels_basis === "watch" ? "  for watching only" : ""}`,
    ...inputs.map(
      ({ name, rows, sha256 }) =>
        `  ${name.padEnd(9)} ${String(rows).padStart(6)} rows  ${paint("dim", sha256.slice(0, 16))}`,
    ),
    paint(
      "dim",
      `  ${receipt.source} (${receipt.venue}), market ${market.mode}; ${receipt.model_version}, inputs ${receipt.inputs_hash.slice(0, 12)}`,
    ),
    paint("dim", `  issued ${receipt.issued_at}, signed by ${receipt.public_key}`),
  ].join("\n");
}

/** Formats a verification, with the verdict first. */
export function formatVerification(
  { receipt_id, valid, signature, inputs, equal, differences, reason }: Verification,
  paint: Paint,
): string {
  const verdict =
    valid === null
      ? paint("yellow", "NOT DECIDED")
      : valid
        ? paint("green", "VALID")
        : paint("red", "NOT VALID");
  const again = equal === null ? "not compared" : equal ? "equal" : "different";
  return [
    // only receipts of checks have a signature and no id
    `${verdict}  ${receipt_id ?? (signature === "invalid" ? "receipt without an id" : "order check")}`,
    `  signature ${signature.replace("_", " ")}  inputs ${inputs.replace("_", " ")}  result ${again}`,
    `  ${reason}`,
    ...differences.map(
      ({ field, receipt, computed }) => `  ${field}: the receipt says ${receipt}, recomputed ${computed}`,
    ),
  ].join("\n");
}
