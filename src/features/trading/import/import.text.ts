import type { Paint } from "../../../domain/terminal.ts";
import { plainText } from "../../../lib/plain-text.ts";

interface ImportAnswer {
  readonly account_label: string;
  readonly removed: boolean;
  readonly replaced: boolean;
  readonly imported: readonly {
    readonly symbol: string;
    readonly quantity: string;
    readonly average_price: string;
  }[];
  readonly refused: readonly {
    readonly line: number;
    readonly text: string;
    readonly why: string;
    readonly candidates: readonly string[];
  }[];
  readonly hint: string | null;
}

/** An import as a person reads it: what was taken over, and each line that was not with why. */
export function formatImport(
  { account_label, removed, replaced, imported, refused, hint }: ImportAnswer,
  paint: Paint,
): string {
  const label = plainText(account_label, 40);
  if (removed) return `Nothing is kept of ${paint("bold", label)} any more`;
  return [
    `${imported.length} position${imported.length === 1 ? "" : "s"} of ${paint("bold", label)} ${replaced ? "replaced those told before" : "taken over"}`,
    ...imported.map(({ symbol, quantity, average_price }) => `  ${symbol}  ${quantity} at ${average_price}`),
    ...refused.flatMap(({ line, text, why, candidates }) => [
      `${paint("yellow", `line ${line} was not taken over`)}: ${why}${candidates.length === 0 ? "" : `; near it: ${candidates.join(", ")}`}`,
      paint("dim", `  ${plainText(text, 70)}`),
    ]),
    ...(hint === null ? [] : [paint("dim", hint)]),
  ].join("\n");
}
