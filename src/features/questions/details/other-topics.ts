import topics from "../data/topics.json" with { type: "json" };
import { type Matcher, matcher, type Phrases } from "../phrases.ts";
import type { Skill } from "../skills.ts";

/** A topic that is not part of a signal. */
interface Topic extends Phrases {
  readonly label: string;
  /** The tool that answers it; null if none does. */
  readonly tool: Skill | Elsewhere | null;
  /** What the tool has instead of the topic itself. */
  readonly has?: string;
}

/** Tools that an answer names but does not call. */
export type Elsewhere =
  | "get_history"
  | "run_backtest"
  | "render_chart"
  | "get_track_record"
  | "get_enhanced_signal"
  | "preview_trade";

/** Labels that the code refers to. */
export const REASONS = "the reasons of the verdict";
export const TURN = "what would turn the verdict";
export const EDGE = "an edge";
export const PRICE = "the price";
export const PRICE_CHANGE = "how a price has moved";
export const TODAY = "the change of today";
export const TO_COME = "a price to come";
export const AVERAGES = "averages of price";
export const MARKET_MOVE = "how far the whole market has moved";
export const OTHER_DAY = "the trading hours of the requested day";
export const ECONOMY = "the economy";
export const POSITION = "the size of a position";
export const EXPLAINED = "what the verdict rests on";

export const ANALYSTS = "what analysts say";
export const ECONOMIC_DATES = "dates of economic reports";
export const COMMODITY = "the price of a commodity";

/** Topics that are not part of a signal, each with the matcher of its phrases. */
export const TOPICS: readonly (Topic & { readonly words: Matcher })[] = (topics as readonly Topic[]).map(
  (topic) => ({ ...topic, words: matcher(topic) }),
);
