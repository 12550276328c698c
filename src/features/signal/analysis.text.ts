import type { Alternatives } from "../../domain/answers.ts";
import type { EventRisk } from "../../domain/earnings/calendar.ts";
import type { Analysis, Technicals } from "../../domain/signal/analysis.ts";
import type { Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { formatEventRisk } from "../earnings/event-risk.text.ts";
import { type AnswerNotes, splitNotes } from "./notes.ts";
import type { provenanceFields } from "./origins.ts";
import { formatStage } from "./risks.ts";
import { formatStructure, formatWaves } from "./signal.text.ts";

type PriceFields = "price" | "price_source" | "price_reason" | "source" | "venue";
interface AnalysisAnswer extends AnswerNotes, Pick<ReturnType<typeof provenanceFields>, PriceFields> {
  readonly symbol: string;
  readonly analysis: Analysis;
  readonly event_risk: EventRisk;
  readonly data_as_of: string;
  readonly alternatives: Alternatives;
}

const COLOUR = { bullish: "green", bearish: "red", neutral: "yellow" } as const;

/** Formats an analysis: summary, structure, figures, patterns, sentiment, risks and provider. */
export function formatAnalysis(answer: AnalysisAnswer, paint: Paint): string {
  const { symbol, analysis, price, price_source, price_reason } = answer;
  const row = (name: string, value: string) => `  ${paint("dim", name.padEnd(12))}${value}`;
  const patterns = analysis.pattern_details.map(({ name, direction, confirmed_at, status, void_at }) =>
    row(
      "pattern",
      `${paint(COLOUR[direction], name)}  ${confirmed_at}${status === "void" ? paint("dim", `  void on ${void_at}`) : ""}`,
    ),
  );
  const { first, others } = splitNotes(answer);
  return [
    ...first.map((note) => paint("yellow", note)),
    analysis.summary.replace(symbol, paint("bold", symbol)),
    ...others.map((note) => row("note", paint("yellow", note))),
    row("price", price === null ? `none: ${price_reason}` : `${formatPrice(price)}  ${price_source}`),
    row("structure", formatStructure(analysis.wyckoff)),
    ...(analysis.wyckoff.phase === "Undetermined" ? [] : [row("", paint("dim", analysis.wyckoff.narrative))]),
    row("wave", formatWaves(analysis.elliott, paint)),
    row("technicals", figuresOf(analysis.technicals)),
    ...patterns,
    row("sentiment", analysis.sentiment),
    row("catalysts", analysis.catalysts.join("; ") || `none: ${analysis.catalysts_reason}`),
    ...formatEventRisk(answer.event_risk).map((line) => row("upcoming", line)),
    ...analysis.risks.map((risk) => row("risk", risk)),
    paint("dim", `  ${answer.source} (${answer.venue}), ${answer.data_as_of}`),
  ].join("\n");
}

function figuresOf({ stage, rsi, atr, atr_percent, volume_ratio, year_position }: Technicals): string {
  const figure = (value: number | null, text: (value: number) => string) =>
    value === null ? [] : [text(value)];
  const ofClose = `${(atr_percent ?? Number.NaN).toFixed(2)}% of the close`;
  const figures = [
    ...figure(stage, formatStage),
    ...figure(rsi, (value) => `RSI ${value.toFixed(1)}`),
    ...figure(atr, (value) => `ATR ${formatPrice(value)} (${ofClose})`),
    ...figure(volume_ratio, (value) => `volume ${value.toFixed(2)} times its mean`),
    ...figure(year_position, (value) => `at ${value.toFixed(0)}% of the year's range`),
  ];
  return figures.join(", ") || "none: too few bars";
}
