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

const NUMBER = String.raw`\$?\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?(k|m|mm|b|bn|thousand|million|billion)?\b(?!\s?(?:%|percent|per cent|bps|basis|points?|days?|weeks?|months?|years?|hours?|minutes?|times|stocks?|contracts?))(?![.,]?\d)`;
const UP = "above|over|past|beyond|more than|higher than|at least|greater than|exceeds?|exceeding|tops?";
const DOWN = "below|under|beneath|less than|lower than|at most";
const REACH =
  "hit(?:s|ting)?|reach(?:es|ing)?|touch(?:es|ing)?|cross(?:es|ing)?|break(?:s|ing)?|surpass(?:es|ing)?|breach(?:es|ing)?";
const SMALL = String.raw`(?:(?:about|around|even|just|the|price|level|of|usd|through|up|down|to)\s+){0,3}`;
const BETWEEN = new RegExp(String.raw`\bbetween\s+${NUMBER}\s+(?:and|to)\s+${NUMBER}`, "i");
const SIDED = new RegExp(String.raw`\b(?:(${UP})|(${DOWN})|(${REACH})|at|to)\s+${SMALL}${NUMBER}`, "gi");
const OR_MORE = new RegExp(String.raw`${NUMBER}\s+or\s+(?:(more|higher|above)|(less|lower|below))\b`, "i");
const DOLLARS = new RegExp(String.raw`(?=\$)${NUMBER}`, "i");
const FALLS =
  /\b(fall|drop|dip|crash|sink|slump|decline|plunge|tumble)(s|ing|ping|ling)?\b|\b(fell|sank)\b|\bgo(es|ing)? down\b/i;
const MOVES =
  /\b(go(es)?|going|gets?|rises?|rising|climbs?|rall(y|ies)|breaks?|cross(es)?|hits?|reach(es)?|touch(es)?|surpass(es)?|exceeds?|breach(es)?|tops?|any time|ever)\b/i;
const RESTS = /\b(close[sd]?|closing|end(s|ing)?|finish(es)?|settles?|be|is|stays?|trades?|trading)\b/i;
const UNIT_FACTORS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};
const MAX_LEVEL_USD = 1e12;

/** Returns the price level that a question names; null if it names none. */
export function levelRequest(text: string): LevelRequest | null {
  const kind = kindOf(text);
  const between = BETWEEN.exec(text);
  if (between !== null) {
    const [, low, lowUnit, high, highUnit] = between;
    const upper = amountOf(high, highUnit);
    const level = amountOf(low, lowUnit ?? (upper !== null && upper >= 1e3 ? highUnit : undefined));
    return level === null || upper === null || upper <= level
      ? null
      : { side: "between", kind, level, upper };
  }
  const orMore = OR_MORE.exec(text);
  if (orMore !== null) return single(orMore[1], orMore[2], orMore[3] !== undefined ? "above" : "below", kind);
  for (const [words, up, down, reach, digits, unit] of text.matchAll(SIDED)) {
    const isYear = unit === undefined && !words.includes("$") && /^20[2-4]\d$/.test(digits!);
    if (isYear) continue;
    const falls = FALLS.test(text);
    const side =
      up !== undefined
        ? "above"
        : down !== undefined || falls
          ? "below"
          : rises(words, text)
            ? "above"
            : null;
    return single(digits, unit, side, reach !== undefined || falls ? (kind ?? "touch") : kind);
  }
  const bare = DOLLARS.exec(text);
  return bare === null ? null : single(bare[1], bare[2], FALLS.test(text) ? "below" : null, kind);
}

/** Returns true if a question asks whether a price level or a rate move will occur, without a word such as odds. */
export function asksWhether(text: string): boolean {
  if (!/^\W*(so |hey |ok(ay)?,? )?(will|would|could|can|does|is|are|do you think)\b/i.test(text))
    return false;
  if (RATES.test(text)) return true;
  return (MOVES.test(text) || FALLS.test(text) || RESTS.test(text)) && levelRequest(text) !== null;
}
const RATES =
  /\b(fed|fomc|federal reserve|powell|ecb|central bank)\b.*\b(cut|cuts|hike|hikes|raise|raises|lower|lowers|hold|holds|pause|pauses)\b/i;

/** A move of interest rates. */
export type RateMove = "cut" | "hike" | "hold";
const MOVES_OF_RATES: Readonly<Record<RateMove, RegExp>> = {
  cut: /\b(cut(s|ting)?|lower(s|ing|ed)?|eas(e|es|ing)|decreas\w*|reduc\w*)\b/i,
  hike: /\b(hik(e|es|ed|ing)|rais(e|es|ed|ing)|increas\w*|tighten\w*)\b/i,
  hold: /\b(hold(s|ing)?|held|paus(e|es|ed|ing)|unchanged|no change|maintain\w*|keep(s|ing)?|leave(s)?|steady)\b/i,
};
const ON_RATES = /\b(fed|fomc|federal reserve|powell|ecb|central bank|interest rates?|rate (cut|hike)s?)\b/i;

/** Returns the move of interest rates that a text is about; null for none or several. */
export function rateMoveIn(text: string): RateMove | null {
  if (!ON_RATES.test(text)) return null;
  const found = (Object.keys(MOVES_OF_RATES) as RateMove[]).filter((move) => MOVES_OF_RATES[move].test(text));
  return found.length === 1 ? found[0]! : null;
}

const rises = (words: string, text: string): boolean => !/^at\b/i.test(words) || MOVES.test(text);

const kindOf = (text: string): LevelRequest["kind"] => {
  if (/\b(close[sd]?|closing|end(s|ing)?|finish(es)?|settles?)\b/i.test(text)) return "at";
  if (MOVES.test(text) || FALLS.test(text)) return "touch";
  return RESTS.test(text) ? "at" : null;
};

function single(
  digits: string | undefined,
  unit: string | undefined,
  side: LevelRequest["side"],
  kind: LevelRequest["kind"],
): LevelRequest | null {
  const level = amountOf(digits, unit);
  return level === null ? null : { side, kind, level, upper: null };
}

function amountOf(digits = "", unit = ""): number | null {
  const amount = Number(digits.replaceAll(",", "")) * (UNIT_FACTORS[unit.toLowerCase()] ?? 1);
  return amount > 0 && amount <= MAX_LEVEL_USD ? amount : null;
}

/** A request for odds. */
export interface OddsRequest {
  readonly level: LevelRequest | null;
  readonly query: string;
  /** true: the question names an event other than a price level, such as a merger or a percentage change. */
  readonly isOfEvent?: boolean;
}
