import type { KnownTool, RankedTool, ToolSearch } from "../../domain/ports.ts";
import { type Filled, filled, type RequestDetails } from "./fill.ts";
import { joinWords } from "./sentences.ts";
import type { SkillCall } from "./skill-calls.ts";

/**
 * Share from which the likeliest tool is called, and how much likelier than the next it has to be. From `LIKELY` on, a
 * tool is called whatever the next one is.
 */
const MIN_SHARE = 0.15;
const MIN_RATIO = 1.2;
const LIKELY = 0.25;
/** Share from which words surely ask for a tool, although they sound like talk, an order or a question for a term. */
export const SURE = 0.5;
/** Share from which a tool that changes something is named. */
const MIN_NAMED = 0.3;
/** Share from which a tool that changes something is named in answer to a question for how to do it. */
const MIN_HOW_TO = 0.05;
/** Share from which a question is answered by a tool that reads, although one that changes something is likelier. */
const MIN_READ = 0.2;
/** Share from which a tool is called as well because the request contains one of its topics. */
const MIN_OF_TOPIC = 0.002;
/** Maximum number of tools that are called for the words of a request. */
const MAX_TOOLS = 4;
/**
 * Share from which a request counts as one that no tool answers: if it names no symbol; and if it names one, by whether
 * it has words that questions do not have, and else by its length. A short request for a symbol is always answered.
 */
const MIN_DENIED = {
  withoutSymbol: 0.12,
  withUnknownWords: 0.18,
  long: 0.34,
  short: Number.POSITIVE_INFINITY,
};
/** Number of tools that a denial names. */
const NEAREST = 3;

