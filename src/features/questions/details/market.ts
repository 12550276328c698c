/** Topics of the market as a whole. */
export interface MarketRequest {
  /** true: the mood of the market is requested. */
  readonly mood: boolean;
  /** true: trading hours are requested. */
  readonly hours: boolean;
  /** Label of a market whose mood is not available; null for the stock market. */
  readonly moodless: string | null;
}

const FEELS =
  "fear\\w*|afraid|greed\\w*|nervous|anxious|scared|panick\\w*|complacent|euphoric|optimistic|pessimistic|bullish|bearish|risk.(?:on|off)|overheated|exuberant";
const MARKET =
  "(?:(?:stock |equity |us |american |overall )?markets?|wall street|investors|crowd|nasdaq|s&p(?: ?500)?|dow(?: jones)?|russell(?: ?2000)?)";
const MOODS: readonly RegExp[] = [
  /\b(sentiment|fear|greed\w*|mood|risk.(on|off)|signal index|ssi)\b/i,
  /\b(good|bad|right|great|wrong|best|safe|smart|ideal) (time|moment|day|week) to (buy|sell|invest|trade|get (in|out|back in)|be in|enter)\b|\b(time|safe|wise) to (invest|get (in|out|back in))\b|\bshould (i|we) (be )?invest(ed|ing)? (now|today|at all|right now|in (the )?(stock )?markets?)\b/i,
  /\b(is|are|did|has|have) (the )?(stock |us )*markets? (up|down|higher|lower|green|red|do|done|rall\w+|crash\w*|drop\w*|rise|fall\w*)\b/i,
  /\bhow('s| is| are)? (the )?(stock )?markets?\b|\bmarkets? (doing|today|look\w*|overall|outlook)\b/i,
  new RegExp(`\\b${MARKET}(?: \\S+){0,2} (?:${FEELS})\\b|\\b(?:${FEELS}) (?:\\S+ ){0,3}${MARKET}\\b`, "i"),
  new RegExp(
    `\\b${MARKET} (?:\\S+ )?(?:outlook|mood)\\b|\\b(?:outlook|mood) (?:for|of|on|in) (?:the )?${MARKET}\\b`,
    "i",
  ),
];
/** Matches a mood used as a criterion of a list. */
const OF_LINES = /\b(?:with|by|having|on) (?:\S+ ){0,3}(?:sentiment|mood)\b/i;

const VENUE =
  "(?:(?:stock |us |american |equity |crypto )*(?:markets?|exchanges?)|nyse|nasdaq|wall street|trading)";
const OPEN = "(?:open|opens|opening|close|closes|closed|closing|shut|trading)";
/** Excludes words after which `close` means a price and not a time. */
const LEVEL =
  "(?! (?:up|down|higher|lower|green|red|flat|above|below|near|strong\\w*|weak\\w*|in the|with|interest|position|order|short|long|price))";
const HOURS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:is|are|will|was|when|what time|does|do|isn't|aren't)\\b[^?.!]{0,25}\\b${VENUE}\\b(?: \\S+){0,2} ${OPEN}\\b${LEVEL}`,
    "i",
  ),
  new RegExp(`\\b${VENUE} (?:hours|holidays?|calendar|schedule|days)\\b`, "i"),
  /\b(?:crypto\w*|bitcoin|coins|stocks?|markets?|exchanges?)\b(?: \S+){0,2} (?:open|trade|trades|traded|trading|closed)\b(?: \S+){0,2} (?:weekends?|saturdays?|sundays?|holidays?|nights?|24.7)\b/i,
  /\b(?:is|was) (?:it|there|today|tomorrow|\w+day) (?:a |any )?(?:\w+ )?holiday\b/i,
  /\b(?:(?:bank|exchange|trading|market) holidays?|half days?|early close|trading day|open for (?:trading|business))\b/i,
  new RegExp(`^ *${VENUE} (?:open|closed)(?: (?:now|today|tomorrow|yet|right now|still))* *\\??$`, "i"),
];

/** Returns the topics of a question that concern the market as a whole. */
export const marketRequest = (text: string): MarketRequest => ({
  mood: MOODS.some((pattern) => pattern.test(text)) && !OF_LINES.test(text),
  hours: HOURS.some((pattern) => pattern.test(text)),
  moodless: /\b(crypto\w*|bitcoin|coins?|altcoins?|tokens?)\b/i.test(text)
    ? "crypto"
    : /\b(nasdaq|s&p(?: ?500)?|dow(?: jones)?|russell)\b/i.test(text)
      ? "one index"
      : null,
});
