import { escapeRegExp } from "../../../lib/escape-regexp.ts";
import type { Mention } from "../../../market/symbols/mentions/span.ts";
import data from "../data/price-odds.json" with { type: "json" };
import { expressions, patterns } from "../phrases.ts";
import { namedWith } from "./odds.ts";
import { ordersIn } from "./orders.ts";
import { type Level, levelsIn, type TextSpan } from "./price-levels.ts";

const SAYS = patterns(data.phrases);
const READS = expressions(data.patterns, data.names, "i");

/** Topic of a question on price odds. */
export type PriceOddsTopic = "plan" | "levels" | "range" | "volatility";

/** Distinct levels of a symbol in order, as get_odds accepts them. */
export interface SymbolLevels {
  readonly mention: Mention;
  readonly levels: readonly string[];
  /** Sides from which the question expects prices among the levels to be reached: `+` from below, `-` from above. */
  readonly sides: Readonly<Record<string, "+" | "-">>;
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
  /** true: the question is about a price that stays on one side of a level, which odds of touching it do not answer. */
  readonly isUntouched: boolean;
  /** The question with `¤` in place of names, `#` of levels and `~` of past moves and prices, for its horizon. */
  readonly timeText: string;
}

/** Returns what a question asks about odds of prices; null for nothing, or if it names a prediction market. */
export function priceOddsIn(query: string, mentions: readonly Mention[]): PriceOddsRequest | null {
  if (mentions.length === 0 || SAYS.venue.test(query) || ordersIn(query).length > 0) return null;
  const names = namesIn(query, mentions);
  const unnamed = filled(query, names, "¤");
  if (SAYS.conditional.test(unnamed.replace(SAYS.asksIf, " "))) return null;
  const { levels, others } = levelsIn(unnamed);
  const timeText = filled(filled(unnamed, levels, "#"), others, "~");
  const request = { isAtEnd: false, isUntouched: false, timeText };
  const bare = (mention: Mention): SymbolLevels => ({ mention, levels: [], sides: {}, plan: null });
  const isOdds = SAYS.chance.test(query) || asksForTouch(unnamed, levels);
  if (levels.length > 0 && (isOdds || SAYS.first.test(query))) {
    if (SAYS.otherwise.test(unnamed)) return null;
    const owners = ownersOf(levels, { names, mentions, query });
    const named = mentions.filter((mention) => owners.some((own) => own.includes(mention)));
    if (SAYS.rests.test(unnamed.replace(SAYS.orNot, " "))) {
      return { ...request, topic: "range", symbols: named.map(bare), isUntouched: true };
    }
    const plan = planIn(unnamed, levels);
    const isSame = owners.every((own) => isEqual(own, owners[0]!));
    if (plan !== null && isSame) {
      const symbols = owners[0]!.map((mention) => ({ ...bare(mention), plan }));
      return { ...request, topic: "plan", symbols };
    }
    if (isOdds) {
      const symbols = named.map((mention) => {
        const own = levels.filter((_, i) => owners[i]!.includes(mention));
        const texts = [...new Set(own.map(({ text }) => text))];
        return { ...bare(mention), levels: texts, sides: sidesOf(own) };
      });
      const isAtEnd = SAYS.ends.test(query) || READS.endsAt.test(timeText);
      return { ...request, topic: "levels", symbols, isAtEnd };
    }
  }
  const topic = moveTopicIn(query);
  if (topic === null) return null;
  const named = namedWith(query, mentions, (clause) => moveTopicIn(clause) !== null);
  return { ...request, topic, symbols: named.map(bare) };
}

const isEqual = (one: readonly Mention[], other: readonly Mention[]): boolean =>
  one.length === other.length && one.every((mention, i) => mention === other[i]);

const sidesOf = (levels: readonly Level[]): SymbolLevels["sides"] =>
  Object.fromEntries(
    levels.flatMap(({ text, isPercent, direction }) =>
      isPercent || direction === null ? [] : [[text, direction]],
    ),
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

interface NameSpan extends TextSpan {
  readonly mention: Mention;
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

/** Returns a text with a character in place of those of some spans. */
const filled = (text: string, spans: readonly TextSpan[], fill: string): string =>
  spans.reduce((left, { at, end }) => left.slice(0, at) + fill.repeat(end - at) + left.slice(end), text);

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