/** Matches the start of a question, which never asks to change something. */
const QUESTION =
  /^\W*(?:(?:so|and|ok|okay|hey|hi|please|pls|but|um|wait)[ ,]+)*(?:is|are|was|were|what|whats|what's|which|how|when|why|who|whose|where|do|does|did|has|have|am|show|list|tell me)\b/i;
/** Matches a verb that tells to change something, at the beginning of a request or of a part of it. */
const IMPERATIVE =
  /(?:^|[,;.!] *|\b(?:and|then|please) )(?:turn|engage|enable|disable|activate|stop|halt|cancel|delete|remove|sync|start|launch|move|modify|set|create|add|connect|disconnect|pause|resume)\b/i;
/** Matches a question for how to do something. */
const HOW_TO = /\bhow (?:do|can|could|would|should) (?:i|we|you)\b/i;

/** The tools that the words of a request are likeliest to ask for. */
export interface LikelyTools {
  /** The likeliest tool; null if none is likely enough. */
  readonly tool: KnownTool | null;
  /** Share of that tool, or of what no tool answers, 0-1. */
  readonly share: number;
  /** true: no tool answers the request. */
  readonly isOutside: boolean;
  /** Calls of tools that read, besides those already planned. */
  readonly calls: readonly SkillCall[];
  /** Planned calls, with what the request says of their inputs. */
  readonly refined: readonly SkillCall[];
  /** Sentences that answer a request for which nothing is called: a denial, a missing field, or the tool to call. */
  readonly replies: readonly string[];
  /** Sentences on changes that the request tells to make beside what it asks. None is made. */
  readonly notDone: readonly string[];
  /** Share of each tool by its name, 0-1. */
  readonly shares: ReadonlyMap<string, number>;
  /** Names of the tools of which the request contains a topic. */
  readonly named: ReadonlySet<string>;
}

/** How well a request is understood apart from its tool. */
export type Understanding = Exclude<keyof typeof MIN_DENIED, "withoutSymbol">;

/** Returns the likely tools of a request. `planned`: calls that are made anyway. */
export function likelyToolsOf(
  details: RequestDetails,
  planned: readonly SkillCall[],
  toolSearch: Pick<ToolSearch, "rank">,
  understanding: Understanding,
): LikelyTools {
  const ranked = toolSearch.rank(details.query);
  const none = noLikelyTools(details, ranked);
  const [first, second] = ranked;
  if (first === undefined) return none;
  const guide = HOW_TO.test(details.query) ? ranked.find(({ tool }) => tool !== null) : undefined;
  if (guide?.tool != null && guide.tool.effect !== "read" && guide.share >= MIN_HOW_TO) {
    const replies = [`${guide.tool.name} does that: ${guide.tool.title}.`];
    return { ...none, tool: guide.tool, share: SURE, replies, notDone: [] };
  }
  if (first.tool === null) {
    const least = MIN_DENIED[details.mentions.length === 0 ? "withoutSymbol" : understanding];
    return first.share < least
      ? none
      : { ...none, share: first.share, isOutside: true, replies: [denialOf(ranked)] };
  }
  const readers = ranked.filter(({ tool }) => tool?.effect === "read");
  const isLikely =
    first.share >= LIKELY || (first.share >= MIN_SHARE && first.share >= MIN_RATIO * (second?.share ?? 0));
  if (!isLikely) return { ...none, ...callsFor(readers.filter(isOfTopic), details, planned) };
  const reader =
    first.tool.effect === "read" || QUESTION.test(details.query)
      ? readers.find((one) => one === first || one.share >= MIN_READ)
      : undefined;
  if (reader?.tool == null) {
    if (first.share < MIN_NAMED) return none;
    const replies = [notDoneBy(first.tool, details.query)];
    return { ...none, tool: first.tool, share: first.share, replies, notDone: [] };
  }
  const { tool, share } = reader;
  const others = readers.filter(
    (one) => one !== reader && ((share < SURE && one.share >= LIKELY) || isOfTopic(one)),
  );
  const fill = filled(tool, details);
  const replies = "missing" in fill ? [needOf(tool, fill.missing)] : [];
  return { ...none, tool, share, replies, ...callsFor([reader, ...others], details, planned, reader) };
}

const isOfTopic = ({ isNamed, share }: RankedTool): boolean => isNamed && share >= MIN_OF_TOPIC;

function noLikelyTools({ query }: RequestDetails, ranked: readonly RankedTool[]): LikelyTools {
  const tools = ranked.flatMap(({ tool, ...rest }) => (tool === null ? [] : { tool, ...rest }));
  const named = tools.filter(({ isNamed }) => isNamed).map(({ tool }) => tool);
  return {
    tool: null,
    share: 0,
    isOutside: false,
    calls: [],
    refined: [],
    replies: [],
    notDone: IMPERATIVE.test(query)
      ? named.filter(({ effect }) => effect !== "read").map((tool) => notDoneBy(tool, query))
      : [],
    shares: new Map(tools.map(({ tool, share }) => [tool.name, share])),
    named: new Set(named.map(({ name }) => name)),
  };
}

/**
 * Returns the calls of tools with what the request says of their inputs: new ones, and those of planned tools. A topic
 * alone is no request for a tool that needs a symbol.
 */
function callsFor(
  tools: readonly RankedTool[],
  details: RequestDetails,
  planned: readonly SkillCall[],
  likeliest?: RankedTool,
): Pick<LikelyTools, "calls" | "refined"> {
  const calls: SkillCall[] = [];
  const refined: SkillCall[] = [];
  for (const one of tools.slice(0, MAX_TOOLS)) {
    const tool = one.tool!;
    if (one !== likeliest && details.mentions.length === 0 && takesSymbols(tool)) continue;
    const fill = filled(tool, details);
    if ("missing" in fill) continue;
    const isPlanned = planned.some(({ skill }) => skill === tool.name);
    (isPlanned ? refined : calls).push(...fill.inputs.map((call) => ({ skill: tool.name, ...call })));
  }
  return { calls, refined };
}

const takesSymbols = ({ input }: KnownTool): boolean =>
  ["symbol", "symbols", "ticker"].some((field) => field in input.shape);

/** Matches names of tools that place orders; a text may not lead a model to them. */
const PLACES_ORDERS = /^(?:execute|run)_/;

/** Returns the sentence that nothing was changed. Names no tool that places orders, and none that the request names. */
const notDoneBy = ({ name, effect }: KnownTool, query: string): string =>
  (effect === "trade" && PLACES_ORDERS.test(name)) || query.toLowerCase().includes(name)
    ? "Nothing was changed: a question changes nothing."
    : `Nothing was changed: ${name} does that.`;

/** Returns the sentence that no tool answers a request, with the nearest ones. */
function denialOf(ranked: readonly RankedTool[]): string {
  const names = ranked.flatMap(({ tool }) => (tool?.effect === "read" ? tool.name : [])).slice(0, NEAREST);
  return names.length === 0
    ? "No tool here answers that."
    : `No tool here answers that. The nearest are ${joinWords(names)}.`;
}

function needOf(
  { name, input }: KnownTool,
  missing: Extract<Filled, { missing: string }>["missing"],
): string {
  if (missing === "symbol" || missing === "ticker" || missing === "symbols")
    return `${name} answers that for a symbol: name one, such as AAPL or bitcoin.`;
  const description = input.shape[missing]?.description;
  return `${name} answers that and requires ${missing}${description === undefined ? "" : ` (${description})`}.`;
}
