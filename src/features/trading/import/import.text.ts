import type { Paint } from "../../../domain/terminal.ts";
import { plainText } from "../../../lib/plain-text.ts";
import type { RejectedLine } from "./positions.ts";

interface ImportAnswer {
  readonly account_label: string;
  readonly removed: boolean;
  readonly replaced: boolean;
  readonly imported: readonly {
    readonly symbol: string;
    readonly quantity: string;
    readonly average_price: string;
  }[];
  readonly refused: readonly RejectedLine[];
  readonly hint: string | null;
}

/** Formats the result of an import: imported positions, and rejected lines with the reason. */
export function formatImport(
  { account_label, removed, replaced, imported, refused, hint }: ImportAnswer,
  paint: Paint,
): string {
  const label = plainText(account_label, 40);
  if (removed) return `${paint("bold", label)} was removed`;
  return [
    `${imported.length} position${imported.length === 1 ? "" : "s"} of ${paint("bold", label)} ${replaced ? "replaced the previous import" : "imported"}`,
    ...imported.map(({ symbol, quantity, average_price }) => `  ${symbol}  ${quantity} at ${average_price}`),
    ...refused.flatMap(({ line, text, why, candidates }) => [
      `${paint("yellow", `line ${line} was not imported`)}: ${why}${candidates.length === 0 ? "" : `; similar: ${candidates.join(", ")}`}`,
      paint("dim", `  ${plainText(text, 70)}`),
    ]),
    ...(hint === null ? [] : [paint("dim", hint)]),
  ].join("\n");
}
