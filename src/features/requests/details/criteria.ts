import criteria from "../data/criteria.json" with { type: "json" };
import { matchers } from "../phrases.ts";
import { SECTOR_WORDS } from "./sectors.ts";

/** Criteria that the screener lacks. */
const UNSERVED = matchers(criteria);
/** Words before `stocks` that are not a criterion, or are a criterion that the screener has. */
const PLAIN =
  /^(the|a|an|all|any|some|of|in|to|for|us|u\.s|american|which|what|best|top|good|great|bad|worst|weak|weakest|strong|stronger|strongest|hot|hottest|highest|lowest|rated|ranked|scored|scoring|graded|long|short|bullish|bearish|buy|sell|more|most|other|these|those|few|several|many|my|your|and|or|individual|single|listed|traded|show|me|list|find|give|get|scan|screen|rank|name|pick|stage|\d+|[1-4]|one|two|three|four|five|six|seven|eight|nine|ten|today's|favou?rite|interesting|different|least|attractive|rank|every|are|is|with|no|not|tech|technology|semiconductors?|semis|chips?|software|financials?|banks?|banking|health|care|healthcare|pharma\w*|biotechs?|energy|oil|gas|utilit(y|ies)|industrials?|materials|estate|reits?|staples|discretionary|retail\w*|communications?|telecoms?|media|crypto\w*|etfs?|accumulation|distribution|mark-?up|mark-?down|uptrending|downtrending|[a-df][+-]?|grade|scores?|points?|hold|waits?|own|watch|warm|cold|trade|invest|avoid|from|about|on|by|at|into|out)$/i;
const KIND = "(?:stocks?|shares|equities|compan(?:y|ies)|coins?|tokens?|cryptos?|etfs?|funds?|names)";
const BEFORE = new RegExp(`([\\p{L}\\p{N}.'&+-]{1,30}) ${KIND}\\b`, "giu");
/** Matches a word joined to a known sector: `railroads or banks`. */
const JOINED = new RegExp(
  `([\\p{L}'’-]{1,30}) or (?:${SECTOR_WORDS})\\b|\\b(?:${SECTOR_WORDS}) or ([\\p{L}'’-]{1,30})`,
  "giu",
);
const IS_KIND = new RegExp(`^${KIND}$`, "iu");
/** Matches a criterion after the kind of instrument: `stocks with ...`. */
const AFTER = new RegExp(`\\b${KIND} (?:that|with|whose|near|under|below|above|without|having)\\b`, "iu");
const SERVED_AFTER =
  /\b(that|with|whose|having|above|below|under) (?:\S+ ){0,3}(grades?|scores?|stage|bias|signals?|accumulation|distribution|mark-?up|mark-?down|reward|rr|r:r|long|short|are (?:in|the|good|best)|i|you|to)\b/i;
/** Label of any other criterion; an answer never repeats words of the question. */
export const UNKNOWN_CRITERION = "an unknown criterion";

/**
 * Returns the labels of requested criteria that the screener lacks. `hasRule`: the text is what is left of one that a
 * rule describes.
 */
export function unservedIn(text: string, hasRule = false): readonly string[] {
  const found = UNSERVED.filter(({ words }) => words.test(text)).map(({ label }) => label);
  if (hasRule) return found.filter((label) => label !== "an indicator");
  if (found.length > 0) return found;
  const odd = [...text.matchAll(BEFORE)].some(([, word]) => !PLAIN.test(word!.replace(/['’.]+$/, "")));
  const other = [...text.matchAll(JOINED)].some(
    ([, before, after]) => !PLAIN.test(before ?? after!) && !IS_KIND.test(before ?? after!),
  );
  return odd || other || (AFTER.test(text) && !SERVED_AFTER.test(text)) ? [UNKNOWN_CRITERION] : [];
}
