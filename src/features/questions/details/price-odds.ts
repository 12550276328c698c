import { escapeRegExp } from "../../../lib/escape-regexp.ts";
import type { Mention } from "../../../market/symbols/mentions/span.ts";
import data from "../data/price-odds.json" with { type: "json" };
import { expressions, patterns } from "../phrases.ts";
import { spansBlanked } from "./horizon.ts";
import { numberOf } from "./numbers.ts";
import { namedWith } from "./odds.ts";
import { ordersIn } from "./orders.ts";

const SAYS = patterns(data.phrases);
const READS = expressions(data.patterns, data.names, "i");
const NUMBER = new RegExp(READS.number, "gi");
const PERCENT_WORD = new RegExp(READS.percentWord, "gi");
const DIRECTIONS = new RegExp(READS.directions, "gi");

/** Topic of a question on price odds. */
export type PriceOddsTopic = "plan" | "levels" | "range" | "volatility";

/** Distinct levels of a symbol in order, as get_odds accepts them. */
export interface SymbolLevels {
  readonly mention: Mention;
  readonly levels: readonly string[];
  readonly plan: PlanLevels | null;
}

/** A stop and a target, of which one is touched first. */
interface PlanLevels {
  readonly stop: string;
  readonly target: string;
}

/** A question about how far prices may move, or about the odds of touching levels. */
export interface PriceOddsRequest {
  readonly topic: PriceOddsTopic;
  readonly symbols: readonly SymbolLevels[];
  /** true: the question is about the price at the end of the time, not at any time. */
  readonly isAtEnd: boolean;
  /** The question without names and levels, for its horizon. */
  readonly timeText: string;
}

type Direction = "+" | "-" | null;

/** A price or percent in a question. */
interface Level {
  readonly at: number;
  readonly end: number;
  /** As get_odds accepts it; without a sign for a percent in both directions. */
  readonly text: string;
  readonly isPercent: boolean;
  readonly direction: Direction;
  readonly role: "stop" | "target" | null;
}

/** Returns what a question asks about odds of prices; null for nothing, or if it names a prediction market. */
export function priceOddsIn(query: string, mentions: readonly Mention[]): PriceOddsRequest | null {
  if (mentions.length === 0 || SAYS.venue.test(query) || ordersIn(query).length > 0) return null;
  const names = namesIn(query, mentions);
  const unnamed = names.reduce((text, { at, end }) => filled(text, at, end, "¤"), query);
  const levels = levelsIn(unnamed);
  const timeText = levels.reduce((text, { at, end }) => filled(text, at, end, " "), unnamed);
  const owners = ownersOf(levels, { names, mentions, query });
  const withLevels = (mention: Mention, more: Partial<SymbolLevels> = {}): SymbolLevels => ({
    mention,
    levels: [],
    plan: null,
    ...more,
  });
  const isOdds = SAYS.chance.test(query) || asksForTouch(unnamed, levels);
  const plan = planIn(unnamed, levels);
  if (plan !== null && isSame(owners) && (isOdds || SAYS.first.test(query)))
    return {
      topic: "plan",
      symbols: owners[0]!.map((mention) => withLevels(mention, { plan })),
      isAtEnd: false,
      timeText,
    };
  if (levels.length > 0 && isOdds) {
    const symbols = mentions.flatMap((mention) => {
      const own = levels.filter((_, i) => owners[i]!.includes(mention)).map(({ text }) => text);
      return own.length === 0 ? [] : withLevels(mention, { levels: [...new Set(own)] });
    });
    return { topic: "levels", symbols, isAtEnd: SAYS.ends.test(query), timeText };
  }
  const topic = moveTopicIn(query);
  if (topic === null) return null;
  const named = namedWith(query, mentions, (clause) => moveTopicIn(clause) !== null);
  return { topic, symbols: named.map((mention) => withLevels(mention)), isAtEnd: false, timeText };
}

/** Returns true if all levels belong to the same instruments. */
const isSame = (owners: readonly (readonly Mention[])[]): boolean =>
  owners.every(
    (mentions) =>
      mentions.length === owners[0]!.length && mentions.every((mention, i) => mention === owners[0]![i]),
  );

/** Returns whether a text asks for a range or a volatility; null for neither. */
function moveTopicIn(text: string): "range" | "volatility" | null {
  if (SAYS.volatility.test(text) && !SAYS.noVolatility.test(text)) return "volatility";
  const [range] = SAYS.range.exec(text) ?? [];
  return range === undefined || SAYS.noRange.test(text) || READS.otherFigure.test(range) ? null : "range";
}

/** Returns true if a question without a word such as odds asks whether one of the levels will be touched. */
const asksForTouch = (text: string, levels: readonly Level[]): boolean =>
  !SAYS.when.test(text) && levels.some(({ at }) => READS.asksForTouch.test(text.slice(0, at)));

interface NameSpan {
  readonly mention: Mention;
  readonly at: number;
  readonly end: number;
}

/** Returns where a question names each instrument, in order. */
function namesIn(query: string, mentions: readonly Mention[]): readonly NameSpan[] {
  return mentions
    .flatMap((mention) =>
      [...new Set([mention.text, mention.instrument.symbol])].flatMap((name) =>
        [...query.matchAll(namePattern(name))].map(({ index, 0: text }) => ({
          mention,
          at: index,
          end: index + text.length,
        })),
      ),
    )
    .sort((a, b) => a.at - b.at);
}

