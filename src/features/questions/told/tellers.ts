import { toldContracts } from "./contracts.ts";
import { toldEdge, toldExplanation } from "./explained.ts";
import { toldCalendar, toldEarnings, toldNews } from "./facts.ts";
import { toldCongress, toldOptions, toldPrints, toldTide } from "./flow.ts";
import { toldHours } from "./hours.ts";
import { toldScan, toldScreen } from "./list.ts";
import { toldQuote } from "./quote.ts";
import { toldIndex, toldSignal } from "./signal.ts";
import { toldTechnicals } from "./technicals.ts";
import type { Teller } from "./told.ts";

/** Formatter of each tool's answer; its keys are the tools that can answer a question. */
export const TELLERS = {
  get_signal: toldSignal,
  get_quote: toldQuote,
  get_news: toldNews,
  get_earnings: toldEarnings,
  get_calendar: toldCalendar,
  get_options_flow: toldOptions,
  get_market_tide: toldTide,
  get_darkpool_prints: toldPrints,
  get_congress_signal: toldCongress,
  get_prediction_markets: toldContracts,
  screen_universe: toldScreen,
  scan_symbols: toldScan,
  get_signal_index: toldIndex,
  explain_signal: toldExplanation,
  detect_edge: toldEdge,
  get_analysis: toldTechnicals,
} as const satisfies Readonly<Record<string, Teller>>;

/** A tool whose answer can be formatted as a sentence. */
export type Skill = keyof typeof TELLERS;

/** The tools that a question may be answered with, which `interpret_query` publishes as those it uses. */
export const SKILLS = Object.keys(TELLERS) as readonly Skill[];

/** Formatters of single parts of an answer, for tools with several parts. */
export const SIDES = { hours: toldHours } as const satisfies Readonly<Record<string, Teller>>;
export type Side = keyof typeof SIDES;
