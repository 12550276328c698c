import type { Timeframe } from "../../domain/market/bars.ts";
import type { Intent } from "../../domain/questions/interpretation.ts";
import type { FlowTopic, Topics } from "./asked/topics.ts";
import type { Side, Skill } from "./told/tellers.ts";
import type { ListAsked } from "./told/told.ts";

/** One skill to be asked for the sake of a question. */
export interface Ask {
  readonly skill: Skill;
  readonly symbol: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  /** What of a list is to be told. */
  readonly list?: ListAsked;
  /** Which side of an answer is to be told, where it has several. */
  readonly side?: Side;
}

export interface Understood {
  readonly intent: Intent;
  /** Whether the glossary has what a definition is asked of. */
  readonly isDefined: boolean;
  readonly timeframe: Timeframe | null;
  /** Canonical, in order of mention. */
  readonly symbols: readonly string[];
  /** Words that mean an instrument nobody here knows. */
  readonly unresolved: readonly string[];
  readonly topics: Topics;
  /** Symbols whose odds are asked for; all where it is not told apart. */
  readonly oddsOn?: readonly string[];
  /** Symbols that the question leaves aside. */
  readonly excluded?: readonly string[];
  /** The one day that is asked about; now where none is. */
  readonly asOf?: string | null;
}

/** Skills asked besides the signals, by how many symbols there are: what fits one answer. */
export const roomFor = (symbols: number): number => (symbols <= 3 ? 6 : symbols <= 10 ? 4 : 1);
const LIST = 5;
/** Lines of a list that an answer has room for. */
export const MOST_LISTED = 10;
const STORIES = 3;
const MOST_CONTRACTS = 100;
const FLOWS: readonly FlowTopic[] = ["options", "dark_pool", "congress"];

/** What a question asks of which skills, besides the signals of the symbols it names: the plan, before anything is asked. */
export function asksOf({
  intent,
  isDefined,
  symbols,
  unresolved,
  topics,
  oddsOn = symbols,
  excluded = [],
}: Understood): readonly Ask[] {
  const each = (skill: Skill, more: object = {}, field = "symbol") =>
    symbols.map((symbol): Ask => ({ skill, symbol, input: { [field]: symbol, ...more } }));
  const market = (skill: Skill, input: Ask["input"] = {}): Ask => ({ skill, symbol: null, input });
  const isAlone = symbols.length === 0;
  if (isAlone && topics.hours && HOURS_OF.has(intent))
    return [{ ...market("get_calendar", { limit: 1 }), side: "hours" }];
  if (topics.odds !== null && !isDefined && ODDS_OF.has(intent)) {
    // the contract of one level may be any of a long ladder
    const limit = topics.level === null ? LIST : MOST_CONTRACTS;
    if (symbols.length > 0)
      return oddsOn.map((symbol) => ({
        skill: "get_prediction_markets",
        symbol,
        input: { symbol, limit },
      }));
    return [
      market("get_prediction_markets", {
        limit,
        ...(topics.odds.length >= 2 && { query: topics.odds }),
      }),
    ];
  }
  // of a name that nobody knows the whole market tells nothing
  if (isAlone && unresolved.length > 0) return [];
  const count = Math.min(topics.count ?? LIST, MOST_LISTED);
  switch (intent) {
    case "news":
      return isAlone && topics.mood ? [market("get_signal_index")] : each("get_news", { limit: STORIES });
    case "earnings":
      return isAlone ? [market("get_calendar", { limit: 10 })] : each("get_earnings");
    case "flow": {
      const wanted = topics.flow.length > 0 ? topics.flow : FLOWS;
      const of: Readonly<Record<FlowTopic, () => readonly Ask[]>> = {
        options: () => (isAlone ? [market("get_market_tide", { days: 5 })] : each("get_options_flow")),
        dark_pool: () =>
          isAlone
            ? [market("get_darkpool_prints", { limit: LIST })]
            : each("get_darkpool_prints", { limit: LIST }),
        congress: () =>
          isAlone || topics.allCongress
            ? [market("get_congress_signal")]
            : each("get_congress_signal", {}, "ticker"),
      };
      return wanted.flatMap((topic) => of[topic]());
    }
    case "scan":
      if (!isAlone) return [];
      return topics.mood && !topics.isList
        ? [market("get_signal_index")]
        : [
            {
              ...market("screen_universe", {
                limit: Math.min(count + excluded.length, 100),
                ...topics.filters,
              }),
              list: {
                shown: count,
                ...(excluded.length > 0 && { without: excluded }),
                ...(topics.wants !== null && { wants: topics.wants }),
                ...(topics.filters.sort === "rr" && { rr: true }),
              },
            },
          ];
    case "signal":
    case "unknown":
    case "definition":
      return isAlone && !isDefined && topics.mood ? [market("get_signal_index")] : [];
    default:
      return [];
  }
}

/** Intents in which a word about odds tells what is meant. */
const ODDS_OF: ReadonlySet<Intent> = new Set(["signal", "unknown", "definition", "flow"]);

/** Intents in which words about opening and closing are of the exchanges. */
const HOURS_OF: ReadonlySet<Intent> = new Set(["news", "signal", "unknown", "definition", "scan"]);

/** The live analysis of each symbol a question names. */
export const signalAsks = ({ symbols, timeframe, asOf = null }: Understood): readonly Ask[] =>
  symbols.map((symbol) => ({
    skill: "get_signal",
    symbol,
    input: { symbol, ...(timeframe !== null && { timeframe }), ...(asOf !== null && { as_of: asOf }) },
  }));
