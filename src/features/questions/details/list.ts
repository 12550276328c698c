import words from "../data/words.json" with { type: "json" };
import { patterns } from "../phrases.ts";
import type { Narrowing } from "./filters.ts";

const { superlative: SUPERLATIVE } = patterns(words.list);
/** Matches starts of questions and orders that do not request a list. */
const OTHERWISE =
  /^\s*(?:please )?(?:is|are|should|shall|will|would|do|does|did|can|could|why|how|when|(?:buy|sell|short|purchase|order|place|set|alert)(?! signals?| rat))\b/i;
/** Matches a request for one figure over a list, such as an average. */
const OVERALL =
  /\b(?:average|mean|median|avg|typical|combined|aggregate|total) (?:\S+ ){0,2}(?:scores?|grades?|ratings?|rr|reward\S*)\b|\b(?:percent|percentage|proportion|share|fraction|%) of (?:\S+ ){0,3}(?:stocks?|coins?|companies|names|tokens?|etfs?|cryptos?|market)\b/i;

/** Matches labels that apply only to lists. */
const OF_MANY = /^(?:more than one|every) (?:sector|stage|grade|phase|asset class)/;

/** Returns true if a text asks for a list without a verb: `worst 3 banks`, `crypto with grade A+`. */
export function isListRequest(
  text: string,
  { filters, unserved }: Omit<Narrowing, "rest">,
  count: number | null,
): boolean {
  if (OTHERWISE.test(text)) return false;
  const { sort: _, ...narrowing } = filters;
  const { asset_class: __, sector: ___, ...within } = narrowing;
  const isOrdered = filters.sort === "rr" || count !== null || SUPERLATIVE.test(text);
  const labelled = unserved.length > 0 ? 1 : 0;
  const isWithin = Object.keys(within).length + labelled > 0;
  return (
    unserved.some((label) => OF_MANY.test(label)) ||
    (filters.asset_class !== undefined && (isWithin || isOrdered)) ||
    Object.keys(within).length > 1
  );
}

/** Returns true if a question asks for one figure over a whole list, such as an average. */
export const asksOverall = (text: string): boolean => OVERALL.test(text);
