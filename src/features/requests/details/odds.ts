import { withoutTime } from "../../odds/deadline-in.ts";
import odds from "../data/odds.json" with { type: "json" };
import words from "../data/words.json" with { type: "json" };
import { expressions, labelsIn, patterns, wordsOf } from "../phrases.ts";
import { amountOf } from "./numbers.ts";

const SAYS = patterns({ ...words.level, odds: words.topics.odds });
/** A price level in a question about odds. */
export interface LevelRequest {
  /** null if not stated. */
  readonly side: "above" | "below" | "between" | null;
  /** `touch`: the price reaches the level at any time; `at`: the price on the final day; null if not stated. */
  readonly kind: "at" | "touch" | null;
  /** US dollars. */
  readonly level: number;
  /** The upper end of `between`. */
  readonly upper: number | null;
}

const LEVELS = expressions(odds.levels, odds.names, "i");
const SIDED = new RegExp(LEVELS.sided, "gi");
const MAX_LEVEL_USD = 1e12;

/** Returns the price level that a question names; null if it names none. */
export function levelRequest(text: string): LevelRequest | null {
  const kind = kindOf(text);
  const between = LEVELS.between.exec(text);
  if (between !== null) {
    const [, low, lowUnit, high, highUnit] = between;
    const upper = levelOf(high, highUnit);
    const level = levelOf(low, lowUnit ?? (upper !== null && upper >= 1e3 ? highUnit : undefined));
    const isRange = level !== null && upper !== null && upper > level;
    return isRange ? { side: "between", kind, level, upper } : null;
  }
  const orMore = LEVELS.orMore.exec(text);
  if (orMore !== null) {
    const [, digits, unit, isUp] = orMore;
    return single(levelOf(digits, unit), isUp === undefined ? "below" : "above", kind);
  }
  for (const [words, up, down, reach, digits, unit] of text.matchAll(SIDED)) {
    const isYear = unit === undefined && !words.includes("$") && /^20[2-4]\d$/.test(digits!);
    if (isYear) continue;
    const falls = SAYS.falls.test(text);
    const isUp = up !== undefined || (down === undefined && !falls);
    const isSided = up !== undefined || !isUp || !/^at\b/i.test(words) || SAYS.moves.test(text);
    const side = isSided ? (isUp ? "above" : "below") : null;
    return single(levelOf(digits, unit), side, reach !== undefined || falls ? (kind ?? "touch") : kind);
  }
  const [, digits, unit] = LEVELS.dollars.exec(text) ?? [];
  return single(levelOf(digits, unit), SAYS.falls.test(text) ? "below" : null, kind);
}

/** Returns true if a question asks whether a price level or a rate move will occur, without a word such as odds. */
export function asksWhether(text: string): boolean {
  if (!/^\W*(so |hey |ok(ay)?,? )?(will|would|could|can|does|is|are|do you think)\b/i.test(text))
    return false;
  return LEVELS.rates.test(text) || (kindOf(text) !== null && levelRequest(text) !== null);
}

const RATE_MOVES = patterns(words.rates);
export type RateMove = keyof typeof RATE_MOVES;

/** Returns the move of interest rates that a text is about; null for none or several. */
export function rateMoveIn(text: string): RateMove | null {
  if (!SAYS.onRates.test(text)) return null;
  const [move, another] = labelsIn(RATE_MOVES, text);
  return move === undefined || another !== undefined ? null : move;
}

const kindOf = (text: string): LevelRequest["kind"] => {
  if (SAYS.ends.test(text)) return "at";
  if (SAYS.moves.test(text) || SAYS.falls.test(text)) return "touch";
  return SAYS.rests.test(text) ? "at" : null;
};

const single = (level: number | null, side: LevelRequest["side"], kind: LevelRequest["kind"]) =>
  level === null ? null : { side, kind, level, upper: null };

function levelOf(digits = "", unit = ""): number | null {
  const amount = amountOf(`${digits}${unit}`);
  return amount > 0 && amount <= MAX_LEVEL_USD ? amount : null;
}

export interface OddsRequest {
  readonly level: LevelRequest | null;
  readonly query: string;
  /** true: the question names an event other than a price level, such as a merger or a percentage change. */
  readonly isOfEvent: boolean;
}

/** Words of a question about odds that name no event: function words, names of markets, other topics. */
const GENERAL = wordsOf(odds.general);

/**
 * Returns true if a question about odds names an event: words remain after removing names, times and the words of the
 * request.
 */
export function isOfEvent(query: string, names: readonly string[]): boolean {
  const text = query.toLowerCase();
  const unnamed = names.reduce((left, name) => left.replaceAll(name.toLowerCase(), " "), text);
  const words = withoutTime(unnamed).match(/[\p{L}%]+(?:['’][\p{L}]+)?/gu) ?? [];
  return words.some(
    (word) => (word.length > 1 || word === "%") && !GENERAL.has(word.replace(/['’]s$/, "").replace("’", "'")),
  );
}

/** Matches the start of another clause. */
const CLAUSE =
  /[;?!]|\.(?= |$)|\b(?:and then|then|and also|plus)\b|\band (?=(?:what|how)(?! about)|when|the odds|odds|(?:the )?chances?)/i;

/** Returns the names in the clause that asks for odds; all names if that clause contains none. */
export const namedWithOdds = <N extends { readonly text: string }>(
  query: string,
  names: readonly N[],
): readonly N[] => namedWith(query, names, (clause) => SAYS.odds.test(clause));

/** Returns the names in the clauses that pass a test; all names if those clauses contain none. */
export function namedWith<N extends { readonly text: string }>(
  query: string,
  names: readonly N[],
  isMeant: (clause: string) => boolean,
): readonly N[] {
  const asking = query.split(CLAUSE).filter(isMeant).join("\n").toLowerCase();
  const found = names.filter(({ text }) => asking.includes(text.toLowerCase()));
  return found.length === 0 ? names : found;
}
