import type { Timeframe } from "../../domain/market/bars.ts";
import type { QuestionIntent } from "../../domain/requests/interpretation.ts";
import type { Mention } from "../../market/symbols/mentions/span.ts";
import type { Definitions } from "./define.ts";
import type { Past } from "./details/past.ts";
import type { PriceOddsRequest, PriceOddsTopic } from "./details/price-odds.ts";
import type { FlowTopic, Topics } from "./details/topics.ts";
import type { ListRequest } from "./results/list-lines.ts";

/** One call of a tool that a question needs. */
export interface SkillCall {
  readonly skill: string;
  readonly symbol: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  /** Selects the rows of a list to show. */
  readonly list?: ListRequest;
  /** Part of odds to show first. Default: in the order of the tool. */
  readonly part?: PriceOddsTopic;
}

/** A question as it was understood, before any tool is called. */
export interface ParsedQuestion {
  readonly query: string;
  readonly now: Date;
  /** Names that are answered. */
  readonly mentions: readonly Mention[];
  readonly intent: QuestionIntent;
  /** Terms of the glossary that the question asks for; null if it asks for none. */
  readonly definitions: Definitions | null;
  /** true: the glossary has the term that the question asks for. */
  readonly isDefined: boolean;
  readonly timeframe: Timeframe | null;
  /** Canonical symbols, in order of mention. */
  readonly symbols: readonly string[];
  /** Words that name an unknown instrument. */
  readonly unresolved: readonly string[];
  readonly topics: Topics;
  /** Symbols whose odds on prediction markets the question asks for. */
  readonly oddsOn: readonly string[];
  /** Odds of prices that the question asks for; null if it asks for none. */
  readonly priceOdds: PriceOddsRequest | null;
  /** Symbols that the question excludes. */
  readonly excluded: readonly string[];
  /** The past time that the question is about; null for now. */
  readonly past: Past | null;
  /** Past day for which signals are requested; null for now. */
  readonly asOf: string | null;
}

/** Returns true for an intent that requests data on instruments or on the market. */
export const requestsData = (intent: QuestionIntent): boolean =>
  intent !== "greeting" && intent !== "definition" && intent !== "unknown";

/** Returns the maximum number of calls in an answer in addition to its signals. */
export const maxOtherCalls = (symbols: number): number => (symbols <= 3 ? 6 : symbols <= 10 ? 4 : 1);
const DEFAULT_LISTED = 5;
/** Maximum number of rows of a list in an answer. */
export const MAX_LISTED = 10;
const MAX_STORIES = 3;
const MAX_CONTRACTS = 100;

/** Returns the calls that the intent of a question needs, besides the signals of the symbols it names. */
export function callsOf(question: ParsedQuestion): readonly SkillCall[] {
  const { intent, isDefined, symbols, unresolved, topics, oddsOn, excluded } = question;
  const each = (skill: string, more: object = {}, field = "symbol") =>
    symbols.map((symbol): SkillCall => ({ skill, symbol, input: { [field]: symbol, ...more } }));
  const market = (skill: string, input: SkillCall["input"] = {}) => [{ skill, symbol: null, input }];
  const isAlone = symbols.length === 0;
  if (isAlone && topics.hours && HOURS_OF.has(intent)) return [TRADING_HOURS];
  if (topics.odds !== null && !isDefined && ODDS_OF.has(intent)) {
    // the contract on the requested level may be anywhere in a long list of levels
    const limit = topics.level === null ? DEFAULT_LISTED : MAX_CONTRACTS;
    return isAlone
      ? market("get_prediction_markets", { limit, ...(topics.odds.length >= 2 && { query: topics.odds }) })
      : each("get_prediction_markets", { limit }).filter(({ symbol }) => oddsOn.includes(symbol!));
  }
  // data on the market would not answer a question about an unknown name
  if (isAlone && unresolved.length > 0) return [];
  switch (intent) {
    case "news":
      return isAlone && topics.mood ? market("get_signal_index") : each("get_news", { limit: MAX_STORIES });
    case "earnings":
      return isAlone ? market("get_calendar", { limit: 10 }) : each("get_earnings");
    case "flow": {
      const calls: Readonly<Record<FlowTopic, readonly SkillCall[]>> = {
        options: isAlone ? market("get_market_tide", { days: 5 }) : each("get_options_flow"),
        dark_pool: (isAlone ? market : each)("get_darkpool_prints", { limit: DEFAULT_LISTED }),
        congress:
          isAlone || topics.allCongress
            ? market("get_congress_signal")
            : each("get_congress_signal", {}, "ticker"),
      };
      return topics.flow.length === 0
        ? Object.values(calls).flat()
        : topics.flow.flatMap((topic) => calls[topic]);
    }
    case "scan": {
      if (!isAlone) return [];
      // a list names a kind of instruments
      if (topics.mood && topics.filters.asset_class === undefined) return market("get_signal_index");
      if (topics.unserved.length > 0) return [];
      const shown = Math.min(topics.count ?? DEFAULT_LISTED, MAX_LISTED);
      const list: ListRequest = {
        shown,
        ...(excluded.length > 0 && { without: excluded }),
        ...(topics.wants !== null && { wants: topics.wants }),
      };
      const limit = Math.min(shown + excluded.length, 100);
      return market("screen_universe", {
        limit,
        ...topics.filters,
        ...(topics.rule !== null && { rules: topics.rule }),
      }).map((call) => ({ ...call, list }));
    }
    case "portfolio":
      return isAlone ? market("list_positions") : [];
    case "signal":
    case "unknown":
    case "definition":
      return isAlone && !isDefined && topics.mood ? market("get_signal_index") : [];
    default:
      return [];
  }
}

/** The call for trading hours. */
export const TRADING_HOURS: SkillCall = { skill: "get_calendar", symbol: null, input: { limit: 1 } };

/** Intents in which a word for odds leads to calls for odds. */
const ODDS_OF: ReadonlySet<QuestionIntent> = new Set(["signal", "unknown", "definition", "flow"]);

/** Intents in which words for opening and closing refer to the exchanges. */
const HOURS_OF: ReadonlySet<QuestionIntent> = new Set(["news", "signal", "unknown", "definition", "scan"]);

/** Returns a get_signal call for each symbol that a question names. */
export const signalCalls = ({ symbols, timeframe, asOf }: ParsedQuestion): readonly SkillCall[] =>
  symbols.map((symbol) => ({
    skill: "get_signal",
    symbol,
    input: { symbol, ...(timeframe !== null && { timeframe }), ...(asOf !== null && { as_of: asOf }) },
  }));
