import type { Reader } from "./reader.ts";
import { because, dollars, from, listed, show, type Teller } from "./told.ts";

const STAGES = ["basing", "advancing", "topping", "declining"] as const;

/** What the bars of a symbol show: indicators, the range of its year, stage, Wyckoff, Elliott and patterns. */
export const toldTechnicals: Teller = (answer, symbol) => {
  const of = (name: string, digits = 1) => answer.number(`analysis.technicals.${name}`, digits);
  const figures = {
    rsi: of("rsi"),
    macd_cross: answer.text("analysis.technicals.macd_cross"),
    atr: answer.price("analysis.technicals.atr"),
    atr_percent: of("atr_percent"),
    stage: of("stage", 0),
    distance_30w_percent: of("distance_30w_percent"),
    year_low: answer.price("analysis.technicals.year_low"),
    year_high: answer.price("analysis.technicals.year_high"),
    year_position: of("year_position"),
    volume_ratio: of("volume_ratio", 2),
    wyckoff: answer.text("analysis.wyckoff.phase"),
    wyckoff_part: answer.text("analysis.wyckoff.sub_phase"),
    elliott: elliottIn(answer),
    patterns: answer.list("analysis.pattern_details").flatMap(patternIn),
    source: answer.text("source"),
    as_of: answer.moment("data_as_of"),
  };
  const stage =
    figures.stage === null ? "stage unknown" : `stage ${figures.stage}, ${STAGES[figures.stage - 1]}`;
  const wyckoff = `Wyckoff ${show(figures.wyckoff)}${figures.wyckoff_part === null ? "" : `, phase ${figures.wyckoff_part}`}`;
  const elliott =
    figures.elliott.label === null
      ? `no Elliott count${because(figures.elliott.reason, " (")}${figures.elliott.reason === null ? "" : ")"}`
      : `Elliott ${figures.elliott.label}`;
  const average =
    figures.distance_30w_percent === null
      ? "how far from its 30-week average is unknown"
      : `${Math.abs(figures.distance_30w_percent)} percent ${figures.distance_30w_percent < 0 ? "below" : "above"} its 30-week average`;
  return {
    figures,
    sentence: `Technicals of ${symbol}: RSI ${show(figures.rsi)}, MACD ${show(figures.macd_cross)}, average true range ${dollars(figures.atr)} (${show(figures.atr_percent)} percent); at ${show(figures.year_position)} percent of its year's range of ${dollars(figures.year_low)} to ${dollars(figures.year_high)}; ${stage}, ${average}; volume ${show(figures.volume_ratio)} times its mean; ${wyckoff}; ${elliott}; ${figures.patterns.length === 0 ? "no pattern stands" : `of patterns ${listed(figures.patterns)} ${figures.patterns.length === 1 ? "stands" : "stand"}`} ${from(figures.source, figures.as_of)}.`,
  };
};

const elliottIn = (answer: Reader) => ({
  label: answer.text("analysis.elliott.label"),
  direction: answer.text("analysis.elliott.direction"),
  reason: answer.reason("analysis.elliott.reason"),
});

const MOST_PATTERNS = 3;
const patternIn = (row: Reader, place: number): readonly string[] =>
  place < MOST_PATTERNS && row.text("status") === "standing" ? [row.text("name") ?? ""] : [];
