import type { Analysis } from "../domain/analysis.ts";
import { type Alternatives, alsoInWords } from "../domain/answers.ts";
import type { Paint } from "../domain/terminal.ts";

interface AnalysisAnswer {
  readonly symbol: string;
  readonly analysis: Analysis;
  readonly price: number | null;
  readonly price_source: string | null;
  readonly price_reason: string | null;
  readonly notes: readonly string[];
  readonly source: string;
  readonly venue: string;
  readonly data_as_of: string;
  readonly alternatives: Alternatives;
}

const COLOUR = { bullish: "green", bearish: "red", neutral: "yellow" } as const;

/** An analysis for a person at a terminal: summary, patterns, mood, risks, and where it comes from. */
export function analysisLines(answer: AnalysisAnswer, paint: Paint): string {
  const { symbol, analysis, price, price_source, price_reason } = answer;
  const row = (name: string, value: string) => `  ${paint("dim", name.padEnd(12))}${value}`;
  const patterns = analysis.pattern_details.map(({ name, direction, confirmed_at, status, void_at }) =>
    row(
      "pattern",
      `${paint(COLOUR[direction], name)}  ${confirmed_at}${status === "void" ? paint("dim", `  void on ${void_at}`) : ""}`,
    ),
  );
  return [
    paint("bold", symbol),
    `  ${analysis.summary}`,
    ...answer.notes.map((note) => row("note", paint("yellow", note))),
    row("price", price === null ? `none: ${price_reason}` : `${price}  ${price_source}`),
    ...patterns,
    row("sentiment", analysis.sentiment),
    row("catalysts", analysis.catalysts.join("; ") || `none: ${analysis.catalysts_reason}`),
    ...analysis.risks.map((risk) => row("risk", risk)),
    paint("dim", `  ${answer.source} (${answer.venue}), ${answer.data_as_of}`),
    ...alsoInWords(answer.alternatives).map((line) => paint("dim", `  ${line}`)),
  ].join("\n");
}
