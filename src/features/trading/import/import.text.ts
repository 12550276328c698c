import type { Paint } from "../../../domain/terminal.ts";
import { plainText } from "../../../lib/plain-text.ts";

interface ImportAnswer {
  readonly account_label: string;
  readonly taken_for: string | null;
  readonly dry_run: boolean;
  readonly removed: boolean;
  readonly replaced: boolean;
  readonly imported: readonly {
    readonly symbol: string;
    readonly quantity: string;
    readonly average_price: string;
    readonly notes: readonly string[];
  }[];
  readonly cost_doubtful: readonly {
    readonly symbol: string;
    readonly quantity: string;
    readonly cost: string;
    readonly price: number;
    readonly price_source: string;
    readonly price_time: string;
  }[];
  readonly refused: readonly {
    readonly line: number;
    readonly text: string;
    readonly why: string;
    readonly candidates: readonly string[];
  }[];
  readonly hint: string | null;
}

/** Formats the result of an import: the recognised export, positions, doubtful costs, and rejected lines. */
export function formatImport(answer: ImportAnswer, paint: Paint): string {
  const { taken_for, dry_run, removed, replaced, imported, cost_doubtful, refused, hint } = answer;
  const label = plainText(answer.account_label, 40);
  if (removed) return `${paint("bold", label)} was removed`;
  const count = `${imported.length} position${imported.length === 1 ? "" : "s"}`;
  const how = dry_run ? "would be imported" : replaced ? "replaced the previous import" : "imported";
  return [
    ...(taken_for === null ? [] : [taken_for]),
    `${count} of ${paint("bold", label)} ${how}`,
    ...imported.flatMap(({ symbol, quantity, average_price, notes }) => [
      `  ${symbol}  ${quantity} at ${average_price}`,
      ...notes.map((note) => paint("dim", `    ${note}`)),
    ]),
    ...cost_doubtful.map(
      ({ symbol, quantity, cost, price, price_source, price_time }) =>
        `${paint("yellow", `${symbol} ${quantity} was not imported`)}: it costs ${cost}, and the price is ${price} (${price_source}, ${price_time})`,
    ),
    ...refused.flatMap(({ line, text, why, candidates }) => [
      `${paint("yellow", `line ${line} was not imported`)}: ${why}${candidates.length === 0 ? "" : `; similar: ${candidates.join(", ")}`}`,
      paint("dim", `  ${plainText(text, 70)}`),
    ]),
    ...(hint === null ? [] : [paint("dim", hint)]),
  ].join("\n");
}
