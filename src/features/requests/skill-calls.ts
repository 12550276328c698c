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
const MAX_CONTRACTS = 100;

type Call = Pick<SkillCall, "skill" | "input">;
type Subject = QuestionIntent | FlowTopic;

/** The tool that answers on a symbol, by the subject of a question; `field` takes the symbol. */
const OF_SYMBOL: Partial<Readonly<Record<Subject, Call & { readonly field?: string }>>> = {
  news: { skill: "get_news", input: { limit: 3 } },
  earnings: { skill: "get_earnings", input: {} },
  options: { skill: "get_options_flow", input: {} },
  dark_pool: { skill: "get_darkpool_prints", input: { limit: DEFAULT_LISTED } },
  congress: { skill: "get_congress_signal", input: {}, field: "ticker" },
};
/** The tool that answers on the whole market. */
const OF_MARKET: Partial<Readonly<Record<Subject, Call>>> = {
  earnings: { skill: "get_calendar", input: { limit: 10 } },
  portfolio: { skill: "list_positions", input: {} },
  options: { skill: "get_market_tide", input: { days: 5 } },
  dark_pool: { skill: "get_darkpool_prints", input: { limit: DEFAULT_LISTED } },
  congress: { skill: "get_congress_signal", input: {} },
};
const FLOW_TOPICS = ["options", "dark_pool", "congress"] as const;

/** The call for trading hours. */
export const TRADING_HOURS: SkillCall = { skill: "get_calendar", symbol: null, input: { limit: 1 } };

/** Intents in which a word for odds leads to calls for odds. */
const ODDS_OF: ReadonlySet<QuestionIntent> = new Set(["signal", "unknown", "definition", "flow"]);

/** Intents in which words for opening and closing, or for a mood, are about the whole market. */
const STATE_OF: ReadonlySet<QuestionIntent> = new Set(["news", "signal", "unknown", "definition", "scan"]);

/** Returns the calls that the intent of a question needs, besides the signals of the symbols it names. */
export function callsOf(question: ParsedQuestion): readonly SkillCall[] {
  const { intent, isDefined, symbols, unresolved, topics, oddsOn } = question;
  const isAlone = symbols.length === 0;
  const ofState = isAlone && STATE_OF.has(intent);
  if (ofState && topics.hours) return [TRADING_HOURS];
  if (topics.odds !== null && !isDefined && ODDS_OF.has(intent)) {
    // the contract on the requested level may be anywhere in a long list of levels
    const limit = topics.level === null ? DEFAULT_LISTED : MAX_CONTRACTS;
    const skill = "get_prediction_markets";
    return isAlone
      ? [{ skill, symbol: null, input: { limit, ...(topics.odds.length >= 2 && { query: topics.odds }) } }]
      : oddsOn.map((symbol) => ({ skill, symbol, input: { symbol, limit } }));
  }
  // data on the market would not answer a question about an unknown name
  if (isAlone && unresolved.length > 0) return [];
  // a list names a kind of instruments
  const isOfKind = intent === "scan" && topics.filters.asset_class !== undefined;
  if (ofState && topics.mood && !isDefined && !isOfKind)
    return [{ skill: "get_signal_index", symbol: null, input: {} }];
  if (intent === "scan") return isAlone && topics.unserved.length === 0 ? [listCall(question)] : [];
  const ofFlow = topics.flow.length === 0 ? FLOW_TOPICS : topics.flow;
  const subjects: readonly Subject[] = intent === "flow" ? ofFlow : [intent];
  return subjects.flatMap((subject): readonly SkillCall[] => {
    const ofMarket = OF_MARKET[subject];
    if (isAlone || (subject === "congress" && topics.allCongress))
      return ofMarket === undefined ? [] : [{ ...ofMarket, symbol: null }];
    const { skill, input, field = "symbol" } = OF_SYMBOL[subject] ?? {};
    return skill === undefined
      ? []
      : symbols.map((symbol) => ({ skill, symbol, input: { [field]: symbol, ...input } }));
  });
}

/** Returns the call for a list, with as many more rows as the question excludes. */
function listCall({ topics, excluded }: ParsedQuestion): SkillCall {
  const { filters, rule, wants, count } = topics;
  const shown = Math.min(count ?? DEFAULT_LISTED, MAX_LISTED);
  return {
    skill: "screen_universe",
    symbol: null,
    input: {
      limit: Math.min(shown + excluded.length, 100),
      ...filters,
      ...(rule !== null && { rules: rule }),
    },
    list: {
      shown,
      ...(excluded.length > 0 && { without: excluded }),
      ...(wants !== null && { wants }),
    },
  };
}

/** Returns a get_signal call for each symbol that a question names. */
export const signalCalls = ({ symbols, timeframe, asOf }: ParsedQuestion): readonly SkillCall[] =>
  symbols.map((symbol) => ({
    skill: "get_signal",
    symbol,
    input: { symbol, ...(timeframe !== null && { timeframe }), ...(asOf !== null && { as_of: asOf }) },
  }));
