import type { ToolSearch } from "../../domain/ports.ts";
import type { QuestionIntent } from "../../domain/requests/interpretation.ts";
import type { Mention } from "../../market/symbols/mentions/span.ts";
import { UNKNOWN_CRITERION } from "./details/criteria.ts";
import { ordersIn } from "./details/orders.ts";
import type { Topics } from "./details/topics.ts";
import { unknownWords } from "./details/unread.ts";
import { asksTermOnly } from "./language/intent.ts";
import { type LikelyTools, likelyToolsOf, SURE } from "./likely-tools.ts";
import { callsOf, type ParsedQuestion, type SkillCall, signalCalls } from "./skill-calls.ts";

/** Share from which a question is surely one that no tool answers. */
const MIN_SURELY_OUTSIDE = 0.4;
/** Share from which a question that sounds like a greeting is one that no tool answers. */
const MIN_NO_GREETING = 0.85;
/** Maximum number of words of a short question. */
const MAX_SHORT = 6;
/** Share from which a ranking of the named symbols is requested, besides their signals. */
const SURELY_RANKED = 0.75;
/** Labels of what may be no criterion of a list at all. */
const VAGUE: ReadonlySet<string> = new Set([UNKNOWN_CRITERION, "a span of time"]);

/**
 * Returns the tools that answer a question besides those of its intent: `extra` calls, the tools that are `likely` by its
 * words (null if its intent decides), whether no tool answers it, and the replies to orders in it. `names`: other words
 * that count as names.
 */
export function toolsFor(
  question: ParsedQuestion,
  oddsCalls: readonly SkillCall[],
  { toolSearch, names }: { readonly toolSearch: ToolSearch; readonly names: readonly string[] },
) {
  const { query, definitions, past, mentions, topics } = question;
  const words = { intent: question.intent, mentions, knows: toolSearch.knows, names };
  const hasUnknownWords = unknownWords(query, words).length > 0;
  const isShort = query.split(" ").length <= MAX_SHORT;
  const byWords = likelyToolsOf(
    { ...question, asOf: past?.day ?? null, subject: topics.subject },
    [...signalCalls(question), ...oddsCalls, ...callsOf(question)],
    toolSearch,
    hasUnknownWords ? "withUnknownWords" : isShort ? "short" : "long",
  );
  const orders = byWords.tool?.effect === "read" && byWords.share >= SURE ? [] : ordersIn(query);
  const isTalk = question.intent === "greeting" || (definitions?.exact ?? false);
  const isGreeting =
    question.intent === "greeting" && byWords.tool === null && byWords.share < MIN_NO_GREETING;
  const isForTool = isTalk && byWords.share >= SURE && !isGreeting && !asksTermOnly(query);
  const isSurelyOutside = byWords.isOutside && byWords.share >= MIN_SURELY_OUTSIDE;
  const isByWords = orders.length > 0 ? isSurelyOutside : !isTalk || isForTool;
  const likely = isByWords && !isListByRule(question) ? byWords : null;
  const isOutside =
    likely?.isOutside === true &&
    !isGreeting &&
    oddsCalls.length === 0 &&
    (isSurelyOutside ||
      (topics.also.length === 0 && (mentions.length > 0 || !isOfMarket({ ...topics, flow: [] }))));
  // a question that sounds like talk or one for a term is one for the tool that it surely asks for
  const intent: QuestionIntent = !isForTool ? question.intent : byWords.isOutside ? "unknown" : "signal";
  return { intent, orders, likely, words, isOutside, isForTool, extra: extraCalls(question, likely) };
}

/** Returns true for a list that the screener's rules describe whole. */
const isListByRule = ({ intent, topics, mentions }: ParsedQuestion): boolean =>
  intent === "scan" && mentions.length === 0 && topics.rule !== null && topics.unserved.length === 0;

/**
 * Returns the calls of the likely tools, without those whose answer would not be what is requested. Names alone ask for
 * no tool in particular.
 */
function extraCalls(
  { query, topics, mentions }: ParsedQuestion,
  likely: LikelyTools | null,
): readonly SkillCall[] {
  if (likely === null || (mentions.length > 0 && !hasOtherWords(query, mentions))) return [];
  // signals are given one by one unless a ranking of them is requested
  const isRanked = mentions.length === 0 || likely.share >= SURELY_RANKED;
  // a list that ignores a part of the request is not shown
  const isWholeList = topics.unserved.every((label) => VAGUE.has(label));
  return likely.calls.filter(
    ({ skill }) => (isRanked || skill !== "scan_symbols") && (isWholeList || skill !== "screen_universe"),
  );
}

/** Returns true if a question has words besides names and what joins them. */
function hasOtherWords(query: string, mentions: readonly Mention[]): boolean {
  const left = mentions.reduce((text, mention) => text.replace(mention.text, ""), query);
  return /\p{L}{2}/u.test(left.replace(/\b(?:and|or|vs|versus)\b/gi, ""));
}

/** Returns true if the question is about the market or a group of traders, and so needs no name. */
export const isOfMarket = ({ hours, mood, odds, asksTraders, flow }: Topics): boolean =>
  hours || mood || odds !== null || asksTraders || flow.length > 0;

/** Tools whose planned input is complete: a list with its filters, or the subject of a search. */
const COMPLETE: ReadonlySet<string> = new Set(["screen_universe", "get_prediction_markets", "get_odds"]);

/** Returns a planned call with what the words of the question say of its input. */
export function refinedCall(call: SkillCall, refined: readonly SkillCall[]): SkillCall {
  const more = refined.find(({ skill, symbol }) => skill === call.skill && symbol === call.symbol);
  return more === undefined || COMPLETE.has(call.skill)
    ? call
    : { ...call, input: { ...call.input, ...more.input } };
}

/** Share below which a tool of the intent is not called beside the likeliest tool. */
const MIN_BESIDE = 0.1;

/** Returns true if a call of the intent is wanted beside the likely tools. */
export const isWanted = (
  { skill }: SkillCall,
  { calls, replies, share, shares, named }: LikelyTools,
): boolean =>
  named.has(skill) ||
  (calls.length === 0 && (replies.length === 0 || share < SURE)) ||
  (shares.get(skill) ?? 0) >= MIN_BESIDE;
