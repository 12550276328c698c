import { comparisonOf } from "../../../src/analytics/news/comparison.ts";
import { lexiconEvidence } from "../../../src/analytics/news/lexicon.ts";
import { type EvidenceCounts, NET_STATEMENTS, netStatements } from "../../../src/analytics/news/pool.ts";
import { tokensOf } from "../../../src/analytics/news/tokens.ts";
import type { Row } from "./rows.ts";

const CLASS = { positive: 0, neutral: 1, negative: 2 } as const;

/** Counts the classes of labelled headlines for each net of statements of the word list. */
export function countEvidence(rows: readonly Row[]): EvidenceCounts {
  const counts = Object.fromEntries(NET_STATEMENTS.map((net) => [net, [0, 0, 0]]));
  for (const { title, subjects, label } of rows) {
    const net = netStatements(lexiconEvidence(tokensOf(title, subjects), comparisonOf(title)));
    counts[net]![CLASS[label]]!++;
  }
  return counts as Record<(typeof NET_STATEMENTS)[number], number[]>;
}