const namePattern = (name: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])\\$?${escapeRegExp(name)}(?![\\p{L}\\p{N}])`, "giu");

const filled = (text: string, at: number, end: number, fill: string): string =>
  text.slice(0, at) + fill.repeat(end - at) + text.slice(end);

/** Returns the prices and percents of a text in order, without times and other numbers. */
function levelsIn(unnamed: string): readonly Level[] {
  const text = spansBlanked(unnamed).replace(PERCENT_WORD, (word) =>
    String(numberOf(word)).padStart(word.length),
  );
  const levels: Level[] = [];
  let from = 0;
  for (const match of text.matchAll(NUMBER)) {
    const at = match.index;
    const end = at + match[0].length;
    const before = text.slice(from, at);
    const after = text.slice(end);
    const level = levelOf(match, { before, after, isNext: levels.length > 0 });
    if (level === null) continue;
    levels.push({ at, end, ...level });
    // words such as "below" after a percent belong to it, not to the next level
    const [own = ""] = READS.fallAfter.exec(after) ?? READS.riseAfter.exec(after) ?? [];
    from = end + (level.isPercent ? own.length : 0);
  }
  return levels;
}

function levelOf(
  { groups = {} }: RegExpMatchArray,
  { before, after, isNext }: { readonly before: string; readonly after: string; readonly isNext: boolean },
): Omit<Level, "at" | "end"> | null {
  const { sign, dollar, digits = "", unit = "" } = groups;
  if (READS.noLevelBefore.test(before) || READS.noLevelAfter.test(after)) return null;
  const number = Number(digits.replaceAll(",", ""));
  if (number <= 0) return null;
  const role =
    READS.stopBefore.test(before) || READS.stopAfter.test(after)
      ? "stop"
      : READS.targetBefore.test(before) || READS.targetAfter.test(after)
        ? "target"
        : null;
  if (/^(%|p)/i.test(unit)) {
    const direction = directionOf(sign, before, after);
    return { text: `${direction ?? ""}${number}%`, isPercent: true, direction, role };
  }
  const isYear = dollar === undefined && unit === "" && /^20[2-4]\d$/.test(digits);
  const isLed = READS.priceLead.test(before) || (isNext && READS.joinLead.test(before));
  if (isYear || (dollar === undefined && !isLed && role === null)) return null;
  const factor = unit === "" ? 1 : /^(k|t)/i.test(unit) ? 1e3 : 1e6;
  const price = Number((number * factor).toPrecision(12));
  return price > MAX_PRICE ? null : { text: String(price), isPercent: false, direction: null, role };
}

const MAX_PRICE = 1e9;

/** Returns the direction of a percent from its sign, the words after it or the nearest word before it. */
function directionOf(sign: string | undefined, before: string, after: string): Direction {
  if (sign === "+") return "+";
  if (sign === "-" || sign === "−") return "-";
  if (sign !== undefined || READS.bothAfter.test(after) || READS.bothBefore.test(before)) return null;
  if (READS.riseAfter.test(after)) return "+";
  if (READS.fallAfter.test(after)) return "-";
  const nearest = [...before.matchAll(DIRECTIONS)].at(-1);
  return nearest === undefined ? null : nearest[1] === undefined ? "-" : "+";
}

/**
 * Returns the stop and the target of a question: two levels called so, or two of which one is touched first. In
 * `A before B`, A is the target; otherwise the higher level is.
 */
function planIn(text: string, levels: readonly Level[]): PlanLevels | null {
  const stop = levels.find(({ role }) => role === "stop");
  const target = levels.find(({ role }) => role === "target");
  if (stop !== undefined && target !== undefined) {
    const isShort =
      target.direction === null && stop.direction === null
        ? SAYS.short.test(text)
        : target.direction === "-" || stop.direction === "+";
    return {
      stop: signed(stop, isShort ? "+" : "-"),
      target: signed(target, isShort ? "-" : "+"),
    };
  }
  const [first, second] = levels;
  if (first === undefined || second === undefined || levels.length > 2) return null;
  const between = text.slice(first.end, second.at);
  const isBefore = /\bbefore\b/i.test(between);
  if (!isBefore && !SAYS.first.test(text)) return null;
  if (first.isPercent !== second.isPercent) return null;
  if (first.isPercent && (first.direction === null || first.direction === second.direction)) return null;
  if (isBefore) return { stop: signed(second, "-"), target: signed(first, "+") };
  const [higher, lower] = isHigher(first, second) ? [first, second] : [second, first];
  return { stop: signed(lower, "-"), target: signed(higher, "+") };
}

const isHigher = (level: Level, other: Level): boolean =>
  level.isPercent ? level.direction === "+" : Number(level.text) > Number(other.text);

/** Returns a level; a percent without a direction gets `sign`. */
const signed = ({ text, isPercent, direction }: Level, sign: "+" | "-"): string =>
  isPercent && direction === null ? `${sign}${text}` : text;

/**
 * Returns the instruments that each level belongs to: the names before it, back to the level before them; all names if
 * none precedes it. Only names in clauses that ask for odds count, if there are any.
 */
function ownersOf(
  levels: readonly Level[],
  question: {
    readonly names: readonly NameSpan[];
    readonly mentions: readonly Mention[];
    readonly query: string;
  },
): readonly (readonly Mention[])[] {
  const { names, mentions, query } = question;
  const asking = namedWith(query, mentions, (clause) => SAYS.chance.test(clause));
  return levels.map(({ at }) => {
    const last = names.findLast((name) => name.at < at);
    const from = levels.findLast((level) => level.at < (last?.at ?? 0))?.at ?? 0;
    const near = names.filter((name) => name.at >= from && name.at < at).map(({ mention }) => mention);
    const owners = mentions.filter((mention) => last === undefined || near.includes(mention));
    const meant = owners.filter((mention) => asking.includes(mention));
    return meant.length > 0 ? meant : owners;
  });
}
