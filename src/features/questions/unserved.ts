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
} from "./asked/besides.ts";
import type { Ask, Understood } from "./asks.ts";
import { LONGEST_READ } from "./language/longest-read.ts";
import type { Skill } from "./told/tellers.ts";
import { listed } from "./told/told.ts";

/** Something asked of an instrument that is no part of its signal, in words of ours. */
export interface Besides {
  readonly label: string;
  /** The tool that has it; null where none has. */
  readonly tool: Skill | Elsewhere | null;
  /** What of it that tool has, where that is not the thing itself. */
  readonly has: string | null;
}

/** Intents of which every word is of the field, or of a list. */
const OTHERWISE: ReadonlySet<Intent> = new Set(["greeting", "definition"]);
const VERDICTS = [REASONS, TURN, EDGE];
/** What is of no instrument. */
const OF_ALL = [MARKET_MOVE, OTHER_DAY, ECONOMY, ECONOMIC_DATES, COMMODITY];
/** What words ask for in a question of one intent is another thing in that of others. */
const READ_IN: Partial<Readonly<Record<Intent, (label: string) => boolean>>> = {
  news: (label) => VERDICTS.includes(label) || label === MARKET_MOVE || label === OTHER_DAY,
  earnings: (label) => ![PRICE_CHANGE, TODAY, TO_COME, ANALYSTS, EXPLAINED].includes(label),
  flow: (label) => ![PRICE_CHANGE, TODAY, EXPLAINED, AVERAGES].includes(label),
};

/** What a question asks that the signal does not tell, each once. */
export function besidesIn(
  query: string,
  { intent, symbols, topics, asOf = null }: Pick<Understood, "intent" | "symbols" | "topics" | "asOf">,
): readonly Besides[] {
  if (OTHERWISE.has(intent)) return [];
  const text = query.slice(0, LONGEST_READ);
  const isOfIntent = READ_IN[topics.also.includes("news") ? "news" : intent] ?? (() => true);
  const isList = intent === "scan" && symbols.length === 0;
  const isElsewhere = (label: string) =>
    (topics.odds !== null && [PRICE, PRICE_CHANGE, TODAY, TO_COME, ECONOMY].includes(label)) ||
    (topics.flow.includes("congress") && label === POSITION) ||
    (label === OTHER_DAY ? symbols.length > 0 || !topics.hours : isList && !OF_ALL.includes(label)) ||
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

/** Symbols up to which it is asked for, and answers that there is room to tell. */
const MOST_SYMBOLS = 3;
const MOST_ASKED = 4;
/** What each tool that is asked calls a symbol, and what else it takes. */
const ASKED = {
  get_quote: ["symbol"],
  explain_signal: ["symbol", "timeframe", "as_of"],
  detect_edge: ["sym", "as_of"],
  get_analysis: ["sym", "timeframe", "as_of"],
  get_darkpool_prints: ["symbol"],
} as const satisfies Partial<Record<Skill, readonly [field: string, ...more: ("timeframe" | "as_of")[]]>>;
type Asked = keyof typeof ASKED;
const isAsked = (tool: Besides["tool"]): tool is Asked => tool !== null && tool in ASKED;

/** Which of it is asked for and told, and what is left to be said not to be. */
export function servedOf(
  besides: readonly Besides[],
  { symbols, timeframe, asOf = null }: Pick<Understood, "symbols" | "timeframe" | "asOf">,
): { readonly asks: readonly Ask[]; readonly left: readonly Besides[] } {
  const room = symbols.length === 0 || symbols.length > MOST_SYMBOLS ? 0 : MOST_ASKED / symbols.length;
  const tellable = besides.flatMap(({ tool, has }) => (has === null && isAsked(tool) ? tool : []));
  const tools = [...new Set(tellable)].slice(0, room);
  const isServed = ({ tool, has }: Besides) => has === null && isAsked(tool) && tools.includes(tool);
  return {
    asks: tools.flatMap((skill) =>
      symbols.map((symbol): Ask => {
        const [field, ...takes]: readonly [string, ...string[]] = ASKED[skill];
        const more = {
          ...(timeframe !== null && takes.includes("timeframe") && { timeframe }),
          ...(asOf !== null && takes.includes("as_of") && { as_of: asOf }),
        };
        return { skill, symbol, input: { [field]: symbol, ...more } };
      }),
    ),
    // the signal of each has its price too
    left: besides.filter((one) => !isServed(one) && (one.label !== PRICE || symbols.length === 0)),
  };
}

/** What is not answered, with the tool that has it, a sentence for each tool. */
export function unservedTold(left: readonly Besides[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { label, tool, has } of left) {
    const end = tool === null ? "no tool here has that" : `${tool} has ${has ?? "that"}`;
    groups.set(end, [...(groups.get(end) ?? []), label]);
  }
  return [...groups].map(([end, labels]) => `Not answered: ${listed(labels)}; ${end}.`);
}
