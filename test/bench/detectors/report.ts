import type { Measured } from "./measure.ts";
import { precisionOf, recallOf, type Tally } from "./tally.ts";

/** A table that is readable on a terminal and valid Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]!.length)));
  const lineOf = (row: readonly string[]) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(" | ")} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [lineOf(head), rule, ...rows.map(lineOf)].join("\n");
}

/** A share with three decimals, rounded down; a dash if undefined. */
export const share = (value: number): string =>
  Number.isNaN(value) ? "-" : (Math.floor(value * 1000) / 1000).toFixed(3);

/** A table of recall and precision. */
export const scoreTable = ({ rows }: Measured): string =>
  tableOf(
    [
      "",
      "planted",
      "truth",
      "found",
      "recall",
      "detected",
      "of these planted",
      "precision",
      "by chance",
      "neither",
    ],
    Object.entries(rows).map(([name, tally]) => [
      name,
      ...[tally.planted, tally.truth, tally.found].map(String),
      share(recallOf(tally)),
      ...[tally.claimed, tally.right].map(String),
      share(precisionOf(tally)),
      `${tally.chance}`,
      `${tally.claimed - tally.right - tally.chance}`,
    ]),
  );

/** Rows below the target: recall and precision, for impulses precision only. */
export const misses = ({ rows }: Measured, least: number): readonly string[] =>
  ["Spring", "UTAD", "LPS", "phase", "impulse"].filter((name) => {
    const tally = rows[name] as Tally;
    return !(precisionOf(tally) >= least && (name === "impulse" || recallOf(tally) >= least));
  });

/** Report of one measurement; `least` is the target, or null without one. */
export function measuredText(measured: Measured, seeds: number, noise: number, least: string | null): string {
  const { refused, broken, misjudged, redrawn, strays } = measured;
  const held =
    least === null
      ? `The same series as they fall, with all that noise makes by chance (in ${strays} of ${seeds}); held to nothing.`
      : `Noise is drawn again (${redrawn} times) while by the oracle it makes what was not planted, which stays in ${strays} series. To reach: recall and precision ${least}; of impulses precision only.`;
  return [
    `## Noise of ${noise} ATR, ${seeds} series${least === null ? ", nothing drawn again" : ""}`,
    `${held} Noise measured on the finished bars: ${measured.noise.toFixed(2)} ATR14.`,
    scoreTable(measured),
    `Hard rules: ${refused} broken by planted impulses, ${broken} detected impulses that break one, ${misjudged} of ${10 * seeds} made to keep or break one rule judged otherwise.`,
  ].join("\n\n");
}
