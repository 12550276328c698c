import { numberOf } from "../../../lib/number-words.ts";
import { spansBlanked } from "../../odds/horizon-in.ts";
import data from "../data/price-odds.json" with { type: "json" };
import { expressions, patterns, wordsOf } from "../phrases.ts";

const SAYS = patterns(data.phrases);
const READS = expressions(data.patterns, data.names, "i");
const NUMBER = new RegExp(READS.number, "gi");
const PERCENT_WORD = new RegExp(READS.percentWord, "gi");
const DIRECTIONS = new RegExp(READS.directions, "gi");
const CLAUSE_START = new RegExp(READS.clauseStart, "gi");
const EVENT_TIME = new RegExp(READS.eventTime, "gi");
/** Words that a clause with a level may contain besides names and words for moves. */
const KNOWN = wordsOf(data.words);
const MOVE = new RegExp(
  `^(?:${data.names.rise}|${data.names.fall}|(?:${data.names.reach}|${data.names.travel})(?:s|es|ed|ing|ting|ping)?)$`,
  "i",
);

/** Matches numbers that may belong to a time: years and days of a month. */
const TIME_NUMBER = /^\s*(?:20[2-4]\d|\d\d?)\s*$/;

type Direction = "+" | "-" | null;

/** A price or percent in a question. */
export interface Level extends TextSpan {
  /** As get_odds accepts it; without a sign for a percent in both directions. */
  readonly text: string;
  readonly isPercent: boolean;
  /** Of a percent: the sign. Of a price: the side from which the question expects it to be reached. */
  readonly direction: Direction;
  readonly role: "stop" | "target" | null;
}

/** Where a part of a text begins and ends. */
export interface TextSpan {
  readonly at: number;
  readonly end: number;
}

/** Words around a number. */
interface Context {
  /** From the preceding level or the start of the clause. */
  readonly before: string;
  readonly after: string;
  /** The clause before the number. */
  readonly lead: string;
  /** The level before the number in the same clause; null if there is none. */
  readonly previous: Level | null;
  /** true: the question asks which of several levels is first. */
  readonly isFirst: boolean;
}

/**
 * Returns the prices and percents that a question asks about, in order, and its other numbers that are no times, such as
 * past moves. A number counts as a level only if the words around it say that the price reaches it. `unnamed` has
 * `¤` in place of names.
 */
export function levelsIn(unnamed: string): {
  readonly levels: readonly Level[];
  readonly others: readonly TextSpan[];
} {
  const text = spansBlanked(unnamed).replace(PERCENT_WORD, (word) =>
    String(numberOf(word)).padStart(word.length),
  );
  const levels: Level[] = [];
  const others: TextSpan[] = [];
  let from = 0;
  for (const match of text.matchAll(NUMBER)) {
    const at = match.index;
    const end = at + match[0].length;
    const start = clauseStart(text, at);
    const after = text.slice(end);
    const previous = levels.findLast((level) => level.at >= start) ?? null;
    const level = isAboutPrice(text, { at, end, start })
      ? levelOf(match, {
          before: text.slice(Math.max(from, start), at),
          after,
          lead: text.slice(start, at),
          previous,
          isFirst: SAYS.first.test(text),
        })
      : null;
    if (level === null) {
      if (!TIME_NUMBER.test(match[0])) others.push({ at, end });
      continue;
    }
    levels.push({ at, end, ...level });
    // words such as "below" after a percent belong to it, not to the next level
    const [own = ""] = READS.fallAfter.exec(after) ?? READS.riseAfter.exec(after) ?? [];
    from = end + (level.isPercent ? own.length : 0);
  }
  return { levels, others };
}

/** Returns where the clause of a position starts. */
function clauseStart(text: string, at: number): number {
  const starts = [...text.slice(0, at).matchAll(CLAUSE_START)];
  const last = starts.at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

/** Returns false if the sentence of a number names another figure, or its clause contains unknown words. */
function isAboutPrice(text: string, { at, end, start }: TextSpan & { readonly start: number }): boolean {
  const rest = text.slice(end);
  const sentenceStart = Math.max(...[..."?!;"].map((mark) => text.lastIndexOf(mark, at) + 1), 0);
  const sentence = text.slice(sentenceStart, end + rest.search(/[?!;]|$/));
  if (READS.otherFigure.test(sentence.replace(EVENT_TIME, " "))) return false;
  const clause = `${text.slice(start, at)} ${rest.slice(0, READS.clauseEnd.exec(rest)?.index)}`;
  return (clause.toLowerCase().match(/\p{L}+(?:['’-]\p{L}+)*/gu) ?? []).every((word) => {
    const plain = word.replace("’", "'").replace(/'s$/, "");
    return KNOWN.has(plain) || MOVE.test(plain) || READS.moves.test(plain);
  });
}

function levelOf(
  { groups = {} }: RegExpMatchArray,
  { before, after, lead, previous, isFirst }: Context,
): Omit<Level, keyof TextSpan> | null {
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
  const isAsked =
    SAYS.chance.test(lead) ||
    READS.asksForTouch.test(lead) ||
    previous !== null ||
    (/^\s*(?:is|are)\b/i.test(lead) && SAYS.chance.test(after));
  if (!isAsked && role === null && (!isFirst || READS.restLead.test(before))) return null;
  const isJoined = previous !== null && READS.joinLead.test(before);
  if (/^(%|p)/i.test(unit)) {
    const isMove =
      sign !== undefined || role !== null || READS.percentLead.test(before) || READS.percentNext.test(after);
    if (!isMove && !(isJoined && previous.isPercent)) return null;
    const own = directionOf(sign, before, after);
    const direction = isMove || sign !== undefined ? own : (previous?.direction ?? null);
    return { text: `${direction ?? ""}${number}%`, isPercent: true, direction, role };
  }
  const isYear = dollar === undefined && unit === "" && /^20[2-4]\d$/.test(digits);
  if (isYear || (role === null && !isJoined && !READS.priceLead.test(before))) return null;
  const factor = unit === "" ? 1 : /^(k|t)/i.test(unit) ? 1e3 : 1e6;
  const price = Number((number * factor).toPrecision(12));
  if (price > MAX_PRICE) return null;
  return { text: String(price), isPercent: false, direction: directionOf(sign, before, ""), role };
}

const MAX_PRICE = 1e9;

/** Returns the direction of a level from its sign, the words after it or the nearest word before it. */
function directionOf(sign: string | undefined, before: string, after: string): Direction {
  if (sign === "+") return "+";
  if (sign === "-" || sign === "−") return "-";
  if (sign !== undefined || READS.bothAfter.test(after) || READS.bothBefore.test(before)) return null;
  if (READS.riseAfter.test(after)) return "+";
  if (READS.fallAfter.test(after)) return "-";
  const nearest = [...before.matchAll(DIRECTIONS)].at(-1);
  return nearest === undefined ? null : nearest[1] === undefined ? "-" : "+";
}
