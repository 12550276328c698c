import words from "../data/words.json" with { type: "json" };
import { patterns } from "../phrases.ts";

const SAYS = patterns(words.market, words.names);

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
export const marketRequest = (text: string) => ({
  /** true: the mood of the market is requested. */
  mood: SAYS.mood.test(text) && !SAYS.ofLines.test(text),
  /** true: trading hours are requested. */
  hours: HOURS.some((pattern) => pattern.test(text)),
  /** Label of a market whose mood is not available; null for the stock market. */
  moodless: SAYS.crypto.test(text) ? "crypto" : SAYS.index.test(text) ? "one index" : null,
});
