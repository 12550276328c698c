import type { ScanRow } from "../../domain/nightly/scan.ts";
import type { TaskResult } from "../../domain/requests/task.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { Proposal } from "../../domain/trading/proposal.ts";
import { plainText } from "../../lib/plain-text.ts";
import { formatScan } from "../signal/lists.text.ts";
import { type AnswerNotes, splitNotes } from "../signal/notes.ts";
import { formatTask } from "../signal/signal.text.ts";
import { formatProposals } from "../trading/proposals.ts";

interface RoutedAnswer extends AnswerNotes {
  readonly summary: string;
  readonly signals: readonly ScanRow[];
  readonly analysis: readonly TaskResult[];
  readonly recommendations: readonly Proposal[];
  readonly errors: readonly { readonly part: string; readonly symbol: string; readonly message: string }[];
}

/** Formats a routed request: signals, analysis, recommendations, errors and summary. */
export function formatRoutedRequest(answer: RoutedAnswer, paint: Paint): string {
  const { signals, analysis, recommendations, errors, summary } = answer;
  const { first, others } = splitNotes(answer);
  const part = (name: string, lines: string) => [paint("bold", name), lines];
  return [
    ...first.map((note) => paint("yellow", note)),
    ...(signals.length === 0
      ? []
      : part(
          "signals",
          formatScan({ results: signals, errors: [], notes: [], scanned: signals.length }, paint),
        )),
    ...(analysis.length === 0 ? [] : part("analysis", formatTask({ results: analysis }, paint))),
    ...(recommendations.length === 0
      ? []
      : part(
          "recommendations",
          formatProposals({ summary, proposals: recommendations, errors: [], notes: [] }, paint),
        )),
    ...errors.map(({ part: where, symbol, message }) =>
      paint("yellow", `${plainText(symbol, 40)} has no ${where}: ${plainText(message, 300)}`),
    ),
    ...others.map((note) => paint("yellow", note)),
    ...(recommendations.length === 0 ? [summary] : []),
  ].join("\n");
}
