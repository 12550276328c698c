import type { QuestionIntent } from "../../domain/questions/interpretation.ts";
import table from "./data/topics.json" with { type: "json" };
import { matchers, type Phrases } from "./phrases.ts";
import { joinWords } from "./sentences.ts";
import type { ParsedQuestion, SkillCall } from "./skill-calls.ts";
import type { Skill } from "./skills.ts";

/** Tools that an answer names but does not call. */
type NamedTool =
  | "get_history"
  | "run_backtest"
  | "render_chart"
  | "get_track_record"
  | "get_enhanced_signal"
  | "preview_trade";

/** Name of a topic that is not part of a signal. */
export type TopicLabel = keyof typeof table;

/** A topic of a question that is not part of a signal. */
export interface OtherTopic {
  readonly label: TopicLabel;
  /** The tool that answers it; null if none does. */
  readonly tool: Skill | NamedTool | null;
  /** Related data that the tool has instead; null if it has the topic itself. */
  readonly has: string | null;
}

interface TopicRow extends Phrases {
  readonly tool?: Skill | NamedTool;
  readonly has?: string;
}

/** Topics that are not part of a signal, each with the matcher of its phrases. */
export const TOPICS = matchers(table as Readonly<Record<TopicLabel, TopicRow>>);

/** Intents for which other topics are not searched. */
const WITHOUT_TOPICS: ReadonlySet<QuestionIntent> = new Set(["greeting", "definition"]);
/** Topics that are not about an instrument. */
const OF_MARKET: ReadonlySet<TopicLabel> = new Set([
  "how far the whole market has moved",
  "the trading hours of the requested day",
  "the economy",
  "dates of economic reports",
  "the price of a commodity",
]);
/** Topics that odds of prediction markets answer. */
const OF_ODDS: ReadonlySet<TopicLabel> = new Set([
  "the price",
  "how a price has moved",
  "the change of today",
  "a future price",
  "the economy",
]);
const OF_NEWS: ReadonlySet<TopicLabel> = new Set([
  "the reasons for the verdict",
  "what would change the verdict",
  "an edge",
  "how far the whole market has moved",
  "the trading hours of the requested day",
]);
const NOT_OF_EARNINGS: ReadonlySet<TopicLabel> = new Set([
  "how a price has moved",
  "the change of today",
  "a future price",
  "what analysts say",
  "the basis of the verdict",
]);
const NOT_OF_FLOW: ReadonlySet<TopicLabel> = new Set([
  "how a price has moved",
  "the change of today",
  "the basis of the verdict",
  "moving averages",
]);
/** Topics that are searched, by intent. Default: all topics. */
const SEARCHED_TOPICS: Partial<Readonly<Record<QuestionIntent, (label: TopicLabel) => boolean>>> = {
  news: (label) => OF_NEWS.has(label),
  earnings: (label) => !NOT_OF_EARNINGS.has(label),
  flow: (label) => !NOT_OF_FLOW.has(label),
};

/** Returns the topics of a question that are not part of a signal. */
export function otherTopicsIn(
  query: string,
  { intent, symbols, topics, asOf = null }: Pick<ParsedQuestion, "intent" | "symbols" | "topics" | "asOf">,
): readonly OtherTopic[] {
  if (WITHOUT_TOPICS.has(intent)) return [];
  const isOfIntent = SEARCHED_TOPICS[topics.also.includes("news") ? "news" : intent] ?? (() => true);
  const isList = intent === "scan" && symbols.length === 0;
  const isElsewhere = (label: TopicLabel) =>
    (topics.odds !== null && OF_ODDS.has(label)) ||
    (topics.flow.includes("congress") && label === "the size of a position") ||
    (label === "the trading hours of the requested day"
      ? symbols.length > 0 || !topics.hours
      : isList && !OF_MARKET.has(label)) ||
    (label === "how far the whole market has moved" && symbols.length > 0);
  const found = TOPICS.filter(
    ({ label, words }) => isOfIntent(label) && !isElsewhere(label) && words.test(query),
  );
  const has = (topic: TopicLabel) => found.some(({ label }) => label === topic);
  const isOfNow = asOf === null && !has("how a price has moved") && !has("a future price");
  return found
    .filter(({ label }) => label !== "the price" || isOfNow)
    .filter(({ label }) => label !== "the economy" || !has("dates of economic reports"))
    .map(({ label, tool = null, has = null }) => ({ label, tool, has }));
}

/** Topics are answered for at most 3 symbols, with at most 4 calls. */
const MAX_SYMBOLS = 3;
const MAX_CALLS = 4;
/** Tools that are called for topics, each with its symbol field and the other fields it takes. */
const CALLED = {
  get_quote: ["symbol"],
  explain_signal: ["symbol", "timeframe", "as_of"],
  detect_edge: ["sym", "as_of"],
  get_analysis: ["sym", "timeframe", "as_of"],
  get_darkpool_prints: ["symbol"],
} as const satisfies Partial<Record<Skill, readonly [field: string, ...more: ("timeframe" | "as_of")[]]>>;
type Called = keyof typeof CALLED;
const isCalled = (tool: OtherTopic["tool"]): tool is Called => tool !== null && tool in CALLED;

/** Returns the calls that answer other topics, and the topics left unanswered. */
export function servedOf(
  topics: readonly OtherTopic[],
  { symbols, timeframe, asOf = null }: Pick<ParsedQuestion, "symbols" | "timeframe" | "asOf">,
): { readonly calls: readonly SkillCall[]; readonly left: readonly OtherTopic[] } {
  const maxTools = symbols.length === 0 || symbols.length > MAX_SYMBOLS ? 0 : MAX_CALLS / symbols.length;
  const callable = topics.flatMap(({ tool, has }) => (has === null && isCalled(tool) ? tool : []));
  const tools = [...new Set(callable)].slice(0, maxTools);
  const isServed = ({ tool, has }: OtherTopic) => has === null && isCalled(tool) && tools.includes(tool);
  return {
    calls: tools.flatMap((skill) =>
      symbols.map((symbol): SkillCall => {
        const [field, ...takes]: readonly [string, ...string[]] = CALLED[skill];
        const more = {
          ...(timeframe !== null && takes.includes("timeframe") && { timeframe }),
          ...(asOf !== null && takes.includes("as_of") && { as_of: asOf }),
        };
        return { skill, symbol, input: { [field]: symbol, ...more } };
      }),
    ),
    // signals contain the price too
    left: topics.filter((topic) => !isServed(topic) && (topic.label !== "the price" || symbols.length === 0)),
  };
}

/** Returns a sentence on the unanswered topics of each tool. */
export function unservedSentences(left: readonly OtherTopic[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { label, tool, has } of left) {
    const end = tool === null ? "no tool here has that" : `${tool} has ${has ?? "that"}`;
    groups.set(end, [...(groups.get(end) ?? []), label]);
  }
  return [...groups].map(([end, labels]) => `Not answered: ${joinWords(labels)}; ${end}.`);
}
