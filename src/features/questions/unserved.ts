import type { QuestionIntent } from "../../domain/questions/interpretation.ts";
import { groupBy } from "../../lib/group-by.ts";
import table from "./data/topics.json" with { type: "json" };
import { matchers, type Phrases } from "./phrases.ts";
import { joinWords } from "./sentences.ts";
import type { ParsedQuestion, Skill, SkillCall } from "./skill-calls.ts";

/** Name of a topic that is not part of a signal. */
export type TopicLabel = keyof typeof table;

interface TopicRow extends Phrases {
  /** The tool that answers it. Default: none. */
  readonly tool?: string;
  /** Related data that the tool has instead. Default: it has the topic itself. */
  readonly has?: string;
  /** true: the topic is not about an instrument. */
  readonly ofMarket?: boolean;
  /** true: odds of prices or of prediction markets answer the topic. */
  readonly ofOdds?: boolean;
  /** true: the topic is also searched in questions on news. */
  readonly ofNews?: boolean;
  /** Intents for which the topic is not searched. */
  readonly notOf?: readonly string[];
}

/** Topics that are not part of a signal, each with the matcher of its phrases. */
export const TOPICS = matchers(table as Readonly<Record<TopicLabel, TopicRow>>);

/** A topic of a question that is not part of a signal. */
type OtherTopic = (typeof TOPICS)[number];

/** Intents for which other topics are not searched. */
const WITHOUT_TOPICS: ReadonlySet<QuestionIntent> = new Set(["greeting", "definition"]);

/** Returns the topics of a question that are not part of a signal. */
export function otherTopicsIn(
  query: string,
  { intent, symbols, topics, asOf }: ParsedQuestion,
): readonly OtherTopic[] {
  if (WITHOUT_TOPICS.has(intent)) return [];
  const isNews = topics.also.includes("news") || intent === "news";
  const isList = intent === "scan" && symbols.length === 0;
  const isElsewhere = ({ label, ofMarket = false, ofOdds = false }: OtherTopic) =>
    (topics.odds !== null && ofOdds) ||
    (topics.flow.includes("congress") && label === "the size of a position") ||
    (label === "the trading hours of the requested day"
      ? symbols.length > 0 || !topics.hours
      : isList && !ofMarket) ||
    (label === "how far the whole market has moved" && symbols.length > 0);
  const found = TOPICS.filter(
    (topic) =>
      (isNews ? topic.ofNews === true : topic.notOf?.includes(intent) !== true) &&
      !isElsewhere(topic) &&
      topic.words.test(query),
  );
  const has = (topic: TopicLabel) => found.some(({ label }) => label === topic);
  const isOfNow = asOf === null && !has("how a price has moved") && !has("a future price");
  return found
    .filter(({ label }) => label !== "the price" || isOfNow)
    .filter(({ label }) => label !== "the economy" || !has("dates of economic reports"));
}

/** Topics are answered for at most 3 symbols, with at most 4 calls. */
const MAX_SYMBOLS = 3;
const MAX_CALLS = 4;
/** Tools that are called for topics, each with its symbol field and the other fields it takes. */
const CALLED = {
  get_quote: ["symbol"],
  explain_signal: ["symbol", "timeframe", "as_of"],
  detect_edge: ["symbol", "as_of"],
  get_analysis: ["symbol", "timeframe", "as_of"],
  get_darkpool_prints: ["symbol"],
} as const satisfies Partial<Record<Skill, readonly [field: string, ...more: ("timeframe" | "as_of")[]]>>;
const isCalled = (tool = ""): tool is keyof typeof CALLED => tool in CALLED;

/** Returns the calls that answer other topics, and the topics left unanswered. */
export function servedOf(
  found: readonly OtherTopic[],
  { symbols, timeframe, asOf, priceOdds }: ParsedQuestion,
): { readonly calls: readonly SkillCall[]; readonly left: readonly OtherTopic[] } {
  const topics = found.filter(({ ofOdds = false }) => priceOdds === null || !ofOdds);
  const maxTools = symbols.length === 0 || symbols.length > MAX_SYMBOLS ? 0 : MAX_CALLS / symbols.length;
  const callable = topics.flatMap(({ tool, has }) => (has === undefined && isCalled(tool) ? tool : []));
  const tools = [...new Set(callable)].slice(0, maxTools);
  const isServed = ({ tool, has }: OtherTopic) => has === undefined && isCalled(tool) && tools.includes(tool);
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
  const groups = groupBy(left, ({ tool = "no tool here", has = "that" }) => `${tool} has ${has}`);
  return [...groups].map(
    ([end, topics]) => `Not answered: ${joinWords(topics.map(({ label }) => label))}; ${end}.`,
  );
}
