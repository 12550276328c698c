import type { Intent } from "../../domain/questions/interpretation.ts";
import {
  ANALYSTS,
  AVERAGES,
  COMMODITY,
  ECONOMIC_DATES,
  ECONOMY,
  EDGE,
  type Elsewhere,
  EXPLAINED,
  MARKET_MOVE,
  OTHER_DAY,
  POSITION,
  PRICE,
  PRICE_CHANGE,
  REASONS,
  TO_COME,
  TODAY,
  TOPICS,
  TURN,
} from "./details/other-topics.ts";
import { MAX_PARSED_LENGTH } from "./language/parsed-length.ts";
import { joinWords } from "./sentences.ts";
import type { ParsedQuestion, SkillCall } from "./skill-calls.ts";
import type { Skill } from "./skills.ts";

/** A topic of a question that is not part of a signal. */
export interface OtherTopic {
  readonly label: string;
  /** The tool that answers it; null if none does. */
  readonly tool: Skill | Elsewhere | null;
  /** What the tool has instead of the topic itself; null if it has the topic. */
  readonly has: string | null;
}

/** Intents without other topics. */
const WITHOUT_TOPICS: ReadonlySet<Intent> = new Set(["greeting", "definition"]);
const VERDICTS = [REASONS, TURN, EDGE];
/** Topics that are not about an instrument. */
const OF_MARKET = [MARKET_MOVE, OTHER_DAY, ECONOMY, ECONOMIC_DATES, COMMODITY];
/** Labels that count in a question of an intent. Default: all. */
const LABELS_IN: Partial<Readonly<Record<Intent, (label: string) => boolean>>> = {
  news: (label) => VERDICTS.includes(label) || label === MARKET_MOVE || label === OTHER_DAY,
  earnings: (label) => ![PRICE_CHANGE, TODAY, TO_COME, ANALYSTS, EXPLAINED].includes(label),
  flow: (label) => ![PRICE_CHANGE, TODAY, EXPLAINED, AVERAGES].includes(label),
};

/** Returns the topics of a question that are not part of a signal. */
export function otherTopicsIn(
  query: string,
  { intent, symbols, topics, asOf = null }: Pick<ParsedQuestion, "intent" | "symbols" | "topics" | "asOf">,
): readonly OtherTopic[] {
  if (WITHOUT_TOPICS.has(intent)) return [];
  const text = query.slice(0, MAX_PARSED_LENGTH);
  const isOfIntent = LABELS_IN[topics.also.includes("news") ? "news" : intent] ?? (() => true);
  const isList = intent === "scan" && symbols.length === 0;
  const isElsewhere = (label: string) =>
    (topics.odds !== null && [PRICE, PRICE_CHANGE, TODAY, TO_COME, ECONOMY].includes(label)) ||
    (topics.flow.includes("congress") && label === POSITION) ||
    (label === OTHER_DAY ? symbols.length > 0 || !topics.hours : isList && !OF_MARKET.includes(label)) ||
    (label === MARKET_MOVE && symbols.length > 0);
  const found = TOPICS.filter(
    ({ label, words }) => isOfIntent(label) && !isElsewhere(label) && words.test(text),
  );
  const isOfNow = asOf === null && !found.some(({ label }) => label === PRICE_CHANGE || label === TO_COME);
  const hasDates = found.some(({ label }) => label === ECONOMIC_DATES);
  return found
    .filter(({ label }) => (label === PRICE ? isOfNow : label !== ECONOMY || !hasDates))
    .map(({ label, tool, has = null }) => ({ label, tool, has }));
}

/** Topics are called for up to 3 symbols, in 4 calls. */
const MAX_SYMBOLS = 3;
const MAX_CALLS = 4;
/** Tools that are called for topics, with the field of the symbol and other fields they take. */
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
    left: topics.filter((one) => !isServed(one) && (one.label !== PRICE || symbols.length === 0)),
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
